package dev.hapax.app.webhook;

import java.util.List;

/** The secrets that senders sign with; stored elsewhere. Asked at every delivery. */
@FunctionalInterface
public interface SigningSecrets {
  /**
   * The values that are live under this name: several while one is being replaced, none if it was
   * never set.
   */
  List<String> live(String tenant, String name);
}
