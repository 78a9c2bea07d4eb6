package dev.hapax.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a user runs it, in processes of its own, killed by hand and started again. */
@Timeout(240)
@Tag("crash")
class DemoTest {
  private static final int ORDERS = 30;
  private static final int KILLS = 10;

  @TempDir private Path folder;
  private final List<ProcessHandle> started = new ArrayList<>();
  private Path output = Path.of("unset");

  @BeforeEach
  void useTheFolder() {
    output = folder.resolve("output.json");
  }

  @AfterEach
  void stopWhatWasStarted() {
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void the_books_agree_after_the_whole_demo_was_killed_at_ten_random_moments() throws Exception {
    long seed = new Random().nextLong(1, 1_000_000);
    var random = new Random(seed);

    for (int kills = 0; kills < KILLS; kills++) {
      Process demo = start(seed);
      demo.waitFor(random.nextLong(300, 6_000), TimeUnit.MILLISECONDS);
      killTree(demo);
    }
    Process last = start(seed);

    assertThat(last.waitFor(120, TimeUnit.SECONDS)).as("the demo with seed %d ends", seed).isTrue();
    String report = Files.readString(output);
    assertThat(last.exitValue()).as("exit code of seed %d: %s", seed, report).isZero();
    assertThat(report)
        .contains(
            "\"ok\":true", "\"orders\":" + ORDERS, "\"charges\":" + ORDERS, "\"duplicates\":0");
  }

  private Process start(long seed) throws IOException {
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo",
                "--json",
                "--orders",
                Integer.toString(ORDERS),
                "--seed",
                Long.toString(seed),
                "--data",
                folder.resolve("data").toString())
            .redirectOutput(output.toFile())
            .redirectError(folder.resolve("progress.txt").toFile())
            .start();
    started.add(demo.toHandle());
    return demo;
  }

  /** The parent first, so that it cannot start a child again while we kill the old one. */
  private void killTree(Process demo) throws InterruptedException {
    List<ProcessHandle> children = demo.descendants().toList();
    started.addAll(children);
    demo.destroyForcibly().waitFor();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
