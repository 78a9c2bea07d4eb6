package dev.hapax.engine.plan;

import dev.hapax.effect.EffectIntent;
import dev.hapax.effect.EffectStep;
import dev.hapax.effect.Payload;
import dev.hapax.effect.RunPort;
import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectOutcome;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayPlan.Decision;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.run.retention.EffectTombstone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks the body of a run as its replay would, and notes what the ledger would say to each effect.
 * It reads, and writes nothing: what would be sent has no answer, and the body ends where it needs
 * one. Used by one thread.
 */
final class PlanWalk {
  /** A loop has at most 100,000 items. */
  private static final int MOST_MISSED = 1_000_000;

  private static final String OF_THE_MOMENT =
      "its request holds a value of the moment, such as the time or the fence of a lock";

  private static final String WOULD_FAIL = "the run would fail with %s: %s";
  private static final String EXPIRED =
      "it was done before, and its result has expired: nothing is sent";
  private static final String ERASED =
      "it was done before, and its result was erased for a person: nothing is sent";
  private static final String AFTER_EXPIRED =
      "an earlier run sent the revision before, and its record has expired";

  private final WatchedReads store;
  private final LargeValues values;
  private final RunFacts facts;
  private final Replay body;
  private final Instant now;
  private final Map<String, Replay> parts = new HashMap<>();
  private final List<ReplayPlan.Item> items = new ArrayList<>();
  private final List<ReplayTerms.Send> sends = new ArrayList<>();
  private final Map<Step, EffectOutcome> outcomes = new HashMap<>();
  private final StringBuilder basis = new StringBuilder();
  private @Nullable String ends;
  private final Set<String> noted = new HashSet<>();
  private final Set<Step> missed = new HashSet<>();
  private Consumer<String> caught = _ -> {};
  private boolean isMomentary;
  private int reached;

  /**
   * @param body the run's journal, with the replay as its last entry
   */
  PlanWalk(
      WatchedReads store, LargeValues values, Run run, RunFacts facts, Replay body, Instant now) {
    this.store = store;
    this.values = values;
    this.facts = facts;
    this.body = body;
    this.now = now;
    basis.append(run.id()).append(' ').append(run.status().word());
  }

  RunPort.Identity identity() {
    return facts.identity();
  }

  List<ReplayPlan.Item> items() {
    return items;
  }

  List<ReplayTerms.Send> sends() {
    return sends;
  }

  /** What the plan was computed from, as text. */
  String basis() {
    return basis.toString();
  }

  @Nullable String ends() {
    return ends;
  }

  /**
   * Whether the body now computes values that are other ones when the run goes on, such as the
   * time.
   */
  boolean isMomentary() {
    return isMomentary;
  }

  /** Returns what held before. */
  boolean momentary(boolean is) {
    boolean before = isMomentary;
    isMomentary = is;
    return before;
  }

  /** How many steps and items of the body it has come to. */
  int reached() {
    return reached;
  }

  int reach() {
    return ++reached;
  }

  /** Whether a person has corrected the input: the run's own children are then done again. */
  boolean isCorrected() {
    return body.isCorrected();
  }

  /** The run's number. */
  long run() {
    return facts.identity().run();
  }

  /** The part of the journal that holds the steps of this item. */
  Replay part(@Nullable String item) {
    String outermost = new Step("any", item).outermostItem();
    return outermost == null
        ? body
        : parts.computeIfAbsent(
            outermost,
            name -> body.ofItem(name, store.itemRows(facts.identity().run(), List.of(name))));
  }

  /** What is not evaluated counts as kept, from the journal. */
  void keep(List<ReadRow> whole) {
    var kept = KeptSteps.of(whole);
    kept.claims()
        .forEach(
            (step, claim) -> {
              if (isKept(step)) {
                EffectRecord row = rowOf(claim);
                items.add(
                    item(step, Decision.KEEP, claim.name(), claim.key(), row, null, null, null));
              }
            });
    kept.starts()
        .forEach(
            (step, one) -> {
              if (isKept(step)) {
                items.add(one.as(Decision.KEEP, null, null));
              }
            });
  }

  private boolean isKept(Step step) {
    return part(step.item()).stateOf(step) instanceof StepState.Finished;
  }

