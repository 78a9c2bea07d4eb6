package dev.hapax.app.webhook;

import java.util.List;
import java.util.Optional;

/** The secrets that senders sign with; stored elsewhere. Asked at every delivery. */
@FunctionalInterface
public interface SigningSecrets {
  /**
   * The values that are live under this name: several while one is being replaced, none if it was
   * never set.
   */
  List<String> live(String tenant, String name);

  /** A secret of several lines is several live secrets. */
  static List<String> linesOf(Optional<String> secret) {
    return secret.stream()
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
