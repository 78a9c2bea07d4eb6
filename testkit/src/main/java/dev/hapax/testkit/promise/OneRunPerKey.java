package dev.hapax.testkit.promise;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Promise 2: all starts of one intent name one run, only one of them made it, and another input
 * follows the flow's conflict rule.
 */
public final class OneRunPerKey implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, String> runOf = new HashMap<>();
    Map<String, ClientCall> madeBy = new HashMap<>();
    var runs = evidence.runsById();
    for (ClientCall call : evidence.calls()) {
      String run = call.run();
      if (call.wish() != ClientCall.Wish.START || run == null) {
        continue;
      }
      String intent = intent(call);
      String other = runOf.putIfAbsent(intent, run);
      if (other != null && !other.equals(run)) {
        broken.add("%s has two runs, %s and %s".formatted(intent, other, run));
      }
      if (call.answer() == ClientCall.Answer.ACCEPTED && madeBy.putIfAbsent(run, call) != null) {
        broken.add("run %s was accepted twice as new".formatted(run));
      }
      Run there = runs.get(run);
      if (there != null && call.input() != null) {
        followsTheRule(call, there, broken);
      }
    }
    Map<String, Run> byIntent = new HashMap<>();
    for (Run run : runs.values()) {
      Run twin = byIntent.putIfAbsent(run.id().toString(), run);
      if (twin != null) {
        broken.add("two runs in the store have the id " + run.id());
      }
    }
    return broken;
  }

  private static void followsTheRule(ClientCall call, Run run, List<String> broken) {
    boolean known = run.startedWith(Fingerprint.of(String.valueOf(call.input())));
    switch (call.answer()) {
      case ACCEPTED -> {
        if (!known) {
          broken.add("%s was accepted, but run %s has another input".formatted(call, run.id()));
        }
      }
      case DUPLICATE -> {
        if (!known && call.conflict() != Flow.Conflict.RETURN) {
          broken.add("%s has another input and was not refused".formatted(call));
        }
      }
      case KEY_REUSED -> {
        if (call.conflict() != Flow.Conflict.REJECT) {
          broken.add("%s was refused, against its conflict rule".formatted(call));
        }
      }
      default -> {}
    }
  }

  private static String intent(ClientCall call) {
    String key = call.flow() + " " + call.key();
    return call.conflict() == Flow.Conflict.NEW ? key + " " + call.input() : key;
  }
}