  private @Nullable EffectRecord rowOf(EffectEntry.Claimed claim) {
    EffectRecord row = store.effect(claim.effect());
    return row != null
        ? row
        : store.effect(new EffectKey(facts.identity().tenant(), claim.name(), claim.key(), null));
  }

  /** Calls this with the name of a step whose missing answer the body has caught. */
  void onCaught(Consumer<String> caught) {
    this.caught = caught;
  }

  /** Each step occurs once in a body, so one that lacks its answer ends the body there. */
  private void refuseCaught(Step step) {
    if (!missed.add(step) || missed.size() > MOST_MISSED) {
      caught.accept(step.name());
    }
  }

  /** Ends the walk of this part of the body: the answer of this step is not there. */
  AnswerMissing missing(Step step, String why) {
    refuseCaught(step);
    return new AnswerMissing(step.name(), "step %s %s".formatted(step, why));
  }

  /** The walk has ended here, before the body did. */
  void endAt(AnswerMissing missing) {
    if (ends == null) {
      ends = missing.getMessage();
    }
  }

  /** The run could not go on. */
  AnswerMissing impossible(Step step, String why) {
    ends = "step %s: %s".formatted(step, why);
    return new AnswerMissing(step.name(), ends);
  }

  /**
   * Something that a step sends, whose request depends on answers that are not there. Nothing is
   * noted twice.
   *
   * @param key null if it depends on them too, or if its content decides whether it is sent
   */
  void unknown(
      Step step, ReplayPlan.Type type, String name, @Nullable String key, List<String> dependsOn) {
    if (noted.contains(mark(step, type, name))
        || (key != null && isDone(step, name, key, dependsOn))) {
      return;
    }
    add(
        step,
        new ReplayPlan.Item(
            step.name(),
            step.item(),
            type,
            Decision.SEND,
            name,
            null,
            null,
            null,
            null,
            null,
            null,
            List.copyOf(dependsOn),
            null));
    sends.add(
        new ReplayTerms.Send(
            step, name, null, null, null, type == ReplayPlan.Type.EFFECT ? null : type));
    basis.append(" ? ").append(step).append(' ').append(name);
  }

  private void add(Step step, ReplayPlan.Item item) {
    items.add(item);
    noted.add(mark(step, item.type(), item.name()));
  }

  private static String mark(Step step, ReplayPlan.Type type, String name) {
    return step + " " + type + " " + name;
  }

  /** A message or a run that would begin. */
  void send(PlanItem item, NewRun run, String note) {
    add(item.step(), item.as(Decision.SEND, isMomentary ? null : run.input(), note));
    sends.add(
        new ReplayTerms.Send(
            item.step(),
            item.name(),
            item.key(),
            null,
            isMomentary ? null : run.fingerprint().hex(),
            item.type()));
    basis.append(" ; begins ").append(run.id());
  }

  /** A message or a run that is there. */
  void note(PlanItem item, Decision decision, String note) {
    add(item.step(), item.as(decision, null, note));
    basis.append(" ; ").append(item.run()).append(' ').append(note);
  }

  /** Notes the reuse of an effect that is done under its key: no content would send it again. */
  private boolean isDone(Step step, String name, String key, List<String> dependsOn) {
    var wanted = new EffectKey(facts.identity().tenant(), name, key, null);
    EffectRecord row = store.effect(wanted);
    ReplayClaim limits =
        part(step.item()).replays().claim(step, name, key, facts.identity().id().toString());
    if (row == null) {
      return isExpired(step, wanted, dependsOn);
    }
    boolean isForced = limits != null && limits.forced() != null;
    boolean isOnce =
        row.state() == EffectState.DONE && (row.kind() == Kind.CREATE || row.kind() == Kind.NOTIFY);
    if (!isOnce || isForced) {
      return false;
    }
    basis.append(" ; ").append(wanted).append(' ').append(row.revision()).append(" done");
    add(
        step,
        new ReplayPlan.Item(
            step.name(),
            step.item(),
            ReplayPlan.Type.EFFECT,
            Decision.REUSE,
            name,
            key,
            row.key().onWire(row.revision()),
            row.revision(),
            row.id(),
            ownerOf(row),
            null,
            List.copyOf(dependsOn),
            "it is done, and is not sent again, whatever its request will be"));
    return true;
  }

