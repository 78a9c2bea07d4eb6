package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Hold;
import dev.hapax.flow.Restored;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.RunWait;
import dev.hapax.flow.RunWait.Cause;
import dev.hapax.flow.RunWait.Other;
import dev.hapax.flow.Step;
import dev.hapax.flow.Subject;
import dev.hapax.history.JournalWaits;
import dev.hapax.run.Gate;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.JournalPages;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what one run waits for. The journal tells what the run saw last, and the rows of the store
 * tell whether that still holds. One object per question; it reads a bounded number of other runs.
 */
final class RunWaits {
  /** More waits than this are not listed; those that need a person come first. */
  private static final int MOST = 200;

  /** The journals of more runs than this are not read to find people further down. */
  private static final int MOST_RUNS_READ = 50;

  private static final int MOST_HOLDERS = 10;

  private final Store store;
  private final Engine engine;
  private final Set<Long> seen = new HashSet<>();

  RunWaits(Store store, Engine engine) {
    this.store = store;
    this.engine = engine;
  }

  /** Returns the waits of the run. Those that need a person come first. */
  List<RunWait> of(Run run) {
    List<RunWait> all = all(run);
    List<RunWait> ordered = new ArrayList<>(all.stream().filter(RunWait::asksPerson).toList());
    all.stream().filter(wait -> !wait.asksPerson()).forEach(ordered::add);
    return List.copyOf(ordered.subList(0, Math.min(MOST, ordered.size())));
  }

  private List<RunWait> all(Run run) {
    if (run.status().isEnd()) {
      return List.of();
    }
    seen.add(run.number());
    List<RunWait> waits = new ArrayList<>();
    ofProcess(run, waits);
    JournalWaits journal = JournalWaits.in(new JournalPages(store, run.number()));
    JournalWaits.Slot slot = journal.slot();
    if (slot != null) {
      add(waits, forSlot(run, slot.gate()));
    }
    JournalWaits.Turn start = journal.start();
    if (start != null && run.status() != RunStatus.RUNNING) {
      waits.add(forTurn(null, start));
    }
    Map<Long, Run> children = new HashMap<>();
    store.runs(journal.children()).forEach(child -> children.put(child.number(), child));
    for (var open : journal.ofSteps().entrySet()) {
      add(waits, ofStep(run, open.getKey(), open.getValue(), children));
    }
    for (Wait wait : store.waits().ofRun(run.number())) {
      if (wait.isOpen() && wait.isAwaited()) {
        add(waits, forAnswer(wait));
      }
    }
    return waits;
  }

  private static void add(List<RunWait> waits, @Nullable RunWait wait) {
    if (wait != null) {
      waits.add(wait);
    }
  }

  /** What keeps the run from being loaded. */
  private void ofProcess(Run run, List<RunWait> waits) {
    Restored restored = engine.hold().restored();
    if (restored != null) {
      waits.add(RunWait.of(Cause.RESTORE, null, "is not continued: " + restored.text()));
    }
    if (run.isQuarantined()) {
      waits.add(
          RunWait.of(
              Cause.QUARANTINE,
              null,
              "is quarantined: it seems to end the processes that load it, so it is not loaded"));
    }
    if (engine.holds(run.tenant())) {
      waits.add(
          RunWait.of(
              Cause.SUSPENSION,
              null,
              "is not continued: its tenant is suspended. It continues when the tenant is resumed"));
    } else if (engine.waitsForQuota(run.number())) {
      waits.add(
          RunWait.of(
              Cause.QUOTA,
              null,
              "waits because as many runs of its tenant are in memory as the tenant's quota allows"));
    }
    if (engine.isCodeMissing(run)) {
      waits.add(
          RunWait.of(
              Cause.CODE,
              null,
              "cannot continue: the code of flow '%s' release %d is not registered; the run continues when it is"
                  .formatted(run.flow(), run.release())));
    }
  }

  private @Nullable RunWait forSlot(Run run, @Nullable Gate gate) {
    Subject subject =
        gate == null
            ? subjectOf(run)
            : gate.lineOf(run.tenant(), run.flow(), run.release()).subject();
    return subject == null
        ? null
        : inLine(
            run,
            subject,
            RunWait.of(Cause.SLOT, null, "waits for a slot of flow '" + run.flow() + "'"));
  }

  private @Nullable Subject subjectOf(Run run) {
    return store.holds(run.tenant(), null).stream()
        .filter(hold -> hold.run() == run.number() && !hold.isHeld() && !hold.line().isLock())
        .map(hold -> hold.line().subject())
        .findFirst()
        .orElse(null);
  }

  /** Names the holders, and how many runs wait before this one; null if it has its turn. */
  private @Nullable RunWait inLine(Run run, Subject subject, RunWait wait) {
    List<Long> holders = new ArrayList<>();
    Hold own = null;
    int before = 0;
    for (Hold hold : store.holds(run.tenant(), subject)) {
      if (hold.isHeld()) {
        holders.add(hold.run());
      } else if (hold.run() == run.number()) {
        own = hold;
      } else if (own == null) {
        before++;
      }
      if (hold.isHeld() && hold.run() == run.number()) {
        return null;
      }
    }
    String key = own == null ? wait.key() : own.line().key();
    String limit =
        own == null || own.line().isLock()
            ? ""
            : " (%d at once%s)"
                .formatted(own.line().limit(), key == null ? "" : " for '" + key + "'");
    String line =
        before == 0
            ? ""
            : "; %s before it".formatted(before == 1 ? "1 run waits" : before + " runs wait");
    List<Other> others =
        store.runs(holders.subList(0, Math.min(MOST_HOLDERS, holders.size()))).stream()
            .map(holder -> Other.of(holder, asksItself(holder)))
            .toList();
    return new RunWait(
        wait.cause(),
        wait.where(),
        key,
        wait.message() + limit + line,
        null,
        null,
        null,
        others,
        false);
  }

