package dev.hapax.app.webhook;

import java.util.List;
import java.util.Optional;

/** The secrets that senders sign with; stored elsewhere. Read at every delivery. */
@FunctionalInterface
public interface SigningSecrets {
  /**
   * Returns the live values of this name: several while one is being replaced, none if it was never
   * set.
   */
  List<String> live(String tenant, String name);

  /** Splits a secret of several lines into several live secrets. */
  static List<String> linesOf(Optional<String> secret) {
    return secret.stream()
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
