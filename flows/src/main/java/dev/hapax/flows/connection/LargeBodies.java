package dev.hapax.flows.connection;

import java.io.IOException;
import java.io.InputStream;

/** Where bodies go that are too large to be values of a step. */
@FunctionalInterface
public interface LargeBodies {
  /**
   * Reads the body to its end, or as far as it is willing to.
   *
   * @return what stands in its place
   * @throws IOException if it broke off
   */
  Object keep(InputStream body, String contentType) throws IOException;
}
