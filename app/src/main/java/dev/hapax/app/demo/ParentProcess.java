package dev.hapax.app.demo;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** The demo as its children see it. */
public final class ParentProcess {
  private ParentProcess() {}

  /**
   * Waits until no other child holds this: one whose parent was killed needs a moment to notice.
   */
  public static Closeable alone(Path lock) throws IOException {
    return FileHold.take(lock);
  }

  /** Prints the one line that the parent waits for. */
  public static void tellReady(URI address) {
    System.out.println(address);
  }

  /** Returns when the parent closes our standard input, or the kernel does so after its kill -9. */
  public static void awaitGone() {
    try {
      while (System.in.read() >= 0) {
        // the content does not matter
      }
    } catch (IOException e) {
      // as good as the end
    }
  }
}