  private @Nullable RunWait ofStep(
      Run run, Step step, JournalWaits.Open open, Map<Long, Run> children) {
    return switch (open) {
      case JournalWaits.Lock(var key) ->
          inLine(
              run,
              Subject.lock(run.tenant(), key),
              RunWait.of(Cause.LOCK, step, "waits for lock '" + key + "'").key(key));
      case JournalWaits.Held(long effect) -> forEffect(step, effect);
      case JournalWaits.Review review -> forReview(step, review);
      case JournalWaits.Child(long child) -> forChild(step, children.get(child));
      case JournalWaits.Timer(var until) ->
          RunWait.of(Cause.TIMER, step, "waits for a time").until(until);
      case JournalWaits.Retry retry ->
          RunWait.of(
                  Cause.RETRY,
                  step,
                  retry.isDoubt()
                      ? "settles a doubt: attempt %d may have happened (%s)"
                          .formatted(retry.attempt(), retry.evidence())
                      : "tries again: attempt %d was not applied (%s)"
                          .formatted(retry.attempt(), retry.evidence()))
              .until(retry.until());
      case JournalWaits.Turn turn -> forTurn(step, turn);
    };
  }

  private static RunWait forTurn(@Nullable Step step, JournalWaits.Turn turn) {
    return RunWait.of(Cause.TURN, step, "waits for its turn: " + turn.because())
        .until(turn.until());
  }

  /** Null if the effect is settled: then the run is about to continue. */
  private @Nullable RunWait forEffect(Step step, long number) {
    EffectRecord effect = store.effect(number);
    if (effect == null || !effect.state().isOpen()) {
      return null;
    }
    boolean asks = effect.state() == EffectState.REVIEW;
    Run owner = store.run(effect.run());
    return RunWait.of(
            Cause.EFFECT,
            step,
            "waits for another run that works on the same effect '%s', which is %s"
                .formatted(effect.key().name(), effect.state().word()))
        .key(effect.key().shown())
        .effect(effect.id())
        .runs(owner == null ? List.of() : List.of(Other.of(owner, asks)))
        .asksPerson(asks);
  }

  private @Nullable RunWait forReview(Step step, JournalWaits.Review review) {
    EffectRecord effect = store.effect(review.effect());
    if (effect == null || effect.state() != EffectState.REVIEW) {
      return null;
    }
    return RunWait.of(
            Cause.REVIEW,
            step,
            (review.isRework()
                    ? "waits for a person: effect '%s' was sent before with other content, and a person keeps it or has the new content sent"
                    : "waits for a person: only a person can find out whether effect '%s' happened")
                .formatted(effect.key().name()))
        .key(effect.key().shown())
        .effect(effect.id());
  }

  private @Nullable RunWait forChild(Step step, @Nullable Run child) {
    if (child == null || child.status().isEnd()) {
      return null;
    }
    List<Other> people = peopleBelow(child);
    boolean isItself = people.stream().anyMatch(other -> other.id().equals(child.id().toString()));
    List<Other> runs = new ArrayList<>();
    if (!isItself) {
      runs.add(Other.of(child, false));
    }
    runs.addAll(people);
    return RunWait.of(
            Cause.CHILD,
            step,
            people.isEmpty()
                ? "waits for a child run"
                : "waits for a child run, and that waits for a person")
        .runs(runs)
        .asksPerson(!people.isEmpty());
  }

  /** The runs that need a person, from this one on down. */
  private List<Other> peopleBelow(Run run) {
    boolean isInReview = run.status() == RunStatus.REVIEW;
    if (isInReview || seen.size() >= MOST_RUNS_READ || seen.contains(run.number())) {
      return isInReview ? List.of(Other.of(run, true)) : List.of();
    }
    List<Other> people = new ArrayList<>();
    for (RunWait wait : all(run)) {
      if (wait.asksPerson()) {
        if (wait.runs().isEmpty()) {
          people.add(Other.of(run, true));
        }
        wait.runs().stream().filter(Other::asksPerson).forEach(people::add);
      }
    }
    return people.stream().distinct().toList();
  }

  /** Whether a holder of a slot or a lock needs a person itself. */
  private boolean asksItself(Run run) {
    return !peopleBelow(run).isEmpty();
  }

  private static @Nullable RunWait forAnswer(Wait wait) {
    return switch (wait.kind()) {
      case CALLBACK ->
          RunWait.of(Cause.CALLBACK, wait.step(), "waits for a callback of another system")
              .until(wait.expiresAt());
      case APPROVAL ->
          RunWait.of(
                  Cause.APPROVAL,
                  wait.step(),
                  "waits for a person's approval%s: '%s'"
                      .formatted(
                          wait.roles().isEmpty()
                              ? ""
                              : " (" + String.join(", ", wait.roles()) + ")",
                          wait.ask()))
              .until(wait.expiresAt())
              .approval(wait.id());
      case REVIEW, LINK -> null;
    };
  }
}
