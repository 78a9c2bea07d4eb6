package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.TrialStage;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.FaultProxy;
import dev.hapax.testkit.fault.SshServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real OpenSSH server, which fails in every way that a remote machine can. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
class RemoteJobTest {
  private static final String FLOW =
      """
      flow: job
      key: ${input.id}
      steps:
        - id: work
          ssh:
            connection: host
            run: sh ./work
            args: ${input.args}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          timeout: 10s
          retry: {attempts: 20, delay: 100ms, maxDelay: 300ms, within: 5m}
      output: ${steps.work.output}
      """;

  @TempDir Path folder;
  private SshServer host;
  private FaultProxy proxy;
  private FlowFiles files;
  private Hapax hapax;
  private final Map<String, LoadedFlow> flows = new HashMap<>();
  private volatile Connection.Ssh connection;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(SshServer.isInstalled(), "no /usr/sbin/sshd: apt-get install openssh-server");
    host = SshServer.start(Files.createDirectory(folder.resolve("ssh")));
    proxy = FaultProxy.before(host.port());
    connection = connection(proxy.port(), host.fingerprint());
    files =
        FlowFiles.with(Ports.system())
            .connections(_ -> Optional.of(connection))
            .secrets(name -> Optional.of(secret(name)))
            .open();
    hapax = Hapax.open(folder.resolve("store.db"), HapaxOptions.DEFAULT);
  }

  @AfterEach
  void stop() throws Exception {
    if (hapax != null) {
      hapax.close();
      files.close();
      proxy.close();
      host.close();
    }
  }

  private String secret(String name) {
    try {
      return name.equals("key") ? host.key() : "nothing";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Connection.Ssh connection(int port, String... hostKeys) {
    return new Connection.Ssh(
        "host",
        "127.0.0.1",
        port,
        host.user(),
        Set.of(hostKeys),
        "key",
        null,
        null,
        Duration.ofSeconds(5),
        Connection.Ssh.USUAL_KEEP,
        Set.of("127.0.0.1"),
        ConnectionLimits.NONE);
  }

  /** The script of the job, which notes each time that it runs. */
  private void script(String text) throws IOException {
    Files.writeString(host.home().resolve("work"), "echo ran >> ran\n" + text);
  }

  private long runs() throws IOException {
    Path ran = host.home().resolve("ran");
    return Files.exists(ran) ? Files.readAllLines(ran).size() : 0;
  }

  private RunHandle<Object> run(String text, String id, Object... args) {
    LoadedFlow flow =
        flows.computeIfAbsent(
            text,
            _ -> {
              LoadedFlow loaded = files.load("job.yaml", text, flows.size() + 1);
              files.register(hapax, loaded);
              return loaded;
            });
    return flow.start(hapax, Map.of("id", id, "args", List.of(args)));
  }

  private static @Nullable Object member(@Nullable Object value, String name) {
    return value instanceof Map<?, ?> map ? map.get(name) : null;
  }

  /** Another process makes it true. */
  private static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(20);
    }
  }

  private void await(String file) throws Exception {
    until(() -> Files.exists(host.home().resolve(file)));
  }

  // ---- what a job is

  @Test
  void each_argument_arrives_as_it_is() throws Exception {
    script("for arg; do printf '[%s]' \"$arg\"; done; echo 'to stderr' >&2");

    Object output =
        run(FLOW, "1", "a b", "", "'; touch hacked; '", "$(touch hacked)", "`id`\n\"x\"", "ü€", 7)
            .await();

    assertThat(member(output, "exit")).isEqualTo(0);
    assertThat(member(output, "stdout"))
        .isEqualTo("[a b][]['; touch hacked; '][$(touch hacked)][`id`\n\"x\"][ü€][7]");
    assertThat(member(output, "stderr")).isEqualTo("to stderr\n");
    assertThat(host.home().resolve("hacked")).doesNotExist();
  }

  @Test
  void an_argument_cannot_leave_a_command_that_is_not_closed() throws Exception {
    String open = FLOW.replace("run: sh ./work", "run: \"echo '\"");

    assertThatThrownBy(() -> run(open, "1", "; touch hacked; echo '").await())
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("exit");

    assertThat(host.home().resolve("hacked")).doesNotExist();
  }

  @Test
  void another_exit_code_fails_the_step_with_the_last_words() throws Exception {
    script("echo begun; echo 'no such repository' >&2; exit 3");

    assertThatThrownBy(() -> run(FLOW, "1").await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("exit-3"))
        .hasMessageContaining("no such repository");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_hundred_megabytes_stall_nothing_and_are_not_kept() throws Exception {
    script("head -c 100000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero | tr '\\0' y >&2");

    Object output = run(FLOW.replace("timeout: 10s", "timeout: 60s"), "1").await();

    assertThat(String.valueOf(member(output, "stdout"))).contains("was not kept", "100,000,000");
    assertThat(String.valueOf(member(member(output, "stderr"), "ref"))).startsWith("res://");
    assertThat(String.valueOf(member(member(output, "stderr"), "bytes"))).isEqualTo("3000000");
  }

  // ---- what can go wrong

  @Test
  void a_connection_that_is_cut_anywhere_leads_to_one_job() throws Exception {
    script("sleep 0.3; echo done");
    int id = 0;
    int happened = 0;
    for (FaultProxy.Fault fault :
        List.of(FaultProxy.Fault.CUT_REQUEST, FaultProxy.Fault.CUT_ANSWER)) {
      for (long after : List.of(10L, 1_500L, 2_500L, 3_000L, 3_500L, 4_500L, 6_500L, 8_500L)) {
        Files.deleteIfExists(host.home().resolve("ran"));
        proxy.failAfter(fault, after);

        Object output = run(FLOW, "cut-" + ++id).await();

        assertThat(member(output, "stdout")).as("%s after %d", fault, after).isEqualTo("done\n");
        assertThat(runs()).as("%s after %d", fault, after).isEqualTo(1);
        happened += proxy.disarm() ? 0 : 1;
      }
    }
    assertThat(happened).isGreaterThan(7); // the others were after the last byte
  }

  @Test
  void a_server_that_dies_between_start_and_answer_has_begun_one_job() throws Exception {
    script("touch begun; sleep 2; echo done");
    RunHandle<Object> run = run(FLOW, "1");
    await("begun");

    host.kill();
    host.start();

    assertThat(member(run.await(), "stdout")).isEqualTo("done\n");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_host_with_another_key_gets_nothing() throws Exception {
    script("echo done");
    String old = host.fingerprint();
    host.newHostKey();
    host.kill();
    host.start();
    String once = FLOW.replace("attempts: 20", "attempts: 1");

    assertThatThrownBy(() -> run(once, "1").await())
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining(host.fingerprint())
        .hasMessageContaining("hostKeys");
    assertThat(runs()).isZero();

    connection = connection(proxy.port(), old, host.fingerprint()); // while the key is replaced
    assertThat(member(run(once, "2").await(), "stdout")).isEqualTo("done\n");
  }

  @Test
  void a_host_that_stops_in_the_middle_costs_only_the_attempts_time() throws Exception {
    script("echo done");
    host.signal("STOP");
    String quick = FLOW.replace("timeout: 10s", "timeout: 1s");
    RunHandle<Object> run = run(quick, "1");
    until(() -> hapax.run(run.id()).status() == RunStatus.WAITING); // for its next attempt

    host.signal("CONT");

    assertThat(member(run.await(), "stdout")).isEqualTo("done\n");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_wrong_key_is_refused_once() throws Exception {
    Files.writeString(folder.resolve("ssh/authorized"), "");

    assertThatThrownBy(() -> run(FLOW, "1").await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("ssh-login"));
  }

  @Test
  void a_job_that_was_killed_waits_for_a_person() throws Exception {
    script("touch begun; sleep 60");
    RunHandle<Object> run = run(FLOW, "1");
    await("begun");
    String runner = Files.readAllLines(host.jobs().getFirst().resolve("claim")).getFirst();

    new ProcessBuilder("kill", "-KILL", "--", "-" + runner).inheritIO().start().waitFor();

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void an_address_in_a_private_network_is_refused() {
    Connection.Ssh open = connection;
    connection =
        new Connection.Ssh(
            open.name(),
            open.host(),
            open.port(),
            open.user(),
            open.hostKeys(),
            open.key(),
            null,
            null,
            open.connectTimeout(),
            open.keep(),
            Set.of(),
            open.limits());

    assertThatThrownBy(() -> run(FLOW, "1").await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("address-refused"));
  }

  // ---- cancel

  @Test
  void a_canceled_run_ends_its_job_and_all_its_processes() throws Exception {
    script("sleep 61 & echo $! > child; touch begun; wait");
    RunHandle<Object> run = run(FLOW.replace("timeout: 10s", "timeout: 2m"), "1");
    await("begun");
    long child = Long.parseLong(Files.readString(host.home().resolve("child")).strip());
    assertThat(ProcessHandle.of(child)).isPresent();

    hapax.cancel(run.id(), "ann", "not wanted");

    assertThatThrownBy(run::await);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.CANCELED);
    ProcessHandle.of(child).ifPresent(process -> process.onExit().join());
    assertThat(runs()).isEqualTo(1);
  }

  private static final String DETACHED =
      """
      flow: job
      key: ${input.id}
      onFailure: compensate
      steps:
        - id: begin
          ssh: {connection: host, run: sh ./work, args: "${input.args}", detach: true}
          effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.job}"}
          compensate:
            ssh: {connection: host, cancel: "${steps.begin.externalId}"}
        - id: pause
          wait: {for: 300ms}
        - id: result
          ssh: {connection: host, job: "${steps.begin.output.job}"}
          timeout: 3s
        - id: end
          when: ${steps.result.output.state != 'ended'}
          fail: {code: late, message: "it is ${steps.result.output.state}"}
      output: ${steps.result.output}
      """;

  @Test
  void a_detached_job_is_read_later() throws Exception {
    script("echo \"$1\"; exit 4");

    Object output = run(DETACHED, "1", "hello").await();

    assertThat(Json.write(output))
        .isEqualTo("{\"state\":\"ended\",\"exit\":4,\"stdout\":\"hello\\n\",\"stderr\":\"\"}");
  }

  @Test
  void the_compensation_cancels_a_detached_job() throws Exception {
    script("echo $$ > pid; touch begun; sleep 60");
    RunHandle<Object> run = run(DETACHED, "1");
    await("begun");

    assertThatThrownBy(run::await);

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    Path job = host.jobs().getFirst();
    assertThat(job.resolve("canceled")).exists();
    long pid = Long.parseLong(Files.readString(host.home().resolve("pid")).strip());
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
  }

  // ---- the test of a connection

  @Test
  void the_test_of_a_connection_goes_as_far_as_the_launcher() throws Exception {
    TrialReport report = files.tryConnection("host").orElseThrow();

    assertThat(report.stages()).extracting(TrialStage::stage).contains("host key", "launcher");
    assertThat(report.toString()).doesNotContain("PRIVATE KEY");
    assertThat(host.jobs()).isEmpty();
  }
}
