package dev.hapax.app.crash.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.CrashPoint;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.SinkLog;
import dev.hapax.testkit.fault.SinkProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A store, a sink and the parties outside, which live as long as a test, while one process after
 * another dies between them. For one thread.
 */
final class AgencySite implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** After a long run there is much to be brought to its end. */
  private static final Duration LONGEST_END = Duration.ofMinutes(5);

  private static final Duration GLANCE = Duration.ofMillis(10);

  /** Two of each kind in every life, and those of the life before once more. */
  private static final int NEW_CASES = 2 * Case.Kind.values().length;

  private final Path directory;
  private final SinkProcess sink;
  private final Outside outside;
  private final Instant beginning = Instant.now();
  private int cases;

  private AgencySite(Path directory, SinkProcess sink, Outside outside) {
    this.directory = directory;
    this.sink = sink;
    this.outside = outside;
  }

  static AgencySite open(Path directory, SinkFaults faults)
      throws IOException, InterruptedException {
    if (!ChildProcess.isRehearsed(AgencyProcess.class)) {
      try (AgencySite site = make(Files.createTempDirectory(directory, "rehearsal"), faults)) {
        site.rehearse();
      }
    }
    return make(directory, faults);
  }

  private static AgencySite make(Path directory, SinkFaults faults)
      throws IOException, InterruptedException {
    Path log = Files.createFile(log(directory));
    SinkProcess sink = SinkProcess.start(directory, log, faults);
    return new AgencySite(directory, sink, new Outside(new SinkLog.Tail(log), faults.seed()));
  }

  private static Path log(Path directory) {
    return directory.resolve("sink.log");
  }

  private Path store() {
    return directory.resolve("agency.db");
  }

  /** A process that dies by itself at this point. */
  void dieAt(String point) throws IOException, InterruptedException {
    String option = "-D" + CrashPoint.PROPERTY + "=" + point + ":1";
    try (ChildProcess child = nextLife(option)) {
      heartbeat(child, () -> false, LONGEST);
      int exit = child.awaitExit(Duration.ZERO);
      // A boundary that is never reached would prove nothing.
      assertThat(child.lines()).as("%s", child).contains(CrashPoint.LAST_WORD + point);
      assertThat(exit).isEqualTo(ChildProcess.KILLED);
    }
  }

  /** A process that is killed after this time, counted from its start or from its first words. */
  void killAfter(Duration time, boolean fromFirstWords) throws IOException, InterruptedException {
    try (ChildProcess child = nextLife()) {
      if (fromFirstWords) {
        heartbeat(child, () -> !child.lines().isEmpty(), LONGEST);
      }
      heartbeat(child, () -> false, time);
      assertThat(child.kill()).as("%s", child).isEqualTo(ChildProcess.KILLED);
      outside.heartbeat(child);
    }
  }

  private ChildProcess nextLife(String... options) throws IOException {
    int from = Math.max(0, cases - NEW_CASES);
    cases += NEW_CASES;
    return start(from, false, options);
  }

  private ChildProcess start(int from, boolean settles, String... options) throws IOException {
    List<String> words = words(from, settles);
    ChildProcess child =
        ChildProcess.start(directory, AgencyProcess.class, List.of(options), words);
    outside.greet(child);
    return child;
  }

  private List<String> words(int from, boolean settles) {
    return new AgencyArguments(store(), sink.port(), beginning, from, cases, settles).words();
  }

  private void rehearse() throws IOException, InterruptedException {
    cases = NEW_CASES;
    ChildProcess.rehearse(
        directory,
        AgencyProcess.class,
        words(0, true),
        child -> {
          outside.greet(child);
          settle(child);
        });
  }

  /** Starts every case again and stays until all has come to its end, answered late as well. */
  AgencyWitnesses settle() throws IOException, InterruptedException {
    try (ChildProcess child = start(0, true)) {
      settle(child);
      outside.heartbeat(child);
    }
    return AgencyWitnesses.of(store(), cases, outside, SinkLog.read(log(directory)));
  }

  private void settle(ChildProcess child) throws IOException, InterruptedException {
    heartbeat(child, () -> !outside.reports(Report.QUIET).isEmpty(), LONGEST_END);
    assertThat(child.lines()).as("%s", child).contains(Report.QUIET.name());
    outside.sayLate(child);
    heartbeat(child, outside::isHeardLate, LONGEST_END);
    child.say(Door.Wish.CLOSE.line());
    assertThat(child.awaitExit(LONGEST)).as("%s", child).isZero();
  }

  private void heartbeat(ChildProcess child, BooleanSupplier enough, Duration atMost)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    boolean ended;
    do {
      ended = child.hasEndedWithin(GLANCE);
      outside.heartbeat(child);
    } while (!ended && !enough.getAsBoolean() && System.nanoTime() < end);
  }

  @Override
  public void close() {
    sink.close();
  }
}
