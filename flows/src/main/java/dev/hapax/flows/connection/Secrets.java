package dev.hapax.flows.connection;

import java.util.Optional;

/**
 * Secrets by name; stored elsewhere. Only connections use them: expressions have no name for them.
 */
@FunctionalInterface
public interface Secrets {
  Optional<String> value(String name);

  /** For flows that need none. */
  Secrets NONE = _ -> Optional.empty();
}
