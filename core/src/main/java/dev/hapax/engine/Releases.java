package dev.hapax.engine;

import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.run.Run;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The flows whose code this process has, by tenant, name and release. A flow that is registered for
 * no tenant serves all tenants that have no flow of this name themselves. Safe for many threads.
 */
final class Releases {
  private final ConcurrentMap<Release, Flow<?, ?>> flows = new ConcurrentHashMap<>();
  private volatile FlowSource source = FlowSource.NONE;

  /**
   * A release of a flow.
   *
   * @param tenant null for all
   */
  record Release(@Nullable String tenant, String flow, int number) {
    static Release of(Run run) {
      return new Release(run.tenant(), run.flow(), run.release());
    }

    /** Whether the code of this release serves runs of the other one. */
    boolean serves(Release other) {
      return flow.equals(other.flow)
          && number == other.number
          && (tenant == null || tenant.equals(other.tenant));
    }
  }

  void source(FlowSource from) {
    source = from;
  }

  boolean hasSource() {
    return !source.equals(FlowSource.NONE);
  }

  void register(Release release, Flow<?, ?> flow) {
    Flow<?, ?> there = flows.putIfAbsent(release, flow);
    if (there != null && !there.equals(flow)) {
      throw new IllegalArgumentException(
          "%s is registered already with other code. A release never changes: give the changed flow .release(%d)."
              .formatted(flow, flow.release() + 1));
    }
  }

  /** Looks only among registered flows. */
  @Nullable Flow<?, ?> registered(Release release) {
    Flow<?, ?> own = flows.get(release);
    return own != null || release.tenant() == null
        ? own
        : flows.get(new Release(null, release.flow(), release.number()));
  }

  /** Also asks the source, on this thread; a flow from there is not registered yet. */
  @Nullable Flow<?, ?> fromSource(Release release) {
    String tenant = release.tenant();
    return tenant == null ? null : source.find(tenant, release.flow(), release.number());
  }
}
