package dev.hapax.app.secret.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Secrets from outside are read when they are needed, and a step waits while they cannot be had.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutsideSecretsTest {
  @TempDir Path folder;

  private final ManualTime time = new ManualTime();
  private final List<String> uses = new ArrayList<>();

  private OutsideSecrets sources(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("sources.yaml"), yaml);
    return SourcesFile.read(file, Map.of("SMTP_PASSWORD", "from the environment")::get, time);
  }

  private OutsideSecrets fileSource(Path file) throws IOException {
    return sources("secrets: {acme: {token: {file: \"%s\"}}}".formatted(file));
  }

  private String token(OutsideSecrets secrets) {
    return secrets.value("acme", "token", (tenant, name, event) -> uses.add(event));
  }

  private NotApplied refused(OutsideSecrets secrets) {
    NotApplied thrown = catchThrowableOfType(NotApplied.class, () -> token(secrets));
    assertThat(NoAnswer.behind(thrown)).as("it is no failed attempt").isNotNull();
    assertThat(thrown).hasMessageContaining("unavailable: secret 'token'");
    return thrown;
  }

  // ---- files and the environment

  @Test
  void a_file_is_read_without_the_line_end_at_its_end() throws IOException {
    Path file = folder.resolve("token");
    OutsideSecrets secrets = fileSource(file);
    for (var content :
        Map.of("a", "a", "b\n", "b", "c\r\n", "c", "d\n\n", "d\n", " e ", " e ").entrySet()) {
      Files.writeString(file, content.getKey());
      time.move(Duration.ofSeconds(1));
      assertThat(token(secrets)).isEqualTo(content.getValue());
    }
    assertThat(secrets.kindOf("acme", "token")).isEqualTo("file");
    assertThat(secrets.kindOf("rival", "token")).isNull();
    assertThat(secrets.kindOf("acme", "other")).isNull();
  }

  @Test
  void a_secret_that_kubernetes_replaces_is_used_within_a_second() throws IOException {
    // As the kubelet does it: token → ..data/token, ..data → ..2026_1, replaced by a rename.
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Files.writeString(Files.createDirectory(mount.resolve("..2026_1")).resolve("token"), "one\n");
    Files.createSymbolicLink(mount.resolve("..data"), Path.of("..2026_1"));
    Files.createSymbolicLink(mount.resolve("token"), Path.of("..data/token"));
    OutsideSecrets secrets = fileSource(mount.resolve("token"));
    assertThat(token(secrets)).isEqualTo("one");

    Files.writeString(Files.createDirectory(mount.resolve("..2026_2")).resolve("token"), "two\n");
    Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2026_2"));
    Files.move(
        mount.resolve("..data_tmp"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    time.move(Duration.ofSeconds(1));

    assertThat(token(secrets)).isEqualTo("two");
    assertThat(uses).containsExactly("read from file", "changed in file");
  }

  @Test
  void what_cannot_be_a_secret_is_not_used() throws IOException {
    Path file = folder.resolve("token");
    OutsideSecrets secrets = fileSource(file);
    refused(secrets);
    for (byte[] content :
        List.of(new byte[0], new byte[] {'\n'}, new byte[] {(byte) 0xff}, new byte[300_000])) {
      Files.write(file, content);
      time.move(Duration.ofMinutes(2));
      refused(secrets);
    }
    refused(fileSource(folder)); // a folder
    refused(fileSource(Path.of("/dev/zero"))); // never ends
    Files.writeString(file, "now it is one");
    time.move(Duration.ofMinutes(2));
    assertThat(token(secrets)).isEqualTo("now it is one");
  }

  @Test
  void the_pause_grows_while_a_secret_cannot_be_had() throws IOException {
    OutsideSecrets secrets = fileSource(folder.resolve("missing"));

    var pauses = new ArrayList<Long>();
    for (int i = 0; i < 8; i++) {
      Duration pause = Objects.requireNonNull(refused(secrets).retryAfter());
      pauses.add(pause.toSeconds());
      time.move(pause);
    }

    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    assertThat(uses).as("reported once").containsExactly("not available from file");
  }

  @Test
  void a_message_does_not_show_a_tenant_the_place() throws IOException {
    assertThat(refused(fileSource(folder.resolve("missing"))).getMessage())
        .doesNotContain(folder.toString());
  }

  @Test
  void a_variable_is_used_only_if_the_operator_names_it() throws IOException {
    OutsideSecrets secrets =
        sources("secrets: {acme: {token: {env: SMTP_PASSWORD}, other: {env: UNSET}}}");

    assertThat(token(secrets)).isEqualTo("from the environment");
    assertThat(
            catchThrowableOfType(
                NotApplied.class, () -> secrets.value("acme", "other", (_, _, _) -> {})))
        .hasMessageContaining("unavailable");
    assertThat(secrets.of("acme"))
        .containsExactly(Map.entry("other", "environment"), Map.entry("token", "environment"));
    assertThat(secrets.of("rival")).isEmpty();
  }

  // ---- helpers

  private OutsideSecrets helper(String script, String timeout) throws IOException {
    Path program = folder.resolve("helper");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return sources(
        """
        helpers: {store: {command: ["%s", --quiet], timeout: %s, cache: 1m}}
        secrets: {acme: {token: {helper: store, key: team/bank token}}}
        """
            .formatted(program, timeout));
  }

  @Test
  void a_helper_is_asked_as_docker_asks_its_own() throws IOException {
    OutsideSecrets secrets =
        helper(
            """
            read -r name
            echo "$1 $2 $name" >> calls
            printf '{"ServerURL": "x", "Username": "u", "Secret": "a\\\\"b\\\\u00e4"}'"""
                .replace("calls", folder.resolve("calls").toString()),
            "10s");

    assertThat(token(secrets)).isEqualTo("a\"bä");
    assertThat(token(secrets)).isEqualTo("a\"bä");
    time.move(Duration.ofMinutes(1));
    assertThat(token(secrets)).isEqualTo("a\"bä");

    assertThat(Files.readAllLines(folder.resolve("calls")))
        .as("once a minute")
        .containsExactly("--quiet get team/bank token", "--quiet get team/bank token");
    assertThat(uses).containsExactly("read from helper");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exit 1",
        "echo credentials not found; exit 1",
        "echo '{\"Secret\": \"x\"}'; exit 3",
        "echo '{\"Secret\": \"x\"}'; kill -9 $$",
        "echo",
        "echo garbage",
        "echo '{\"Secret\": 7}'",
        "echo '{\"secret\": \"x\"}'",
        "echo '[\"Secret\"]'",
        "echo '{\"Secret\": \"\"}'",
        "head -c 300000 /dev/zero",
        "yes",
        "sleep 60",
        "echo '{\"Secret\": \"x\"}'; sleep 60",
        "trap '' TERM; sleep 60 & wait",
        "exec 1>&-; sleep 60"
      })
  void a_helper_that_fails_makes_the_step_wait(String script) throws IOException {
    OutsideSecrets secrets = helper(script, "300ms");
    long before = System.nanoTime();

    NotApplied refused = refused(secrets);

    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void a_helper_that_is_missing_makes_the_step_wait() throws IOException {
    refused(
        sources(
            "helpers: {a: {command: [/nowhere/at/all]}}\nsecrets: {acme: {token: {helper: a, key: k}}}"));
  }

  @Test
  void an_answer_counts_although_a_grandchild_keeps_the_output_open() throws IOException {
    assertThat(token(helper("sleep 20 & echo '{\"Secret\": \"x\"}'", "10s"))).isEqualTo("x");
  }

  @Test
  void a_helper_does_not_see_the_settings_of_the_server() throws IOException {
    String seen =
        token(helper("printf '{\"Secret\": \"%s\"}' \"$(env | grep -c ^HAPAX_)\"", "10s"));
    assertThat(seen).isEqualTo("0");
  }

  @Test
  void many_steps_ask_a_helper_once() throws Exception {
    Path calls = folder.resolve("calls");
    OutsideSecrets secrets =
        helper("echo x >> '%s'; echo '{\"Secret\": \"x\"}'".formatted(calls), "10s");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> ask = () -> secrets.value("acme", "token", (_, _, _) -> {});
      for (var answer : threads.invokeAll(Collections.nCopies(50, ask))) {
        assertThat(answer.get()).isEqualTo("x");
      }
    }

    assertThat(Files.readAllLines(calls)).hasSize(1);
  }

  @Test
  void a_value_that_cannot_be_audited_is_not_used() throws IOException {
    OutsideSecrets secrets = fileSource(Files.writeString(folder.resolve("token"), "x"));

    assertThat(
            catchThrowableOfType(
                IllegalStateException.class,
                () ->
                    secrets.value(
                        "acme",
                        "token",
                        (_, _, _) -> {
                          throw new IllegalStateException("the log is away");
                        })))
        .isNotNull();
    assertThat(token(secrets)).isEqualTo("x");
    assertThat(uses).containsExactly("read from file");
  }

  // ---- the file of sources

  @Test
  void all_problems_of_the_file_are_reported_at_once() {
    var thrown =
        catchThrowableOfType(
            IllegalStateException.class,
            () ->
                sources(
                    """
                    helpers:
                      one: {command: [pass]}
                      two: {command: [/usr/bin/x], timeout: 10m, sometimes: true}
                    secrets:
                      ../server: {a: {file: /a}}
                      acme:
                        a: {file: relative}
                        b: {env: HAPAX_STORE_PASSWORD}
                        c: {env: "X Y"}
                        d: {helper: nobody, key: k}
                        e: {file: /x, env: Y}
                        f: {}
                        "g/h": {file: /x}
                        i: {helper: two, key: "a\\nb"}
                    others: {}
                    """));

    assertThat(String.valueOf(thrown.getMessage()).lines())
        .hasSize(13)
        .anyMatch(line -> line.contains(":2:") && line.contains("absolute path"))
        .anyMatch(line -> line.contains(":3:") && line.contains("duration up to 15s"))
        .anyMatch(line -> line.contains("'sometimes' is unknown"))
        .anyMatch(line -> line.contains("'../server' is no name of a tenant"))
        .anyMatch(line -> line.contains("HAPAX_SECRET_"))
        .anyMatch(line -> line.contains("'others' is unknown"));
  }

  @Test
  void without_a_file_no_secret_is_from_outside() {
    assertThat(SourcesFile.read(null, time).kindOf("default", "x")).isNull();
  }
}
