package dev.hapax.flows.connection;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import java.util.Optional;

/** Connections by name, stored elsewhere. Asked at every use, so that a change takes effect. */
@FunctionalInterface
public interface Connections {
  Optional<Connection> find(String name);

  /** Finds the connection for a call that is about to be made. */
  default Optional<Connection> use(String name) {
    try {
      return find(name);
    } catch (NoAnswer e) {
      throw new NotApplied(
          "connection '%s' could not be read: nothing was sent. The step tries again."
              .formatted(name),
          e);
    }
  }

  /** For flows that need none. */
  Connections NONE = _ -> Optional.empty();
}
