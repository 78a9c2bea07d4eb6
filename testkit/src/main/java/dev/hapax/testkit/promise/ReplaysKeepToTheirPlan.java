package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A replay sends what the plan has that the person saw, with the request that it showed, and
 * nothing else: neither what the plan keeps and reuses nor what it does not name. The same holds
 * for messages and child runs that begin. A run that wants more is stopped, and does not succeed,
 * until a person retries it or applies another plan.
 */
public final class ReplaysKeepToTheirPlan implements Promise {
  private static final String OF_JOB = ", job ";

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, ReplayPlan> plans = new HashMap<>();
    for (var told : evidence.observed(Observation.ReplayTold.class)) {
      plans.put(told.mark(), told.plan());
    }
    for (var told : JobReplays.of(evidence)) {
      plans.put(ofJob(told.mark(), told.run()), told.plan());
    }
    for (Run run : evidence.runs()) {
      new Fold(evidence, run, plans, broken).read(evidence.journal(run));
    }
    return broken;
  }

  /** A job carries out a plan of each of its runs under one name. */
  private static String ofJob(String mark, String run) {
    return mark + " for " + run;
  }

  /** Reads one journal. */
  private static final class Fold {
    private final Evidence evidence;
    private final Run run;
    private final Map<String, ReplayPlan> plans;
    private final List<String> broken;
    private @Nullable ReplayPlan plan;
    private boolean isStale;
    private final Set<String> published = new HashSet<>();

    /** The plan of a job that was removed long after is gone with it. */
    private boolean isOfLostJob;

    Fold(Evidence evidence, Run run, Map<String, ReplayPlan> plans, List<String> broken) {
      this.evidence = evidence;
      this.run = run;
      this.plans = plans;
      this.broken = broken;
    }

    void read(List<JournalLine> journal) {
      for (JournalLine line : journal) {
        switch (line.entry()) {
          case RunEntry.Replayed replayed -> {
            String mark = replayed.actor();
            plan = plans.getOrDefault(mark, plans.get(ofJob(mark, run.id().toString())));
            isOfLostJob = plan == null && mark.contains(OF_JOB);
            isStale = false;
          }
          case RunEntry.Retried _ -> {
            plan = null;
            isOfLostJob = false;
            isStale = false;
          }
          case EffectEntry.Claimed claim when !claim.step().isUndo() -> claimed(claim, line);
          case StepEntry.Published message -> {
            if (published.add(message.message())) {
              began(
                  ReplayPlan.Type.MESSAGE,
                  message.step(),
                  message.destination(),
                  message.message());
            }
          }
          case CallEntry.Called call
              when line.reply() instanceof CallAnswer.UnderWay heard && heard.begins() ->
              began(ReplayPlan.Type.RUN, call.step(), call.flow(), call.key());
          case CallEntry.SpawnedRun call
              when line.reply() instanceof Answer.Spawned heard && heard.isFresh() ->
              began(ReplayPlan.Type.RUN, call.step(), call.flow(), call.key());
          case RunEntry.Ended end -> ended(end);
          default -> {}
        }
      }
    }

    private void claimed(EffectEntry.Claimed claim, JournalLine line) {
      ReplayPlan limits = plan;
      if (line.answer() instanceof ClaimAnswer.NotPlanned(int revision, var planned, var _)) {
        isStale = true;
        if (limits == null && !isOfLostJob) {
          report("%s was refused, and there is no plan".formatted(claim));
        }
        if (limits != null && planned == null && isPlanned(limits, claim, revision)) {
          report("%s is in the plan, and was refused".formatted(claim));
        }
      }
      if (limits != null
          && line.answer() instanceof ClaimAnswer.Granted(long _, int revision)
          && !isPlanned(limits, claim, revision)) {
        report("it sent revision %d of %s, which is not in %s".formatted(revision, claim, limits));
      }
      if (limits != null && line.answer() instanceof ClaimAnswer.Granted(long _, int revision)) {
        asShown(limits, claim, revision);
      }
    }

    /** The world outside knows what was sent. */
    private void asShown(ReplayPlan limits, EffectEntry.Claimed claim, int revision) {
      List<ReplayPlan.Item> items =
          limits.items().stream().filter(item -> isFor(item, claim, revision)).toList();
      boolean isShown = !items.isEmpty() && items.stream().allMatch(item -> item.request() != null);
      if (!isShown) {
        return;
      }
      Set<Fingerprint> shown =
          items.stream()
              .map(item -> Fingerprint.of(String.valueOf(item.request())))
              .collect(Collectors.toSet());
      for (Sending sending : evidence.sendings()) {
        EffectRecord intent = sending.intent();
        boolean isIts =
            intent != null
                && intent.run() == run.number()
                && intent.revision() == revision
                && intent.key().name().equals(claim.name())
                && intent.key().key().equals(claim.key());
        Fingerprint sent = intent == null ? null : intent.fingerprint();
        if (isIts && (sent == null || !shown.contains(sent))) {
          report("it sent %s, whose request is not in %s".formatted(sending, items));
        }
      }
    }

    private void began(ReplayPlan.Type type, Step step, String name, String key) {
      ReplayPlan limits = plan;
      boolean isPlanned =
          limits == null
              || limits.items().stream()
                  .anyMatch(
                      item ->
                          item.type() == type
                              && item.decision() == ReplayPlan.Decision.SEND
                              && item.step().equals(step.name())
                              && item.name().equals(name)
                              && (item.key() == null || item.key().equals(key)));
      if (!isPlanned) {
        report("%s '%s' %s began in %s, and is not in %s".formatted(type, name, key, step, limits));
      }
    }

    private static boolean isPlanned(ReplayPlan plan, EffectEntry.Claimed claim, int revision) {
      return plan.items().stream().anyMatch(item -> isFor(item, claim, revision));
    }

    private static boolean isFor(ReplayPlan.Item item, EffectEntry.Claimed claim, int revision) {
      return item.type() == ReplayPlan.Type.EFFECT
          && item.decision() == ReplayPlan.Decision.SEND
          && item.step().equals(claim.step().name())
          && item.name().equals(claim.name())
          && (item.key() == null
              || (item.key().equals(claim.key())
                  && Objects.equals(item.item(), claim.step().item())
                  && Objects.equals(item.revision(), revision)));
    }

    private void ended(RunEntry.Ended end) {
      Failure error = end.error();
      isStale |= error != null && error.code().equals("plan-stale"); // of a message or a run
      if (isStale && (end.status() == RunStatus.SUCCEEDED || end.status() == RunStatus.PARTIAL)) {
        report("it ended as %s, though its plan was stale".formatted(end.status()));
      }
    }

    private void report(String what) {
      broken.add("run %s: %s".formatted(run.id(), what));
    }
  }
}
