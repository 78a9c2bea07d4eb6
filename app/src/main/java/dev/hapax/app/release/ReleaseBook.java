package dev.hapax.app.release;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores drafts, releases and which one is live. Every write is durable when its call returns. Safe
 * for many threads and nodes.
 */
public final class ReleaseBook {
  private final Records<FlowState> flows;
  private final Records<Draft> drafts;
  private final Records<Release> releases;

  /**
   * A book in a durable map.
   *
   * @param map the server's own, out of reach of flows
   */
  public ReleaseBook(Kv map) {
    this.flows = new Records<>(map, "flows", FlowState.class);
    this.drafts = new Records<>(map, "drafts", Draft.class);
    this.releases = new Records<>(map, "releases", Release.class);
  }

  @Nullable Stored<Draft> draft(FlowName flow) {
    return drafts.get(flow.record());
  }

  /**
   * Writes the draft; the flow is listed from then on.
   *
   * @param expected the version that is replaced, 0 for none; null for any
   * @param permission throws if the given draft, null for none, may not be replaced; is called
   *     again if another writer was faster
   */
  Outcome<Draft> putDraft(
      FlowName flow, Draft draft, @Nullable Long expected, Consumer<@Nullable Draft> permission) {
    while (true) {
      Stored<Draft> standing = drafts.get(flow.record());
      permission.accept(standing == null ? null : standing.value());
      long version = standing == null ? 0 : standing.version();
      if (expected != null && expected != version) {
        return new Outcome<>(false, standing);
      }
      flows.putIfAbsent(flow.record(), FlowState.of(flow));
      Outcome<Draft> outcome = drafts.compareAndSet(flow.record(), version, draft);
      if (outcome.written() || expected != null) {
        return outcome;
      }
    }
  }

  /**
   * Stores the next release. If the newest one has this very text, returns it: then releasing was
   * only repeated.
   *
   * @param numbered the release, given its number
   */
  Release release(FlowName flow, String hash, ReleaseOf numbered) {
    int number = state(flow).newest();
    Release newest = number == 0 ? null : find(flow, number);
    while (newest == null || !newest.hash().equals(hash)) {
      number++;
      Outcome<Release> outcome =
          releases.putIfAbsent(recordOf(flow, number), numbered.number(number));
      // Another one has this number, perhaps of a process that died before it updated the flow.
      newest = Objects.requireNonNull(outcome.standing()).value();
    }
    int last = number;
    change(flow, state -> state.released(last));
    return newest;
  }

  /** A release that lacks its number. */
  @FunctionalInterface
  interface ReleaseOf {
    Release number(int number);
  }

  /** Keeps a draft that is run, so that its runs find it again. */
  void keep(FlowName space, Release draft) {
    releases.putIfAbsent(recordOf(space, draft.number()), draft);
  }

  @Nullable Release find(FlowName flow, int number) {
    Stored<Release> stored = releases.get(recordOf(flow, number));
    return stored == null ? null : stored.value();
  }

  /** Returns releases before this number, newest first. */
  List<Release> releases(FlowName flow, int before, int limit) {
    int from = Math.min(before - 1, state(flow).newest());
    return IntStream.iterate(from, number -> number > 0, number -> number - 1)
        .limit(limit)
        .mapToObj(number -> Objects.requireNonNull(find(flow, number)))
        .toList();
  }

  FlowState state(FlowName flow) {
    Stored<FlowState> stored = flows.get(flow.record());
    return stored == null ? FlowState.of(flow) : stored.value();
  }

  /** Returns the state with its version; null if there is no such flow. */
  @Nullable Stored<FlowState> stored(FlowName flow) {
    return flows.get(flow.record());
  }

  /** Returns the write of a state that was read before, to be made together with others. */
  Kv.Replacement replacement(Stored<FlowState> before, FlowState after) {
    return flows.replacement(before.name(), before.version(), after);
  }

  boolean has(FlowName flow) {
    return flows.get(flow.record()) != null;
  }

  void change(FlowName flow, UnaryOperator<FlowState> how) {
    if (flows.update(flow.record(), how) == null) {
      flows.putIfAbsent(flow.record(), FlowState.of(flow));
      flows.update(flow.record(), how);
    }
  }

  /** Returns the flows of a tenant, by name. */
  List<Stored<FlowState>> flows(String tenant, @Nullable String after, int limit) {
    return flows.list(
        Records.name(tenant), after == null ? null : Records.name(tenant, after), limit);
  }

  /** Returns the flows of all tenants. */
  List<Stored<FlowState>> all() {
    return flows.all("");
  }

  private static String recordOf(FlowName flow, int number) {
    return Records.name(flow.tenant(), flow.flow(), "%08d".formatted(number));
  }
}
