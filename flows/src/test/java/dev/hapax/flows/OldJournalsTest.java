package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that an older build left waiting go on, and send exactly what was still to be sent. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OldJournalsTest {
  private static final String OLD = "1d93572";

  @Test
  void runs_that_an_older_build_left_in_every_kind_of_block_come_to_their_end(@TempDir Path folder)
      throws Exception {
    List<String> sentBefore = resource(OLD + ".sent.txt").lines().toList();
    try (var runs = new WaitingRuns(unpacked(folder), false)) {
      goOn(runs, sentBefore);

      assertThat(runs.sent)
          .containsExactlyInAnyOrder(
              "loop-choose tell a",
              "loop-choose tell b",
              "loop-choose whisper c",
              "loop-parallel later a",
              "loop-parallel later b",
              "loop-parallel later c",
              "loop-wait after",
              "child a",
              "child b",
              "child c",
              "child of-parent",
              "parent after of-parent",
              "loop-busy a",
              "loop-busy b",
              "loop-busy c",
              "loop-review b",
              "loop-review c",
              "loop-partial tell a",
              "loop-partial tell b",
              "choice",
              "branches later",
              "condition",
              "callback answered yes",
              "rework checked second",
              "rework approve",
              "undoing undo c",
              "undoing undo b",
              "undoing undo a",
              "undoing undo single",
              "lock first",
              "lock second",
              "values label of run label of run");
      assertThat(runs.sent.stream().filter(text -> text.startsWith("undoing")))
          .containsExactly(
              "undoing undo c", "undoing undo b", "undoing undo a", "undoing undo single");
      assertThat(runs.runs()).allMatch(OldJournalsTest::hasEndedWell);
    }
  }

  private static void goOn(WaitingRuns runs, List<String> sentBefore) {
    for (EffectRecord effect : runs.hapax.effects(runs.hapax.effects().state(EffectState.REVIEW))) {
      runs.hapax.settle(
          effect.id(),
          effect.key().key().endsWith("a")
              ? Settlement.happened("found", "it is there", "ann")
              : Settlement.notHappened("it is not there", "ann"));
    }
    for (Run run : runs.runs()) {
      if (run.status().canBeRetried()) {
        runs.hapax.retry(run.id().toString(), "ann");
      }
    }
    String token =
        sentBefore.stream().filter(text -> text.startsWith("callback ")).findAny().orElseThrow();
    runs.hapax.callbacks().answer(token.substring("callback ".length()), "yes");
    while (runs.runs().stream().anyMatch(run -> !run.status().isEnd())) {
      if (runs.time.isIdle()) { // else an attempt under way would run into its timeout
        runs.time.move(Duration.ofMinutes(5));
      }
      var approvals = runs.hapax.approvals();
      approvals
          .list(approvals.open())
          .forEach(one -> approvals.decide(one.id(), Verdict.approve("ann")));
      LockSupport.parkNanos(2_000_000);
    }
  }

  private static boolean hasEndedWell(Run run) {
    return run.status()
        == (run.flow().equals("undoing") ? RunStatus.COMPENSATED : RunStatus.SUCCEEDED);
  }

  private static Path unpacked(Path folder) throws IOException {
    Path store = folder.resolve("store.db");
    try (InputStream packed = new GZIPInputStream(open(OLD + ".db.gz"))) {
      Files.copy(packed, store);
    }
    return store;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream open(String name) {
    return Objects.requireNonNull(
        OldJournalsTest.class.getResourceAsStream("journals/" + name), name);
  }
}
