package dev.hapax.examples.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example as a user runs it: a process that is killed and started again. */
@Timeout(60)
@Tag("crash")
class OrdersTest {
  @TempDir private Path folder;
  private @Nullable Process process;

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Test
  void an_order_whose_process_is_killed_after_the_charge_is_charged_and_mailed_once()
      throws Exception {
    Process first = start();
    awaitLine(first, "charge ");
    first.destroyForcibly().waitFor();

    assertThat(runToEnd()).contains("order A-1001 is known").contains("done: Receipt");

    assertThat(provider()).hasSize(2);
    assertThat(provider().getFirst()).startsWith("charge ").endsWith(" A-1001 4000");
    assertThat(provider().getLast()).startsWith("mail ").endsWith(" ada@example.com");
  }

  @Test
  void an_order_that_is_started_twice_is_charged_and_mailed_once() throws Exception {
    assertThat(runToEnd()).contains("order A-1001 is accepted");

    assertThat(runToEnd()).contains("order A-1001 is known").contains("done: Receipt");

    assertThat(provider()).hasSize(2);
  }

  private Process start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Orders.class.getName())
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return process;
  }

  private String runToEnd() throws Exception {
    Process run = start();
    String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(run.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).as(output).isZero();
    return output;
  }

  private static void awaitLine(Process run, String start) throws IOException {
    BufferedReader lines = run.inputReader();
    for (String line; (line = lines.readLine()) != null; ) {
      if (line.startsWith(start)) {
        return;
      }
    }
    throw new AssertionError("the process ended before it printed '" + start + "'");
  }

  private List<String> provider() throws IOException {
    return Files.readAllLines(folder.resolve("provider.log"));
  }
}
