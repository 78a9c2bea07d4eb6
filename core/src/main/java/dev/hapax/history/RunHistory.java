package dev.hapax.history;

import dev.hapax.flow.Caller;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.run.wait.Wait;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns a run's journal into entries for people: every decision with its key, its evidence and its
 * reason. An iterator reads the journal once, row by row.
 */
public final class RunHistory implements Iterator<HistoryEntry> {
  /** The characters of a page: it has fewer entries than asked for if they are long. */
  private static final long PAGE_CHARACTERS = 4 << 20;

  private final Run run;
  private final Iterator<JournalRow> journal;
  private final List<Wait> waits;
  private final List<Wait.LaterAnswer> laterAnswers;
  private final Deque<HistoryEntry> ready = new ArrayDeque<>();
  private long last;
  private boolean isOver;
  private final Set<Long> settled = new HashSet<>();
  private final StepHistory steps = new StepHistory();
  private final EffectHistory effects;
  private final CallHistory calls = new CallHistory();

  private RunHistory(
      Run run,
      @Nullable RunId parent,
      Iterator<JournalRow> journal,
      List<Wait> waits,
      List<Wait.LaterAnswer> laterAnswers) {
    this.run = run;
    this.journal = journal;
    this.waits = waits;
    this.laterAnswers = laterAnswers;
    this.effects = new EffectHistory(run);
    accepted(parent);
  }

  /** Returns everything that happened in a run, from its whole journal. */
  public static List<HistoryEntry> of(Run run, Iterable<JournalRow> journal) {
    return of(run, null, journal, List.of(), List.of());
  }

  private void accepted(@Nullable RunId parent) {
    add(
        place(run.createdAt())
            .line("accepted")
            .key(run.key())
            .decision(
                "run %s on release %d%s"
                    .formatted(run.id(), run.release(), startedBy(run, parent))));
  }

  private static String startedBy(Run run, @Nullable RunId parent) {
    Caller caller = run.startedBy();
    if (caller != null) {
      return ", started by %s (%s)".formatted(caller.name(), caller.id());
    }
    return parent == null ? "" : ", started by run " + parent;
  }

  /**
   * As above, with what no journal holds yet, because its sender does not own the run: decisions
   * that the run has not read, and answers that arrived after a decision and changed nothing.
   *
   * @param parent the run that started it; null if there is none, or if it is no longer kept
   */
  public static List<HistoryEntry> of(
      Run run,
      @Nullable RunId parent,
      Iterable<JournalRow> journal,
      List<Wait> waits,
      List<Wait.LaterAnswer> laterAnswers) {
    var entries = new ArrayList<HistoryEntry>();
    lines(run, parent, journal, waits, laterAnswers).forEach(entries::add);
    return List.copyOf(entries);
  }

  /** As above, read entry by entry: memory holds a part of the journal, however long it is. */
  public static Iterable<HistoryEntry> lines(
      Run run,
      @Nullable RunId parent,
      Iterable<JournalRow> journal,
      List<Wait> waits,
      List<Wait.LaterAnswer> laterAnswers) {
    return () -> new RunHistory(run, parent, journal.iterator(), waits, laterAnswers);
  }

  /**
   * A part of the same. Lines tell of earlier ones, so the journal is read from its beginning, but
   * only the lines of the page are kept in memory.
   *
   * @param after the number of the last entry of the page before; 0 for the first page
   */
  public static HistoryPage page(Iterable<HistoryEntry> lines, long after, int limit) {
    var entries = new ArrayList<HistoryEntry>();
    long characters = 0;
    for (HistoryEntry line : lines) {
      if (line.seq() <= after) {
        continue;
      }
      if (entries.size() == limit || characters > PAGE_CHARACTERS) {
        return new HistoryPage(entries, true);
      }
      entries.add(line);
      characters += lengthOf(line.output()) + lengthOf(line.evidence());
    }
    return new HistoryPage(entries, false);
  }