  /** Notes an effect that was done and has expired, if no content would send it again. */
  private boolean isExpired(Step step, EffectKey wanted, List<String> dependsOn) {
    EffectTombstone left = store.expiredEffect(wanted);
    if (left == null || left.kind() == Kind.UPDATE) {
      return false;
    }
    var claim =
        new EffectClaim(0, wanted, left.kind(), "", run(), step, null, null, null, null, now);
    ClaimAnswer answer = store.expiredAnswer(claim);
    if (!(answer instanceof ClaimAnswer.Expired expired)) {
      return false;
    }
    note(wanted, null, answer);
    add(step, expired(step, wanted.name(), wanted.key(), expired, List.copyOf(dependsOn)));
    return true;
  }

  EffectOutcome outcome(Step step) {
    EffectOutcome planned = outcomes.get(step);
    return planned != null ? planned : part(step.item()).outcomes().of(step);
  }

  /** Returns the output that the run would get; ends the walk if there is none yet. */
  @Nullable String effect(Step step, Effect<?> effect, boolean needsAnswer) {
    Object request = effect.request();
    String text = request == null ? null : Payload.writeBounded(request);
    var asked = new EffectStep(step, effect, text, (_, _) -> "null");
    var intent = new EffectIntent(asked, facts.identity());
    EffectRecord row = store.effect(intent.key());
    String name = intent.key().name();
    ReplayClaim limits =
        part(step.item())
            .replays()
            .claim(step, name, effect.key(), facts.identity().id().toString());
    ReplayClaim free =
        limits == null
            ? null
            : new ReplayClaim(limits.had(), limits.corrects(), limits.forced(), ReplayClaim.ANY);
    EffectClaim claim = intent.claim(0, now, free);
    ClaimAnswer answer =
        row == null
            ? store.expiredAnswer(claim)
            : ClaimRule.decide(row, ownerOf(row), claim, null).answer();
    note(intent.key(), row, answer);
    return switch (answer) {
      case null -> send(step, intent, null, 1, text, null, needsAnswer);
      case ClaimAnswer.Granted granted ->
          send(
              step,
              intent,
              row,
              granted.revision(),
              text,
              row == null ? AFTER_EXPIRED : forcedNote(free, row),
              needsAnswer);
      case ClaimAnswer.UndoFirst undo ->
          send(
              step,
              intent,
              row,
              undo.revision() + 1,
              text,
              "revision %d is undone first".formatted(undo.revision()),
              needsAnswer);
      case ClaimAnswer.Reused reused -> reuse(step, name, effect.key(), row, reused, text);
      case ClaimAnswer.Held held -> {
        add(
            step,
            item(
                step,
                Decision.DOUBT,
                name,
                effect.key(),
                row,
                null,
                null,
                "run %s has it, and it is %s".formatted(held.byRun(), held.state().word())));
        throw missing(step, "waits for an effect that is open now");
      }
      case ClaimAnswer.Abandoned abandoned -> {
        add(
            step,
            item(
                step,
                Decision.DOUBT,
                name,
                effect.key(),
                row,
                null,
                abandoned.revision(),
                "it was given up in doubt: a person decides"));
        throw missing(step, "waits for a person");
      }
      case ClaimAnswer.ReviewRework _ -> {
        add(
            step,
            item(
                step,
                Decision.CHANGED,
                name,
                effect.key(),
                row,
                text,
                null,
                "a person decides whether the new content is sent"));
        throw missing(step, "waits for a person");
      }
      case ClaimAnswer.Conflict conflict -> {
        add(
            step,
            item(
                step,
                Decision.CHANGED,
                name,
                effect.key(),
                row,
                text,
                null,
                WOULD_FAIL.formatted("effect-key-reused", conflict.what())));
        throw StepFailures.of(Failure.of("effect-key-reused", conflict.what(), false).at(step));
      }
      case ClaimAnswer.Expired expired -> {
        add(step, expired(step, name, effect.key(), expired, null));
        throw StepFailures.of(Failure.of("effect-expired", EXPIRED, false).at(step));
      }
      case ClaimAnswer.ResultErased erased -> {
        add(
            step,
            item(
                step,
                Decision.CHANGED,
                name,
                effect.key(),
                row,
                null,
                erased.revision(),
                WOULD_FAIL.formatted("effect-erased", ERASED)));
        throw StepFailures.of(Failure.of("effect-erased", ERASED, false).at(step));
      }
      default -> throw missing(step, "has an answer that a plan does not know");
    };
  }

