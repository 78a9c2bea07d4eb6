package dev.hapax.flows;

import dev.hapax.Hapax;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an engine keep the limits of connections. Receives a connection whenever a step is about to
 * use it, so that a change applies from the next step on, on every node. Safe for many threads.
 */
final class KeptLimits implements Consumer<Connection> {
  private final Map<String, ConnectionLimits> known = new ConcurrentHashMap<>();
  private volatile @Nullable Hapax engine;

  void in(Hapax hapax) {
    if (engine != hapax) {
      engine = hapax;
      known.clear();
    }
  }

  @Override
  public void accept(Connection connection) {
    Hapax hapax = engine;
    ConnectionLimits limits = connection.limits();
    if (hapax == null
        || limits.equals(known.getOrDefault(connection.name(), ConnectionLimits.NONE))) {
      return;
    }
    hapax.destinations().register(limits.of(connection.name()));
    known.put(connection.name(), limits);
  }
}
