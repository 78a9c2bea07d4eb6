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
import dev.hapax.flow.Failure;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayPlan.Decision;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.ReplayClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks the body of a run as its replay would, and notes what the ledger would say to each effect.
 * It reads, and writes nothing: what would be sent has no answer, and the body ends where it needs
 * one. Used by one thread.
 */
final class PlanWalk {
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

  /** The part of the journal that holds the steps of this item. */
  Replay part(@Nullable String item) {
    String outermost = new Step("any", item).outermostItem();
    return outermost == null
        ? body
        : parts.computeIfAbsent(
            outermost,
            name -> body.ofItem(name, store.itemRows(facts.identity().run(), List.of(name))));
  }

  /** An effect that is not evaluated counts as kept, from the journal. */
  void keep(List<ReadRow> whole) {
    Map<Step, EffectEntry.Claimed> claims = new LinkedHashMap<>();
    for (ReadRow row : whole) {
      for (JournalEntry entry : row.entries()) {
        if (entry instanceof EffectEntry.Claimed claim && !claim.step().isUndo()) {
          claims.put(claim.step(), claim);
        }
      }
    }
    claims.forEach(
        (step, claim) -> {
          if (part(step.item()).stateOf(step) instanceof StepState.Finished) {
            EffectRecord row = rowOf(claim);
            items.add(item(step, Decision.KEEP, claim.name(), claim.key(), row, null, null, null));
          }
        });
  }

  private @Nullable EffectRecord rowOf(EffectEntry.Claimed claim) {
    EffectRecord row = store.effect(claim.effect());
    return row != null
        ? row
        : store.effect(new EffectKey(facts.identity().tenant(), claim.name(), claim.key(), null));
  }

  /** Ends the walk of this part of the body: the answer of this step is not there. */
  AnswerMissing missing(Step step, String why) {
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

  /** An effect of a step whose request depends on answers that are not there. */
  void unknown(Step step, String name, List<String> dependsOn) {
    items.add(
        new ReplayPlan.Item(
            step.name(),
            step.item(),
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
    sends.add(new ReplayTerms.Send(step, name, null, null));
    basis.append(" ? ").append(step).append(' ').append(name);
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
    note(intent, row);
    if (row == null) {
      return send(step, intent, null, 1, text, null, needsAnswer);
    }
    ClaimAnswer answer = ClaimRule.decide(row, ownerOf(row), claim, null).answer();
    return switch (answer) {
      case ClaimAnswer.Granted granted ->
          send(step, intent, row, granted.revision(), text, forcedNote(free, row), needsAnswer);
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
        items.add(
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
      case ClaimAnswer.Abandoned _ -> {
        items.add(
            item(
                step,
                Decision.DOUBT,
                name,
                effect.key(),
                row,
                null,
                null,
                "it was given up in doubt: a person decides"));
        throw missing(step, "waits for a person");
      }
      case ClaimAnswer.ReviewRework _ -> {
        items.add(
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
        items.add(
            item(
                step,
                Decision.CHANGED,
                name,
                effect.key(),
                row,
                text,
                null,
                "the run would fail with effect-key-reused: " + conflict.what()));
        throw StepFailures.of(Failure.of("effect-key-reused", conflict.what(), false).at(step));
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
    items.add(
        new ReplayPlan.Item(
            step.name(),
            step.item(),
            Decision.SEND,
            name,
            intent.key().key(),
            intent.wireKey(revision),
            revision,
            row == null ? null : row.id(),
            row == null ? null : ownerOf(row),
            request,
            null,
            note));
    sends.add(new ReplayTerms.Send(step, name, intent.key().key(), revision));
    if (needsAnswer) {
      throw missing(step, "sends, and its answer is not there yet");
    }
    return null;
  }

  private @Nullable String reuse(
      Step step,
      String name,
      String key,
      EffectRecord row,
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
    items.add(
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

  private void note(EffectIntent intent, @Nullable EffectRecord row) {
    basis
        .append(" ; ")
        .append(intent.key())
        .append(' ')
        .append(row == null ? "new" : row.revision() + " " + row.state().word());
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
