package dev.hapax.app.release;

import dev.hapax.app.data.Stored;
import dev.hapax.app.http.LabelsOfFlows;
import dev.hapax.flow.Names;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels of flows: those of the live release, also after the flow was retired, or those of the
 * draft if none was live. Lists and streams ask for every item, so labels that were read are
 * trusted for a second. A change takes effect at once on this node, and on all nodes within that
 * time. Safe for many threads and nodes.
 */
public final class FlowLabels implements LabelsOfFlows {
  private static final Duration BELIEVED = Duration.ofSeconds(1);
  private static final int MOST_KNOWN = 10_000;

  private final ReleaseBook book;
  private final Clock clock;
  private final ConcurrentMap<FlowName, Known> known = new ConcurrentHashMap<>();

  private record Known(List<String> labels, long readAt) {}

  FlowLabels(ReleaseBook book, Clock clock) {
    this.book = book;
    this.clock = clock;
  }

  @Override
  public List<String> of(String tenant, String flow) {
    var name = new FlowName(tenant, flow);
    Known is = known.get(name);
    return is != null && isFresh(is) ? is.labels() : read(name).labels();
  }

  private boolean isFresh(Known is) {
    return clock.nanos() - is.readAt() < BELIEVED.toNanos();
  }

  /** Reads inside the map's lock of this flow, so that no older reading survives a change. */
  private Known read(FlowName flow) {
    if (known.size() >= MOST_KNOWN) { // callers may ask for any name
      known.clear();
    }
    return known.compute(
        flow,
        (name, before) -> {
          if (before != null && isFresh(before)) {
            return before;
          }
          long readAt = clock.nanos(); // before the read, so that nothing is trusted for longer
          return new Known(now(name), readAt);
        });
  }

  /** Returns the labels of a flow as they are stored now. */
  List<String> now(FlowName flow) {
    if (!isName(flow.flow())) {
      return List.of();
    }
    FlowState state = book.state(flow);
    Stored<Draft> draft = state.hasBeenLive() ? null : book.draft(flow);
    return counting(state, draft == null ? null : draft.value());
  }

  private static boolean isName(String flow) {
    try {
      Names.flow(flow);
      return true;
    } catch (IllegalArgumentException e) {
      return false; // callers may ask for any text
    }
  }

  /** Returns the labels of a flow whose state was just read. */
  List<String> of(FlowState state) {
    return state.hasBeenLive()
        ? state.labelsOrNone()
        : of(state.name().tenant(), state.name().flow());
  }

  /** Returns the labels that count for a flow in this state, with this draft. */
  static List<String> counting(FlowState state, @Nullable Draft draft) {
    if (state.hasBeenLive()) {
      return state.labelsOrNone();
    }
    return draft == null ? List.of() : draft.labelsOrNone();
  }

  /** Forgets the labels of this flow, which has just changed. */
  void changed(FlowName flow) {
    known.remove(flow);
  }
}