  private static long lengthOf(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && !isOver) {
      if (journal.hasNext()) {
        read(journal.next());
      } else {
        isOver = true;
        readWaits();
      }
    }
    return !ready.isEmpty();
  }

  @Override
  public HistoryEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  private void readWaits() {
    for (Wait wait : waits) {
      if (isDecidedForStep(wait) && !settled.contains(wait.number())) {
        add(decided(wait));
      }
    }
    for (Wait.LaterAnswer later : laterAnswers) {
      for (Wait wait : waits) {
        if (wait.number() == later.number()) {
          add(late(wait, later));
        }
      }
    }
  }

  /** A decision about an effect in review is in the journal as the effect's own entry. */
  private static boolean isDecidedForStep(Wait wait) {
    return wait.isAwaited() && wait.state() == WaitState.DECIDED && wait.kind() != Wait.Kind.REVIEW;
  }

  private HistoryLine decided(Wait wait) {
    Instant at = wait.settledAt() == null ? wait.createdAt() : wait.settledAt();
    return steps.read(
        new WaitEntry.WaitSettled(
            wait.step(), wait.number(), wait.state(), wait.decision(), wait.by(), at),
        place(at));
  }

  private HistoryLine late(Wait wait, Wait.LaterAnswer later) {
    String by = later.by() == null ? "" : " by " + later.by();
    return place(later.at())
        .line("answer-ignored")
        .step(wait.step())
        .state(wait.state().word())
        .decision("an answer%s changed nothing: the first decision counts".formatted(by))
        .evidence(later.decision());
  }

  private void read(JournalRow row) {
    ListIterator<Answer> answers = row.readAnswers().listIterator();
    for (JournalEntry entry : row.readEntries()) {
      if (entry instanceof WaitEntry.WaitSettled decision) {
        settled.add(decision.number());
      }
      add(read(entry, answers, place(row.at())));
    }
  }

  private HistoryLine read(JournalEntry entry, ListIterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case StepEntry step -> steps.read(step, answers, place);
      case EffectEntry effect -> effects.read(effect, answers, place);
      case LoopEntry loop -> steps.read(loop, place);
      case WaitEntry wait -> steps.read(wait, place);
      case CallEntry call -> calls.read(call, answers, place);
      case LockEntry lock -> steps.read(lock, answers, place);
      case RunEntry whole -> readRun(whole, answers, place);
    };
  }

  private HistoryLine readRun(RunEntry entry, ListIterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case RunEntry.Alerted e -> {
        Answer answer = answers.hasNext() ? answers.next() : null;
        if (answer instanceof ClaimAnswer.Refused) {
          yield place.refused().key(e.message());
        }
        boolean isFresh = !(answer instanceof Answer.Spawned spawned) || spawned.isFresh();
        yield place
            .line("alerted")
            .key(e.message())
            .decision(
                "%s: %s run %s"
                    .formatted(
                        e.alert().word(),
                        isFresh ? "delivered by" : "already delivered by",
                        e.delivery()));
      }
      case RunEntry.Notified e -> {
        Answer answer = answers.hasNext() ? answers.next() : null;
        yield answer instanceof ClaimAnswer.Refused
            ? place.refused().key(e.message())
            : place
                .line("notified")
                .step(e.step())
                .key(e.message())
                .decision("to %s: delivered by run %s".formatted(e.destination(), e.delivery()));
      }
      case RunEntry.Retried e ->
          place
              .line("retried")
              .decision(
                  "by "
                      + e.actor()
                      + (e.input() == null ? "" : " with corrected input")
                      + (answers.hasNext() ? "; waits for its slot" + behind(answers) : ""))
              .evidence(e.previousInput());
      case RunEntry.Replayed e -> replayed(e, answers, place);
      case RunEntry.Queued e ->
          place
              .line("queued")
              .state("queued")
              .decision(
                  "waits for one of the slots of flow '%s', %s%s"
                      .formatted(run.flow(), e.gate().told(), behind(answers)));
      case RunEntry.TurnAwaited e -> awaited(e, place);
      case RunEntry.Occurred e ->
          place
              .line("occurred")
              .decision(
                  "its event happened at %s, in a period whose records may be lost: the run may send something a second time"
                      .formatted(e.occurredAt()));
      case RunEntry.CodeMissing e ->
          place
              .line("code-missing")
              .decision(
                  "waits for the code of flow '%s' release %d, which is not registered"
                      .formatted(run.flow(), e.release()));
      case RunEntry.Quarantined e ->
          place
              .line("quarantined")
              .state("review")
              .decision(
                  "kept out of memory until a person resumes or cancels it, because it seems to have ended the server")
              .evidence(e.evidence());
      case RunEntry.Resumed e ->
          place.line("resumed").decision("by " + e.actor()).evidence(e.reason());
      case RunEntry.TriedNow e ->
          place.line("tried-now").decision("by " + e.actor() + ": the next attempt is due now");
      case RunEntry.SlotGranted _ -> place.line("slot").decision("has its slot and continues");
      case RunEntry.CancelRequested e ->
          place.line("cancel-requested").decision("by " + e.actor()).evidence(e.reason());
      case RunEntry.KeyForgotten e ->
          place.line("key-forgotten").decision("by " + e.actor()).evidence(e.reason());
      case RunEntry.ValuesErased e ->
          place
              .line("erased")
              .decision("the values of the run were erased for a person, by " + e.actor())
              .evidence(e.reason());
      case RunEntry.TimedOut e -> place.line("timed-out").until(e.timeoutAt());
      case RunEntry.CompensationStarted e ->
          place
              .line("compensation-started")
              .error(e.cause())
              .decision("the effects of this run are undone, the last one first");
      case RunEntry.Ended e ->
          JournalRow.refusesEnd(answers)
              ? place.refused().evidence("it would have ended as " + e.status().word())
              : place.line("ended").state(e.status().word()).output(e.output()).error(e.error());
    };
  }

  private static HistoryLine replayed(
      RunEntry.Replayed e, Iterator<Answer> answers, LinePlace place) {
    ReplayTerms terms = e.terms();
    Step from = terms.from();
    var said = new StringBuilder("by ").append(e.actor());
    said.append(from == null ? " from its beginning" : " from step " + from);
    if (e.release() != null) {
      said.append(", on release ").append(e.release());
    }
    if (e.input() != null) {
      said.append(", with corrected input");
    }
    terms.outputs().forEach(one -> said.append(", with corrected output of ").append(one.step()));
    terms.ask().forEach(one -> said.append(", asks ").append(one).append(" again"));
    terms
        .force()
        .forEach(
            one ->
                said.append(", sends effect '%s' '%s' again".formatted(one.name(), one.key()))
                    .append(": ")
                    .append(one.reason()));
    if (answers.hasNext()) {
      said.append("; waits for its slot").append(behind(answers));
    }
    HistoryLine line = place.line("replayed").decision(said.toString()).evidence(e.reason());
    return from == null ? line : line.step(from);
  }

  private HistoryLine awaited(RunEntry.TurnAwaited turn, LinePlace place) {
    Step step = turn.step();
    HistoryLine line =
        place.line("turn-awaited").decision("waits: " + turn.because()).until(turn.until());
    return step == null ? line.state("queued") : line.step(step);
  }

  private static String behind(Iterator<Answer> answers) {
    if (!(answers.hasNext()
        && answers.next() instanceof Answer.Queued(var behind, var displaced))) {
      return "";
    }
    String asked =
        displaced.isEmpty()
            ? ""
            : "; %d older runs were asked to cancel".formatted(displaced.size());
    return ", behind run " + behind + asked;
  }

  private LinePlace place(Instant at) {
    return new LinePlace(last + 1, at);
  }

  private void add(HistoryLine line) {
    last++;
    ready.add(line.entry());
  }
}
