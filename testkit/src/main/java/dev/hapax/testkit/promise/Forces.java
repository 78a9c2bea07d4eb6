package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects that people had sent again, as they named them themselves: by the number of the row
 * and the revision that was there.
 */
final class Forces {
  /**
   * One of them.
   *
   * @param run whose replay sends it
   */
  record Force(long effect, int revision, String run) {}

  private final List<Force> all = new ArrayList<>();
  private final Map<Long, Set<Integer>> revisions = new HashMap<>();

  Forces(Evidence evidence) {
    Map<String, Observation.ReplayTold> told = new HashMap<>();
    evidence.observed(Observation.ReplayTold.class).forEach(one -> told.put(one.mark(), one));
    Map<String, Run> runs = evidence.runsById();
    for (Run run : runs.values()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof RunEntry.Replayed replayed) {
          Observation.ReplayTold person = told.get(replayed.actor());
          replayed.terms().force().forEach(force -> add(force, person, run));
        }
      }
    }
    told.values().stream()
        .filter(one -> !runs.containsKey(one.run()) && one.told() != ClientCall.Answer.REFUSED)
        .forEach(one -> addOfExpired(one, evidence));
    all.forEach(
        one -> revisions.computeIfAbsent(one.effect(), _ -> new HashSet<>()).add(one.revision()));
  }

  private void add(ReplayTerms.Forced force, Observation.@Nullable ReplayTold person, Run run) {
    if (person == null) {
      return; // no person wanted it: then nothing may be sent again
    }
    for (ReplayWish.Force wish : person.plan().wish().force()) {
      if (wish.reason().equals(force.reason())) {
        long effect = EffectRecord.number(wish.effect());
        all.add(new Force(effect, force.revision(), run.id().toString()));
      }
    }
  }

  /** Its journal is gone; the plan says which revision was there. */
  private void addOfExpired(Observation.ReplayTold person, Evidence evidence) {
    for (ReplayWish.Force wish : person.plan().wish().force()) {
      boolean isInPlan =
          person.plan().items().stream().anyMatch(item -> wish.effect().equals(item.effect()));
      if (!isInPlan && person.plan().ends() != null) {
        addAny(EffectRecord.number(wish.effect()), evidence);
      }
      for (ReplayPlan.Item item : person.plan().items()) {
        Integer revision = item.revision();
        if (wish.effect().equals(item.effect())
            && item.decision() == ReplayPlan.Decision.SEND
            && revision != null) {
          all.add(new Force(EffectRecord.number(wish.effect()), revision - 1, person.run()));
        }
      }
    }
  }

  List<Force> all() {
    return all;
  }

  /** The plan ended before the effect, so nothing says any more which revision was there. */
  private void addAny(long effect, Evidence evidence) {
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      if (row != null && row.number() == effect) {
        revisions.computeIfAbsent(effect, _ -> new HashSet<>()).add(row.revision());
      }
    }
  }

  /** The revisions of this effect behind which a person wanted one more. */
  Set<Integer> of(long effect) {
    return revisions.getOrDefault(effect, Set.of());
  }
}
