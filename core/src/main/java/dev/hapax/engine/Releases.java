package dev.hapax.engine;

import dev.hapax.flow.Flow;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The flows whose code this process has, by name and release. Safe for many threads. */
final class Releases {
  private final ConcurrentMap<Release, Flow<?, ?>> flows = new ConcurrentHashMap<>();

  record Release(String flow, int number) {}

  void register(Flow<?, ?> flow) {
    Flow<?, ?> there = flows.putIfAbsent(new Release(flow.name(), flow.release()), flow);
    if (there != null && !there.equals(flow)) {
      throw new IllegalArgumentException(
          "%s is registered already with other code. A release never changes: give the changed flow .release(%d)."
              .formatted(flow, flow.release() + 1));
    }
  }

  @Nullable Flow<?, ?> find(String flow, int release) {
    return flows.get(new Release(flow, release));
  }
}
