package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script for other machines, run by this machine's shell: what it finds may be from before. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class JobLauncherTest {
  private static final String TOKEN = "abc123";
  private static final Duration KEEP = Duration.ofDays(7);
  private static final Duration WAIT = Duration.ofSeconds(30);

  @TempDir Path home;

  /** What the script said: the line with the state, and the outputs. */
  private record Said(Launcher.@Nullable Head head, String text) {}

  private Said sh(String script) throws Exception {
    Path out = Files.createTempFile(home, "said", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-s").redirectOutput(out.toFile()).redirectErrorStream(true);
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(out);
    Launcher.Head head = null;
    for (String line : text.lines().toList()) {
      head = head == null ? Launcher.Head.of(line, TOKEN) : head;
    }
    return new Said(head, text);
  }

  private Said start(String command) throws Exception {
    var order = RemoteOrder.Start.of(TOKEN, command, List.of(), false);
    return sh(Launcher.start(order, WAIT, 1_000, KEEP));
  }

  private Said look() throws Exception {
    return sh(Launcher.look(TOKEN, Duration.ZERO, 1_000));
  }

  private static RemoteState state(Said said) {
    return Objects.requireNonNull(said.head(), said.text()).state();
  }

  private Path job() {
    return home.resolve(".hapax/jobs").resolve(TOKEN);
  }

  private Path stale(String... files) throws IOException {
    Files.createDirectories(job());
    for (int i = 0; i < files.length; i += 2) {
      Files.writeString(job().resolve(files[i]), files[i + 1]);
    }
    return job();
  }

  private long runs() throws IOException {
    Path ran = home.resolve("ran");
    return Files.exists(ran) ? Files.readAllLines(ran).size() : 0;
  }

  @Test
  void many_starts_at_once_are_one_job() throws Exception {
    List<Callable<Said>> starts = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      starts.add(() -> start("echo ran >> ran; sleep 0.3; echo done"));
    }
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Said> said : callers.invokeAll(starts)) {
        assertThat(state(said.get())).isEqualTo(RemoteState.ENDED);
        assertThat(said.get().text()).endsWith("done\n");
      }
    }
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_folder_that_was_made_and_no_more_begins_its_job() throws Exception {
    stale();
    assertThat(state(look())).isEqualTo(RemoteState.WAITING);

    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.ENDED);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_job_that_was_written_down_and_did_not_begin_begins() throws Exception {
    stale("command", "echo ran >> ran\n", "command.77", "half of someth");

    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.ENDED);
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_command_that_was_cut_off_is_never_run() throws Exception {
    stale("command", "echo ran >> ra");

    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.CONFLICT);
    assertThat(runs()).isZero();
    assertThat(home.resolve("ra")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n", "4194303\n1\n", "0\nnever\n", "1\n", "-1\n2\n", "x; touch hacked\n2\n"})
  void a_claim_of_nobody_is_a_job_that_is_lost_and_begins_never_again(String claim)
      throws Exception {
    stale("command", "echo ran >> ran\n", "claim", claim);

    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.LOST);
    assertThat(state(look())).isEqualTo(RemoteState.LOST);
    assertThat(runs()).isZero();
    assertThat(home.resolve("hacked")).doesNotExist();
  }

  @Test
  void another_process_with_the_number_of_the_job_is_not_the_job() throws Exception {
    long other = ProcessHandle.current().pid(); // alive, and began at another time
    stale("command", "echo ran >> ran\n", "claim", other + "\n1\n");

    assertThat(state(look())).isEqualTo(RemoteState.LOST);
    assertThat(state(sh(Launcher.cancel(TOKEN)))).isEqualTo(RemoteState.CANCELED);
    assertThat(ProcessHandle.current().isAlive()).isTrue();
  }

  @Test
  void a_job_that_was_canceled_before_it_began_never_begins() throws Exception {
    stale("command", "echo ran >> ran\n");

    assertThat(state(sh(Launcher.cancel(TOKEN)))).isEqualTo(RemoteState.CANCELED);
    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.CANCELED);
    assertThat(runs()).isZero();
  }

  @Test
  void a_job_that_ends_just_before_it_is_marked_as_canceled_has_ended() throws Exception {
    String untilTold = "until [ -e go ]; do sleep 0.1; done; echo ran >> ran";
    var order = RemoteOrder.Start.of(TOKEN, untilTold, List.of(), false);
    String mark = ": > \"$job/canceled\"";
    String lateMark = "touch \"$HOME/go\"; await 300; " + mark;
    String late = Launcher.cancel(TOKEN).replace(mark, lateMark);
    assertThat(late).contains(lateMark);

    assertThat(state(sh(Launcher.start(order, Duration.ZERO, 0, KEEP))))
        .isEqualTo(RemoteState.RUNNING);
    assertThat(state(sh(late))).isEqualTo(RemoteState.ENDED);
    assertThat(state(look())).isEqualTo(RemoteState.ENDED);
    assertThat(job().resolve("canceled")).exists();
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void a_job_that_is_canceled_while_it_runs_is_canceled() throws Exception {
    var order = RemoteOrder.Start.of(TOKEN, "sleep 60; echo ran >> ran", List.of(), false);

    assertThat(state(sh(Launcher.start(order, Duration.ZERO, 0, KEEP))))
        .isEqualTo(RemoteState.RUNNING);
    assertThat(state(sh(Launcher.cancel(TOKEN)))).isEqualTo(RemoteState.CANCELED);
    assertThat(state(look())).isEqualTo(RemoteState.CANCELED);
    assertThat(runs()).isZero();
  }

  @Test
  void a_job_that_an_earlier_version_canceled_is_canceled() throws Exception {
    Path old = stale("command", "echo ran >> ran\n", "claim", "0\nnever\n", "exit", "143\n");
    assertThat(state(look())).isEqualTo(RemoteState.ENDED);

    Files.writeString(old.resolve("canceled"), "");

    assertThat(state(look())).isEqualTo(RemoteState.CANCELED);
  }

  @Test
  void a_machine_that_cannot_write_refuses_and_begins_nothing() throws Exception {
    Files.writeString(home.resolve(".hapax"), "a file where the folder should be");

    assertThat(state(start("echo ran >> ran"))).isEqualTo(RemoteState.REFUSED);
    assertThat(runs()).isZero();
  }

  @Test
  void a_script_that_is_cut_off_anywhere_begins_nothing() throws Exception {
    var order = RemoteOrder.Start.of(TOKEN, "echo ran >> 'ran'", List.of("it's", "b"), false);
    String script = Launcher.start(order, WAIT, 1_000, KEEP);
    int last = script.lastIndexOf("{ launch start");
    List<Integer> ends = new ArrayList<>(List.of(0, 500, 2_000, last - 3));
    for (int end = last; end < script.length() - 2; end++) {
      ends.add(end);
    }

    for (int end : ends) {
      sh(script.substring(0, end));
      assertThat(job()).as("cut at '%s'", script.substring(0, end)).doesNotExist();
    }
    assertThat(state(sh(script))).isEqualTo(RemoteState.ENDED);
    assertThat(runs()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hapax-job abc123 ended 0 -1 0 0 0",
        "hapax-job abc123 ended 0 0 0 9 -9",
        "hapax-job abc123 ended 0 5 6 0 0",
        "hapax-job abc123 ended zero 0 0 0 0",
        "hapax-job abc123 ended 99999999999 0 0 0 0",
        "hapax-job abc123 ended 0 1e9 0 0 0",
        "hapax-job abc123 ended - 0 0 0 0",
        "hapax-job abc123 done 0 0 0 0 0"
      })
  void a_line_that_cannot_be_true_is_no_answer(String line) {
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> Launcher.Head.of(line, TOKEN))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be read");
  }
}
