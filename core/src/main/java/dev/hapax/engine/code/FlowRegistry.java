package dev.hapax.engine.code;

import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.Run;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Json;
import dev.hapax.run.Gate;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The flows whose code this process has, by tenant, name and release. A flow that is registered for
 * no tenant serves all tenants that have no flow of this name themselves. The source is asked for
 * code that is not here; it returns the code and calls nothing of the engine. Safe for many
 * threads.
 */
public final class FlowRegistry {
  private final ConcurrentMap<FlowRelease, Flow<?, ?>> flows = new ConcurrentHashMap<>();
  private volatile FlowSource source = FlowSource.NONE;
  private volatile Listener listener = Listener.NONE;

  /** Learns of code that arrives, on the thread that brings it. */
  public interface Listener {
    Listener NONE =
        new Listener() {
          @Override
          public void arrived(FlowRelease release, Flow<?, ?> flow) {}

          @Override
          public void anyMayHaveArrived() {}
        };

    void arrived(FlowRelease release, Flow<?, ?> flow);

    /** There is another source, which may have any code. */
    void anyMayHaveArrived();
  }

  public void listener(Listener told) {
    listener = told;
  }

  /** Sets the source for code that is not registered. */
  public void source(FlowSource from) {
    source = from;
    listener.anyMayHaveArrived();
  }

  public boolean hasSource() {
    return !source.equals(FlowSource.NONE);
  }

  /**
   * Registers the code of a release.
   *
   * @param tenant whose flow it is; null for all tenants that have no such flow themselves
   */
  public void register(@Nullable String tenant, Flow<?, ?> flow) {
    var release = new FlowRelease(tenant, flow.name(), flow.release());
    Flow<?, ?> there = flows.putIfAbsent(release, flow);
    if (there != null && !there.equals(flow)) {
      throw new IllegalArgumentException(
          "%s is registered already with other code. A release never changes: give the changed flow .release(%d)."
              .formatted(flow, flow.release() + 1));
    }
    listener.arrived(release, flow);
  }

  /** Registers code of Hapax itself, for all tenants, before the engine starts. */
  public void builtIn(Flow<?, ?> flow) {
    flows.put(new FlowRelease(null, flow.name(), flow.release()), flow);
  }

  /** Whether runs of this tenant find this very code. */
  public boolean isRegistered(String tenant, Flow<?, ?> flow) {
    return flow.equals(registered(new FlowRelease(tenant, flow.name(), flow.release())));
  }

  /** Looks only among registered flows. */
  public @Nullable Flow<?, ?> registered(FlowRelease release) {
    Flow<?, ?> own = flows.get(release);
    return own != null || release.tenant() == null
        ? own
        : flows.get(new FlowRelease(null, release.flow(), release.number()));
  }

  /** Also asks the source, on this thread, and registers what it has. */
  public @Nullable Flow<?, ?> find(FlowRelease release) {
    Flow<?, ?> known = registered(release);
    String tenant = release.tenant();
    if (known != null || tenant == null) {
      return known;
    }
    Flow<?, ?> found = source.find(tenant, release.flow(), release.number());
    if (found != null) {
      register(tenant, found);
    }
    return found;
  }

  /** How long a run may take by its code; null if the code sets no limit or is not here. */
  public @Nullable Duration timeoutOf(Run run) {
    Flow<?, ?> code = find(FlowRelease.of(run));
    return code == null ? null : code.timeout();
  }

  /** The gate that a run passes with this input; null if there is none, or its code is not here. */
  public @Nullable Gate gateOf(Run run, String input) {
    Flow<?, ?> code = find(FlowRelease.of(run));
    return code == null ? null : gateOf(code, input);
  }

  private static <I> @Nullable Gate gateOf(Flow<I, ?> flow, String input) {
    return flow.concurrency() == null ? null : Gate.of(flow, Json.read(input, flow.input()));
  }

  /**
   * The fields of this input; null if the run's code is not here, so that they stay as they are.
   */
  public @Nullable SearchFields searchOf(Run run, String input) {
    Flow<?, ?> code = find(FlowRelease.of(run));
    return code == null ? null : searchOf(code, run.tenant(), input);
  }

  private static <I> SearchFields searchOf(Flow<I, ?> flow, String tenant, String input) {
    return flow.isSearchable()
        ? flow.searchOf(tenant, Json.read(input, flow.input()))
        : SearchFields.NONE;
  }
}
