package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.SettleDecision;
import dev.hapax.run.JobRecord;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A destination is not asked more often, sooner or longer than was said: as many attempts as the
 * policy allows, each not before the time that the journal names, and none after a refusal. Only a
 * person can let an attempt begin earlier, and start the count anew: by saying that it did not
 * happen, or by retrying an undo that failed.
 */
public final class RetriesKeepTheirTerms implements Promise {
  private static final int MOST = 1_000;

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    List<EffectTrail> trails = EffectTrail.of(evidence);
    trails.forEach(trail -> tooEarly(trail, broken));
    trails.forEach(trail -> claimedAgain(trail, evidence, broken));
    tooMany(evidence, freshBudgets(trails), broken);
    afterRefusal(evidence, trails, broken);
    return broken;
  }

  private static void tooEarly(EffectTrail trail, List<String> broken) {
    Instant notBefore = Instant.MIN;
    for (JournalLine line : trail.lines()) {
      switch (line.entry()) {
        case EffectEntry.NotApplied(_, _, _, _, var retryAt) -> notBefore = orNever(retryAt);
        case EffectEntry.InDoubt doubt -> notBefore = orNever(doubt.retryAt());
        case EffectEntry.Attempted _, EffectEntry.SentAgain _ -> {
          if (line.row().at().isBefore(notBefore)) {
            broken.add(
                "effect %d revision %d was to be tried at %s, and was at %s"
                    .formatted(trail.effect(), trail.revision(), notBefore, line.row().at()));
          }
          notBefore = Instant.MIN;
        }
        case RunEntry.Retried _,
            RunEntry.Replayed _ -> {} // a retry of its run alone lets nothing go earlier
        case RunEntry.TriedNow _ -> notBefore = Instant.MIN;
        default -> notBefore = Instant.MIN;
      }
    }
  }

  private static Instant orNever(@Nullable Instant time) {
    return time == null ? Instant.MIN : time;
  }

  /**
   * Counts how often a person said that a revision did not happen. Each time starts the count anew.
   */
  private static Map<String, Integer> freshBudgets(List<EffectTrail> trails) {
    Map<String, Integer> fresh = new HashMap<>();
    for (EffectTrail trail : trails) {
      for (JournalLine line : trail.lines()) {
        if (line.entry() instanceof EffectEntry.Settled settled
            && settled.decision() == SettleDecision.NOT_HAPPENED) {
          fresh.merge(revision(trail.effect(), trail.revision()), 1, Integer::sum);
        }
      }
    }
    return fresh;
  }

  /**
   * Checks that a failed undo keeps its revision and its key when it is retried, and that no other
   * effect does. An undo that failed in a rework is tried again when the run undoes everything.
   */
  private static void claimedAgain(EffectTrail trail, Evidence evidence, List<String> broken) {
    boolean mayBeClaimed = true;
    long last = Long.MIN_VALUE;
    for (JournalLine line : trail.lines()) {
      if (line.entry() instanceof RunEntry.Retried || line.entry() instanceof RunEntry.Replayed) {
        mayBeClaimed = true;
      } else if (line.entry() instanceof EffectEntry.Claimed claim
          && line.answer() instanceof ClaimAnswer.Granted) {
        boolean isOfCompensation =
            claim.step().isUndo() && isCompensationBegunBetween(last, line, evidence);
        last = evidence.landed(line);
        if (!mayBeClaimed && !isOfCompensation) {
          broken.add(
              "effect %d revision %d was claimed again, and no person had retried its run"
                  .formatted(trail.effect(), trail.revision()));
        }
        mayBeClaimed = false;
      }
    }
  }

  private static boolean isCompensationBegunBetween(
      long first, JournalLine claim, Evidence evidence) {
    return evidence.runs().stream()
        .filter(run -> run.number() == claim.row().run())
        .flatMap(run -> evidence.journal(run).stream())
        .filter(line -> line.entry() instanceof RunEntry.CompensationStarted)
        .mapToLong(evidence::landed)
        .anyMatch(landed -> landed > first && landed <= evidence.landed(claim));
  }

  private static void tooMany(
      Evidence evidence, Map<String, Integer> freshBudgets, List<String> broken) {
    Map<String, Integer> settledBeforeExpiry = settledBeforeExpiry(evidence);
    Map<Long, Integer> settledByJobs = settledByJobs(evidence);
    Set<String> present = evidence.runsById().keySet();
    Map<String, Integer> counts = new TreeMap<>();
    for (Sending sending : evidence.sendings()) {
      if (sending.intent() == null) {
        continue; // IntentBeforeSend reports it
      }
      String revision = revision(sending.intent().number(), sending.intent().revision());
      int fresh =
          freshBudgets.getOrDefault(revision, 0)
              + settledBeforeExpiry.getOrDefault(sending.run(), 0)
              + (present.contains(sending.run())
                  ? 0
                  : settledByJobs.getOrDefault(sending.intent().number(), 0));
      int most = sending.mostAttempts() * (1 + fresh);
      if (counts.merge(sending.claim(), 1, Integer::sum) == most + 1) {
        broken.add(
            "%s was sent more than %d times as %s"
                .formatted(sending.intentKey(), most, sending.wireKey()));
      }
    }
  }

  /**
   * Counts how often a person settled something of a run whose journal is gone. The settlements are
   * gone with it, so each one counts.
   */
  private static Map<String, Integer> settledBeforeExpiry(Evidence evidence) {
    Set<String> present = evidence.runsById().keySet();
    Map<String, Integer> settled = new HashMap<>();
    for (ClientCall call : evidence.calls()) {
      if (call.wish() == ClientCall.Wish.SETTLE
          && call.answer() != ClientCall.Answer.REFUSED
          && call.run() != null
          && !present.contains(call.run())) {
        settled.merge(call.run(), 1, Integer::sum);
      }
    }
    for (var said : evidence.observed(Observation.SaidNotHappened.class)) {
      if (said.told() != ClientCall.Answer.REFUSED && !present.contains(said.run())) {
        settled.merge(said.run(), 1, Integer::sum);
      }
    }
    return settled;
  }

  /** Counts how often a job may have said that an effect did not happen. */
  private static Map<Long, Integer> settledByJobs(Evidence evidence) {
    Map<Long, Integer> settled = new HashMap<>();
    for (JobRecord job : evidence.store().jobs().list(evidence.tenant(), null, MOST)) {
      if (job.kind().equals("settle")
          && job.spec().contains('"' + SettleDecision.NOT_HAPPENED.word() + '"')) {
        for (JobItem item : evidence.store().jobs().items(job.number(), null, 0, MOST)) {
          if (item.state() != JobItemState.OPEN) {
            settled.merge(EffectRecord.number(item.subject()), 1, Integer::sum);
          }
        }
      }
    }
    return settled;
  }

  /**
   * Checks that no attempt follows a refusal. If the process died before it could record the
   * refusal, the attempt is in doubt, and is not judged.
   */
  private static void afterRefusal(
      Evidence evidence, List<EffectTrail> trails, List<String> broken) {
    Set<String> refused = new HashSet<>();
    for (Sending sending : evidence.sendings()) {
      if (sending.intent() != null && sending.heard() == Sending.Heard.REJECTED) {
        refused.add(attempt(sending.claim(), sending.attempt()));
      }
    }
    for (EffectTrail trail : trails) {
      String claim = "";
      for (JournalLine line : trail.lines()) {
        if (line.entry() instanceof EffectEntry.Claimed
            && !(line.answer() instanceof ClaimAnswer.Abandoned)) {
          claim = Sending.claim(trail.effect(), trail.revision(), line.row().at());
        }
        if (line.entry() instanceof EffectEntry.NotApplied(_, _, int number, _, _)
            && refused.contains(attempt(claim, number))) {
          broken.add(
              "attempt %d of effect %d revision %d was refused, and is to be tried again"
                  .formatted(number, trail.effect(), trail.revision()));
        }
      }
    }
  }

  private static String attempt(String claim, int number) {
    return claim + "/" + number;
  }

  private static String revision(long effect, int number) {
    return effect + "/" + number;
  }
}
