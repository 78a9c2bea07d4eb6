package dev.hapax.app.disk;

import dev.hapax.testkit.fault.LoopDisk;
import dev.hapax.testkit.fault.Strace;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** What this machine lets a test do; what it does not is skipped where everybody sees it. */
final class Machine {
  private Machine() {}

  static void hasLoopDisks(Path directory) throws InterruptedException {
    skipIf(LoopDisk.obstacle(directory));
  }

  static void hasStrace() throws IOException, InterruptedException {
    skipIf(Strace.obstacle());
  }

  private static void skipIf(@Nullable String obstacle) {
    if (obstacle != null) {
      System.out.println("SKIPPED: " + obstacle);
      Assumptions.abort(obstacle);
    }
  }
}