  private static @Nullable String forcedNote(@Nullable ReplayClaim claim, EffectRecord row) {
    Integer forced = claim == null ? null : claim.forced();
    return forced != null && forced == row.revision()
        ? "sent again, because a person named it"
        : null;
  }

  private @Nullable String send(
      Step step,
      EffectIntent intent,
      @Nullable EffectRecord row,
      int revision,
      @Nullable String request,
      @Nullable String note,
      boolean needsAnswer) {
    String name = intent.key().name();
    add(
        step,
        new ReplayPlan.Item(
            step.name(),
            step.item(),
            ReplayPlan.Type.EFFECT,
            Decision.SEND,
            name,
            intent.key().key(),
            intent.wireKey(revision),
            revision,
            row == null ? null : row.id(),
            row == null ? null : ownerOf(row),
            isMomentary ? null : request,
            null,
            note == null && isMomentary ? OF_THE_MOMENT : note));
    Fingerprint content = isMomentary ? null : intent.fingerprint();
    sends.add(
        new ReplayTerms.Send(
            step, name, intent.key().key(), revision, content == null ? null : content.hex()));
    if (needsAnswer) {
      throw missing(step, "sends, and its answer is not there yet");
    }
    return null;
  }

  private @Nullable String reuse(
      Step step,
      String name,
      String key,
      @Nullable EffectRecord row,
      ClaimAnswer.Reused reused,
      @Nullable String request) {
    Decision decision =
        reused.superseded()
            ? Decision.KEEP
            : reused.contentDiffers() ? Decision.CHANGED : Decision.REUSE;
    String note =
        reused.superseded()
            ? "superseded by a newer revision"
            : reused.stale() ? "stale: its version is older than the ledger's" : null;
    outcomes.put(step, new EffectOutcome(true, reused.stale(), false, reused.externalId()));
    add(
        step,
        item(
            step,
            decision,
            name,
            key,
            row,
            decision == Decision.CHANGED ? request : null,
            reused.revision(),
            note));
    return reused.output();
  }

  private ReplayPlan.Item item(
      Step step,
      Decision decision,
      String name,
      String key,
      @Nullable EffectRecord row,
      @Nullable String request,
      @Nullable Integer revision,
      @Nullable String note) {
    Integer shown = revision != null || row == null ? revision : Integer.valueOf(row.revision());
    return new ReplayPlan.Item(
        step.name(),
        step.item(),
        ReplayPlan.Type.EFFECT,
        decision,
        name,
        key,
        row == null || shown == null ? null : row.key().onWire(shown),
        shown,
        row == null ? null : row.id(),
        row == null ? null : ownerOf(row),
        request,
        null,
        note);
  }

  private String ownerOf(EffectRecord row) {
    Run owner = store.run(row.run());
    return owner == null ? "" : owner.id().toString();
  }

  private ReplayPlan.Item expired(
      Step step,
      String name,
      String key,
      ClaimAnswer.Expired expired,
      @Nullable List<String> dependsOn) {
    int revision = expired.revision();
    return new ReplayPlan.Item(
        step.name(),
        step.item(),
        ReplayPlan.Type.EFFECT,
        Decision.CHANGED,
        name,
        key,
        new EffectKey(facts.identity().tenant(), name, key, null).onWire(revision),
        revision,
        null,
        null,
        null,
        dependsOn,
        WOULD_FAIL.formatted("effect-expired", EXPIRED));
  }

  private void note(EffectKey key, @Nullable EffectRecord row, @Nullable ClaimAnswer answer) {
    basis.append(" ; ").append(key).append(' ');
    if (row != null) {
      basis.append(row.revision()).append(' ').append(row.state().word());
    } else {
      basis.append(answer == null ? "new" : "expired " + answer);
    }
  }

  /** Returns the recorded text, or the value that it refers to. */
  String valueOf(String stored) {
    try {
      return values.valueOf(facts.identity().tenant(), stored);
    } catch (NoAnswer e) {
      throw unanswered(e);
    }
  }

  /** Notes a read that was not answered, for the caller to throw. */
  NoAnswer unanswered(NoAnswer missing) {
    return store.unanswered(missing);
  }

  /** Passes on a read that was not answered: it is no failure of the flow. */
  void refuseUnanswered(Exception thrown) {
    NoAnswer missing = NoAnswer.behind(thrown);
    if (missing != null) {
      throw unanswered(missing);
    }
  }
}
