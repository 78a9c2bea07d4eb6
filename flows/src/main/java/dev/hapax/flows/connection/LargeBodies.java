package dev.hapax.flows.connection;

import dev.hapax.json.ValueBudget;
import java.io.IOException;
import java.io.InputStream;

/** Stores bodies that are too large to be values of a step. */
@FunctionalInterface
public interface LargeBodies {
  /** The size of the largest body that is a value, in bytes. */
  default int largestValue() {
    return ValueBudget.USUAL;
  }

  /** As above, of an answer with this status. */
  default int largestValue(int status) {
    return largestValue();
  }

  /**
   * Reads the body to its end, or up to its own limit.
   *
   * @return the replacement for the body
   * @throws IOException if the body broke off
   */
  Object keep(InputStream body, String contentType) throws IOException;
}
