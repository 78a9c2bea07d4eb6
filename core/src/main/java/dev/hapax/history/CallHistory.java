package dev.hapax.history;

import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Writes the history lines about runs that a run has called or started. */
final class CallHistory {
  private final Map<Step, CallEntry.Called> calls = new HashMap<>();

  HistoryLine read(CallEntry entry, Iterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case CallEntry.Called e -> called(place.line("called"), e, answers.next());
      case CallEntry.CallAwaited e -> heard(place.line("call-awaited"), e.step(), answers.next());
      case CallEntry.CallRetried e -> heard(place.line("call-retried"), e.step(), answers.next());
      case CallEntry.CallStopped e -> heard(place.line("call-stopped"), e.step(), answers.next());
      case CallEntry.CallFailed e -> place.line("call-failed").step(e.step()).error(e.error());
      case CallEntry.SpawnedRun e ->
          switch (answers.next()) {
            case Answer.Spawned met -> spawned(place.line("spawned-run"), e, met);
            case Answer.SpawnExpired gone ->
                place
                    .line("spawned-run")
                    .step(e.step())
                    .key(e.key())
                    .decision("key-expired")
                    .evidence("run %s has expired".formatted(gone.run()));
            default -> place.refused().step(e.step()).key(e.key());
          };
    };
  }

  private HistoryLine called(HistoryLine line, CallEntry.Called call, Answer answer) {
    calls.put(call.step(), call);
    return heard(line, call.step(), answer, "begins");
  }

  private HistoryLine heard(HistoryLine line, Step step, Answer answer) {
    return heard(line, step, answer, "continues");
  }

  /** Names the child in every line about it. */
  private HistoryLine heard(HistoryLine line, Step step, Answer answer, String begins) {
    CallEntry.Called call = calls.get(step);
    String child =
        call == null
            ? "the child run"
            : "run %s of flow '%s' release %d".formatted(call.child(), call.flow(), call.release());
    HistoryLine about = line.step(step);
    if (call != null) {
      about.key(call.key());
    }
    return answer instanceof CallAnswer heard
        ? told(about, child, heard, begins)
        : about.decision("not called: the run is being canceled");
  }

  private static HistoryLine told(HistoryLine line, String child, CallAnswer heard, String begins) {
    return switch (heard) {
      case CallAnswer.UnderWay underWay ->
          line.state("waiting")
              .decision(waits(child, underWay, begins) + differs(underWay.inputDiffers()));
      case CallAnswer.Ended ended ->
          line.state(ended.status().word())
              .decision(child + " has ended" + differs(ended.inputDiffers()))
              .output(ended.output())
              .error(ended.error());
      case CallAnswer.KeyReused _ ->
          line.decision("key-reused").evidence(child + " was started with another input");
      case CallAnswer.Cycle _ ->
          line.decision("child-cycle").evidence(child + " already waits for this run");
      case CallAnswer.LetGo _ ->
          line.decision("no longer waits for " + child + ", which it did not start");
      case CallAnswer.Gone _ -> line.decision("key-expired").evidence(child + " has expired");
    };
  }

  private static String waits(String child, CallAnswer.UnderWay underWay, String begins) {
    String what = child + " " + (underWay.begins() ? begins : "is under way");
    return underWay.isOwn() ? what : what + "; this run did not start it and waits for it";
  }

  private static String differs(boolean inputDiffers) {
    return inputDiffers ? "; it was started with another input" : "";
  }

  private static HistoryLine spawned(
      HistoryLine line, CallEntry.SpawnedRun spawned, Answer.Spawned met) {
    return line.step(spawned.step())
        .key(spawned.key())
        .decision(
            "run %s of flow '%s' release %d %s%s"
                .formatted(
                    spawned.child(),
                    spawned.flow(),
                    spawned.release(),
                    met.isFresh() ? "begins; this run does not wait for it" : "exists already",
                    differs(!met.sameInput())));
  }
}
