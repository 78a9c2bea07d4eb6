package dev.hapax.app.demo;

import java.io.IOException;
import java.net.URI;

/** The demo as its children see it. */
final class ParentProcess {
  private ParentProcess() {}

  /** The one line that the parent waits for. */
  static void tellReady(URI address) {
    System.out.println(address);
  }

  /** Returns when the parent has closed our standard input, or the kernel has after its kill -9. */
  static void awaitGone() {
    try {
      while (System.in.read() >= 0) {
        // what it says does not matter, only that it is there
      }
    } catch (IOException e) {
      // as good as the end
    }
  }
}
