package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.WaitState;
import dev.hapax.json.CanonicalJson;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.run.wait.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Promise 9 for callbacks and approvals: a token that has left has its wait, one answer decides,
 * and every caller and the run itself learn that answer. Nothing expires before its time.
 */
public final class FirstAnswerDecides implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<Long, List<Observation.WaitAnswered>> answers = new HashMap<>();
    for (var answer : evidence.observed(Observation.WaitAnswered.class)) {
      answers.computeIfAbsent(answer.number(), _ -> new ArrayList<>()).add(answer);
    }
    if (answers.containsKey(0L)) {
      broken.add("tokens were outside, but their waits are not in the store: " + answers.get(0L));
    }
    for (var stranger : evidence.observed(Observation.StrangerAnswered.class)) {
      if (stranger.told() == ClientCall.Answer.ACCEPTED) {
        broken.add("a token that nobody handed out was accepted");
      }
    }
    for (Run run : evidence.runs()) {
      for (Wait wait : evidence.store().waits().ofRun(run.number())) {
        decidedOnce(wait, answers.getOrDefault(wait.number(), List.of()), broken);
      }
      heardByTheRun(run, evidence, broken);
    }
    return broken;
  }

  private static void decidedOnce(
      Wait wait, List<Observation.WaitAnswered> answers, List<String> broken) {
    var first = answers.stream().filter(Observation.WaitAnswered::isFirst).toList();
    if (first.size() > 1) {
      broken.add("%s was decided by %d answers: %s".formatted(wait.id(), first.size(), first));
    }
    boolean unknown =
        answers.stream().anyMatch(answer -> answer.told() == ClientCall.Answer.UNKNOWN);
    boolean said = answers.stream().anyMatch(answer -> same(answer.said(), wait.decision()));
    if (wait.state() == WaitState.DECIDED && (!said || (first.isEmpty() && !unknown))) {
      broken.add("%s holds %s, which nobody said".formatted(wait.id(), wait.decision()));
    }
    for (var answer : answers) {
      boolean differs =
          (answer.isFirst() && !same(answer.said(), wait.decision()))
              || (answer.state() == WaitState.DECIDED && !same(answer.heard(), wait.decision()));
      if (differs) {
        broken.add("%s holds %s, but %s".formatted(wait.id(), wait.decision(), answer));
      }
    }
    if (wait.state() == WaitState.DECIDED && wait.expiresAt() != null && !isEarly(wait)) {
      broken.add("%s was decided at %s, after its expiry".formatted(wait, wait.settledAt()));
    }
    if (wait.state() == WaitState.EXPIRED
        && (wait.expiresAt() == null || wait.settledAt() == null || isEarly(wait))) {
      broken.add("%s expired at %s".formatted(wait, wait.settledAt()));
    }
  }

  private static boolean isEarly(Wait wait) {
    return wait.settledAt() != null && wait.settledAt().isBefore(wait.expiresAt());
  }

  private static void heardByTheRun(Run run, Evidence evidence, List<String> broken) {
    Map<Long, Wait> waits = new HashMap<>();
    evidence.store().waits().ofRun(run.number()).forEach(wait -> waits.put(wait.number(), wait));
    Map<Long, WaitEntry.WaitSettled> heard = new HashMap<>();
    for (JournalLine line : evidence.journal(run)) {
      if (line.entry() instanceof WaitEntry.WaitSettled settled) {
        heard.put(settled.number(), settled);
      }
      if (line.entry() instanceof RunEntry.Retried || line.entry() instanceof RunEntry.Replayed) {
        heard.values().removeIf(one -> one.state() != WaitState.DECIDED); // open again
      }
    }
    for (WaitEntry.WaitSettled settled : heard.values()) {
      Wait wait = waits.get(settled.number());
      if (wait == null
          || wait.state() != settled.state()
          || !same(wait.decision(), settled.decision())) {
        broken.add("run %s heard %s, but there is %s".formatted(run.id(), settled, wait));
      }
    }
  }

  private static boolean same(@Nullable String one, @Nullable String other) {
    if (one == null || other == null) {
      return one == null && other == null;
    }
    return CanonicalJson.of(one).equals(CanonicalJson.of(other));
  }
}
