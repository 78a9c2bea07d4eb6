package dev.hapax.engine;

import dev.hapax.effect.LateAnswer;
import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.pass.RunPass;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.flow.Alert;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that an effect has happened by its own late answer, though a person has decided before.
 * The decision stays. The history holds the answer as evidence, and people are alerted if the
 * answer contradicts the decision. An answer that comes before a decision settles the review, and
 * is no matter of this class.
 */
final class LateEvidence {
  private static final Logger log = LoggerFactory.getLogger(LateEvidence.class);
  private static final int MOST_TRIES = 100;

  private final EngineParts parts;
  private final FlowRegistry flows;
  private final RunsInMemory inMemory;
  private final Map<About, Queue<LateAnswer>> heard = new HashMap<>(); // guarded by itself

  /** Answers about the same thing are one entry, so they are looked at one after another. */
  private record About(long run, long effect, int revision) {
    static About of(LateAnswer answer) {
      return new About(answer.run(), answer.effect(), answer.revision());
    }
  }

  LateEvidence(EngineParts parts, FlowRegistry flows, RunsInMemory inMemory) {
    this.parts = parts;
    this.flows = flows;
    this.inMemory = inMemory;
  }

  /** Takes an answer from the thread of its attempt, which may not wait. */
  void hear(LateAnswer answer) {
    About about = About.of(answer);
    synchronized (heard) {
      Queue<LateAnswer> before = heard.get(about);
      if (before != null) {
        before.add(answer); // its turn comes when the entry of the one before is durable
        return;
      }
      heard.put(about, new ArrayDeque<>());
    }
    noteSoon(about, answer);
  }

  private void noteSoon(About about, LateAnswer answer) {
    parts
        .guard()
        .virtual(
            "hapax-late-answer",
            () -> {
              try {
                note(answer);
              } finally {
                noteNext(about);
              }
            });
  }

  private void noteNext(About about) {
    LateAnswer next;
    synchronized (heard) {
      Queue<LateAnswer> waiting = heard.get(about);
      next = waiting == null ? null : waiting.poll();
      if (next == null) {
        heard.remove(about);
      }
    }
    if (next != null) {
      noteSoon(about, next);
    }
  }

  private void note(LateAnswer answer) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      EffectRecord row = parts.store().effect(answer.effect());
      if (row == null || isInReview(row, answer)) {
        return; // the run settles it by this answer
      }
      StoredRun stored = parts.store().load(answer.run());
      EffectEntry.AnsweredLate entry = stored == null ? null : entry(answer, row);
      if (stored == null || entry == null || isWritten(stored, row, entry)) {
        return;
      }
    }
    log.warn(
        "effect {} was answered late, and its run {} keeps changing: the history lacks the answer",
        EffectRecord.id(answer.effect()),
        answer.run());
  }

  private static boolean isInReview(EffectRecord row, LateAnswer answer) {
    return row.revision() == answer.revision() && row.state() == EffectState.REVIEW;
  }

  /**
   * Null if no person has decided about this revision, or if its late answer is on record. After a
   * correction or a replay, a step may have another effect than the one that was answered.
   */
  private EffectEntry.@Nullable AnsweredLate entry(LateAnswer answer, EffectRecord row) {
    EffectEntry.Settled decided = null;
    boolean isIts = false;
    for (JournalRow one : parts.store().journal(answer.run())) {
      for (JournalEntry entry : one.readEntries()) {
        switch (entry) {
          case EffectEntry.Claimed claim when claim.step().equals(answer.step()) ->
              isIts = claim.name().equals(row.key().name()) && claim.key().equals(row.key().key());
          case EffectEntry.Settled settled when isAbout(answer, settled) ->
              decided = isIts ? settled : decided;
          case EffectEntry.AnsweredLate known when isAbout(answer, known) -> {
            return null;
          }
          default -> {}
        }
      }
    }
    return decided == null
        ? null
        : new EffectEntry.AnsweredLate(
            answer.step(),
            answer.revision(),
            decided.decision(),
            decided.actor(),
            answer.externalId(),
            answer.effect());
  }

  private static boolean isAbout(LateAnswer answer, EffectEntry.Settled settled) {
    return settled.step().equals(answer.step()) && settled.revision() == answer.revision();
  }

  private static boolean isAbout(LateAnswer answer, EffectEntry.AnsweredLate known) {
    Long effect = known.effect();
    return known.step().equals(answer.step())
        && known.revision() == answer.revision()
        && (effect == null || effect == answer.effect());
  }

  private boolean isWritten(StoredRun stored, EffectRecord row, EffectEntry.AnsweredLate entry) {
    List<JournalEntry> entries = new ArrayList<>(List.of(entry));
    List<Change> changes = new ArrayList<>();
    NewRun alert = entry.contradicts() ? alert(stored.run(), row, entry) : null;
    if (alert != null) {
      entries.add(new RunEntry.Alerted(Alert.REVIEW, alert.key(), alert.id().toString()));
      changes.add(new Change.Spawn(alert));
    }
    RunPass pass = inMemory.pass(stored.run().number());
    if (pass != null) {
      return pass.noteBeside(stored.seq(), entries, changes);
    }
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Unowned(stored.run().number(), stored.seq()),
            changes,
            JournalRow.write(entries));
    return parts.committer().submit(group).await() instanceof GroupAnswer.Landed;
  }

  private @Nullable NewRun alert(Run run, EffectRecord row, EffectEntry.AnsweredLate entry) {
    Flow<?, ?> flow = flows.find(FlowRelease.of(run));
    Failure why =
        Failure.of(
            "answered-late",
            "effect %s (%s): %s decided '%s', and then the destination reported that it happened. Check it at the destination"
                .formatted(row.id(), row.key(), entry.actor(), entry.decision().word()),
            false);
    return parts
        .alerts()
        .about(run.tenant(), flow == null ? null : flow.alerts())
        .about(
            Alert.REVIEW,
            RunFacts.of(run).identity(),
            "%s.%d.answered-late".formatted(row.id(), entry.revision()),
            why.at(entry.step()),
            flow == null ? null : flow.runbook(entry.step().name()),
            parts.ids().next());
  }
}
