package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.password.AcceptAllPasswordAuthenticator;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine with the right key that means ill: it floods, is silent and lies about what follows.
 * Nothing that it says makes a job count as done, and nothing that it sends is kept in memory.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
class HostileHostTest {
  private static final String FLOW =
      """
      flow: job
      key: ${input.id}
      steps:
        - id: work
          ssh: {connection: host, run: "true", args: ["case-${input.id}"]}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          timeout: 3s
          retry: {attempts: 1}
      output: ${steps.work.output}
      """;
  private static final Pattern ORDER =
      Pattern.compile("launch start ([a-z0-9]+) .*case-([a-z-]+)", Pattern.DOTALL);

  /** The script did not even say its first words. */
  private static final String NOTHING_BEGAN = "before-hello";

  /** What the machine does after it has read the script. */
  @FunctionalInterface
  private interface Malice {
    void act(String token, OutputStream out, OutputStream err) throws IOException;
  }

  private static final Map<String, Malice> CASES = new LinkedHashMap<>();

  static {
    CASES.put("silent", (_, out, _) -> flood(out, "", false));
    CASES.put("flood", (_, out, _) -> flood(out, "x".repeat(1 << 16), true));
    CASES.put("flood-lines", (_, out, _) -> flood(out, "x\n".repeat(1 << 15), true));
    CASES.put("flood-errors", (_, _, err) -> flood(err, "x".repeat(1 << 16), true));
    CASES.put(
        "flood-after-hello",
        (_, out, _) -> {
          say(out, "hapax-launcher\n");
          flood(out, "x".repeat(1 << 16), true);
        });
    CASES.put("no-output", (token, out, _) -> head(out, token, "ended 0 10 10 0 0"));
    CASES.put(
        "terabyte",
        (token, out, _) -> {
          head(out, token, "ended 0 %1$d %1$d 0 0".formatted(1L << 40));
          flood(out, "x".repeat(1 << 16), true);
        });
    CASES.put("less-than-nothing", (token, out, _) -> head(out, token, "ended 0 -1 -1 0 0"));
    CASES.put("no-exit-code", (token, out, _) -> head(out, token, "ended - 0 0 0 0"));
    CASES.put("other-job", (_, out, _) -> head(out, "another", "ended 0 0 0 0 0"));
    CASES.put("other-state", (token, out, _) -> head(out, token, "fine 0 0 0 0 0"));
    CASES.put(
        NOTHING_BEGAN, (token, out, _) -> say(out, "hapax-job " + token + " ended 0 0 0 0 0\n"));
  }

  @TempDir Path folder;

  private static void say(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void head(OutputStream out, String token, String rest) throws IOException {
    say(out, "hapax-launcher\nhapax-job %s %s\n".formatted(token, rest));
  }

  /** Until the other side has gone. */
  private static void flood(OutputStream out, String text, boolean isLoud) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    while (isLoud) {
      out.write(bytes);
      out.flush();
    }
    try {
      Thread.sleep(Duration.ofMinutes(3)); // interrupted when its channel is closed
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** A shell that only pretends. */
  private static final class Shell extends AbstractCommandSupport {
    Shell(String command) {
      super(command, null);
    }

    @Override
    public void run() {
      try {
        Matcher order = ORDER.matcher(script(getInputStream()));
        if (order.find()) {
          CASES
              .getOrDefault(order.group(2), Shell::honest)
              .act(order.group(1), getOutputStream(), getErrorStream());
        }
        onExit(0);
      } catch (IOException e) {
        onExit(1);
      }
    }

    private static void honest(String token, OutputStream out, OutputStream err)
        throws IOException {
      head(out, token, "ended 0 5 5 0 0");
      say(out, "done\n");
      err.flush();
    }

    private static String script(InputStream in) throws IOException {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void nothing_that_a_hostile_machine_says_is_a_result() throws Exception {
    try (SshServer host = SshServer.setUpDefaultServer()) {
      var keys = new SimpleGeneratorHostKeyProvider(folder.resolve("host"));
      keys.setAlgorithm("EC");
      keys.setKeySize(256);
      host.setKeyPairProvider(keys);
      host.setHost("127.0.0.1");
      host.setPort(0);
      host.setPasswordAuthenticator(AcceptAllPasswordAuthenticator.INSTANCE);
      host.setCommandFactory((_, command) -> new Shell(command));
      host.start();
      String key =
          KeyUtils.getFingerPrint(
              BuiltinDigests.sha256, keys.loadKeys(null).iterator().next().getPublic());
      Connection machine =
          new Connection.Ssh(
              "host",
              "127.0.0.1",
              host.getPort(),
              "ann",
              Set.of(key),
              null,
              null,
              "password",
              Duration.ofSeconds(5),
              Connection.Ssh.USUAL_KEEP,
              Set.of("127.0.0.1"),
              ConnectionLimits.NONE);
      try (FlowFiles files =
              FlowFiles.with(Ports.system())
                  .connections(_ -> Optional.of(machine))
                  .secrets(_ -> Optional.of("nothing"))
                  .open();
          Hapax hapax = Hapax.open(folder.resolve("store.db"), HapaxOptions.DEFAULT)) {
        LoadedFlow flow = files.load("job.yaml", FLOW, 1);
        files.register(hapax, flow);
        Map<String, RunHandle<Object>> runs = new LinkedHashMap<>();
        CASES.keySet().forEach(name -> runs.put(name, flow.start(hapax, Map.of("id", name))));

        runs.forEach(
            (name, run) ->
                assertThatThrownBy(run::await)
                    .as(name)
                    .isInstanceOf(
                        name.equals(NOTHING_BEGAN) ? RunFailed.class : RunInReview.class));

        Object output = flow.start(hapax, Map.of("id", "honest")).await();
        assertThat(output).isEqualTo(Map.of("exit", 0, "stdout", "done\n", "stderr", ""));
        assertThat(runs).hasSizeGreaterThan(10);
      }
    }
  }
}
