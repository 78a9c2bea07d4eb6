package dev.hapax.flows.connection;

import java.util.Optional;

/** Connections by name; stored elsewhere. Asked at every use, so that a change takes effect. */
@FunctionalInterface
public interface Connections {
  Optional<Connection> find(String name);

  /** For flows that need none. */
  Connections NONE = _ -> Optional.empty();
}
