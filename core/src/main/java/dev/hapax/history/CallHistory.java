package dev.hapax.history;

import dev.hapax.run.Answer;
import dev.hapax.run.CallAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Step;
import java.util.HashMap;
import java.util.Map;

/** Writes the history lines about runs that a run has called or started. */
final class CallHistory {
  private final Map<Step, JournalEntry.Called> calls = new HashMap<>();

  Line called(Line line, JournalEntry.Called call, Answer answer) {
    calls.put(call.step(), call);
    return heard(line, call.step(), answer, "begins");
  }

  Line heard(Line line, Step step, Answer answer) {
    return heard(line, step, answer, "goes on");
  }

  /** Names the child in every line about it. */
  private Line heard(Line line, Step step, Answer answer, String begins) {
    JournalEntry.Called call = calls.get(step);
    String child =
        call == null
            ? "the child run"
            : "run %s of flow '%s' release %d".formatted(call.child(), call.flow(), call.release());
    Line about = line.step(step);
    if (call != null) {
      about.key(call.key());
    }
    return answer instanceof CallAnswer heard
        ? told(about, child, heard, begins)
        : about.decision("not called: the run is to be canceled");
  }

  private static Line told(Line line, String child, CallAnswer heard, String begins) {
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
          line.decision("child-cycle").evidence(child + " waits for this run already");
      case CallAnswer.LetGo _ ->
          line.decision("waits no longer for " + child + ", which it did not start");
      case CallAnswer.Gone _ -> line.decision("key-expired").evidence(child + " is not kept");
    };
  }

  private static String waits(String child, CallAnswer.UnderWay underWay, String begins) {
    String what = child + " " + (underWay.begins() ? begins : "is under way");
    return underWay.isOwn() ? what : what + "; this run did not start it and waits for it";
  }

  private static String differs(boolean inputDiffers) {
    return inputDiffers ? "; it was started with another input" : "";
  }

  Line spawned(Line line, JournalEntry.SpawnedRun spawned, Answer.Spawned met) {
    return line.step(spawned.step())
        .key(spawned.key())
        .decision(
            "run %s of flow '%s' release %d %s%s"
                .formatted(
                    spawned.child(),
                    spawned.flow(),
                    spawned.release(),
                    met.isFresh() ? "begins, and is not waited for" : "is there already",
                    differs(!met.sameInput())));
  }
}
