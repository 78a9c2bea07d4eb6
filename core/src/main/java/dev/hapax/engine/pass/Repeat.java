package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.RawType;
import dev.hapax.run.journal.LoopEntry;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of a body that follow each other. Each round is an item: its end is in its own section of
 * the journal and holds the state for the next round. So a pass looks for the last round that ended
 * from the last checkpoint in the run's own section on, and reads no others.
 */
final class Repeat<S> {
  private static final int MOST_ROUNDS = 100_000;

  /** So many rounds after another, the run's own section notes how many have ended. */
  private static final int CHECKPOINT = 16;

  /** Groups of ended rounds on their way to the disk. */
  private static final int MOST_UNAWAITED = 16;

  private final EngineParts parts;
  private final Fiber parent;
  private final StepPlace context;
  private final @Nullable String outer;
  private final int maxRounds;
  private final RunContext.RepeatedWork<S> work;
  private final Type type;

  Repeat(
      EngineParts parts,
      Fiber parent,
      StepPlace context,
      @Nullable String outer,
      int maxRounds,
      RunContext.RepeatedWork<S> work,
      Type type) {
    if (maxRounds < 1 || maxRounds > MOST_ROUNDS) {
      throw new IllegalArgumentException(
          "rounds: expected 1 to %,d, got %,d".formatted(MOST_ROUNDS, maxRounds));
    }
    this.parts = parts;
    this.parent = parent;
    this.context = context;
    this.outer = outer;
    this.maxRounds = maxRounds;
    this.work = work;
    this.type = type;
  }

  @Nullable S run(String name) {
    Step step = context.step(name);
    int number = parent.nextFork();
    StepState state =
        context.<@Nullable StepState>inEngine(
            name, StepKind.LOOP, (_, found) -> begin(step, found));
    if (parent.pass().isCompensating()) {
      return undone(step, number, state);
    }
    if (state instanceof StepState.Looped(_, var results)) {
      return valueOf(step, String.valueOf(results));
    }
    boolean isFresh = state == null && step.round() == null;
    int noted = state instanceof StepState.Looping(int ended) ? ended : 0;
    RoundEnd last = isFresh ? null : lastEnded(step, noted);
    while (last == null || !last.isLast()) {
      int index = last == null ? 0 : last.index() + 1;
      if (index >= maxRounds) {
        throw StepFailures.of(tooMany().at(step));
      }
      last = round(step, number, index, last == null ? null : last.state(), isFresh);
      if ((index + 1) % CHECKPOINT == 0 && !last.isLast()) {
        note(step, index + 1);
      }
    }
    return end(step, last);
  }

  private @Nullable StepState begin(Step step, @Nullable StepState found) {
    String ambiguous = ItemPath.ambiguous(outer);
    if (ambiguous != null) {
      throw StepFailures.of(Failure.of("ambiguous-item", ambiguous, false).at(step));
    }
    if (found == null) {
      context.stopIfAsked();
      parent.add(new LoopEntry.LoopStarted(step, maxRounds, true, null));
    }
    return found;
  }

  private Failure tooMany() {
    return Failure.of(
        "too-many-rounds",
        "its %,d rounds have ended, and the last one asks for another. Allow more rounds, or correct the condition."
            .formatted(maxRounds),
        false);
  }

  /** Calls all rounds again, so that they say how to undo their effects. */
  private @Nullable S undone(Step step, int number, @Nullable StepState state) {
    RoundEnd last = null;
    while (last == null || !last.isLast()) {
      int index = last == null ? 0 : last.index() + 1;
      if (index >= maxRounds) {
        break;
      }
      last = round(step, number, index, last == null ? null : last.state(), false);
    }
    if (state instanceof StepState.Looped(_, var results)) {
      return valueOf(step, String.valueOf(results));
    }
    if (last == null || !last.isLast()) {
      throw StepFailures.of(tooMany().at(step)); // a body that caught it shows what it did next
    }
    throw parent.stop(); // it had not ended, and does not go on
  }

  // ---- the round that is next

  private void note(Step step, int ended) {
    parent.pass().fence().enter(parent);
    try {
      parent.add(new LoopEntry.LoopStarted(step, maxRounds, true, ended));
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  /** Looks from the checkpoint on: rounds end in their order. */
  private @Nullable RoundEnd lastEnded(Step step, int noted) {
    int last = -1;
    String output = null;
    int from = Math.max(0, noted - 1);
    for (int begin = from; begin < maxRounds; begin += CHECKPOINT + 1) {
      List<@Nullable StepState> ends =
          endsOf(step, begin, Math.min(maxRounds, begin + CHECKPOINT + 1));
      for (StepState end : ends) {
        if (!(end instanceof StepState.Finished(_, var its))) {
          return last < 0 && noted > 0
              ? lastEnded(step, 0) // a retry has opened it again
              : read(last, output);
        }
        last = last < 0 ? begin : last + 1;
        output = its;
      }
    }
    return read(last, output);
  }

  private List<@Nullable StepState> endsOf(Step step, int begin, int end) {
    List<Step> items =
        IntStream.range(begin, end).mapToObj(index -> itemStep(step, index)).toList();
    parent.pass().fence().enter(parent);
    try {
      if (outer == null) {
        return parent.pass().itemJournals().endsOf(items);
      }
      var ends = new ArrayList<@Nullable StepState>();
      items.forEach(item -> ends.add(parent.journal().endOf(item)));
      return ends;
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  private @Nullable RoundEnd read(int index, @Nullable String stored) {
    if (stored == null) {
      return null;
    }
    parent.pass().fence().enter(parent);
    try {
      return RoundEnd.read(
          index, parts.values().valueOf(parent.pass().identity().tenant(), stored));
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  private Step itemStep(Step step, int index) {
    return new Step(step.name(), ItemPath.within(outer, Integer.toString(index)), step.round());
  }

  // ---- one round

  private RoundEnd round(
      Step step, int number, int index, @Nullable String state, boolean isFresh) {
    Step item = itemStep(step, index);
    var fork = new Fork(parent, parts.threads());
    ItemJournal journal = journal(index, isFresh);
    StepState recorded = journal.endOf(item);
    if (!parent.pass().isCompensating() && recorded instanceof StepState.Failed(_, var error)) {
      throw StepFailures.of(error);
    }
    var outcome = new Outcome();
    String key = String.valueOf(item.item());
    fork.start(
        "hapax-round",
        () -> {
          Fiber worker = parent.fork(parent.journal());
          try {
            Fiber fiber = parent.forkItem(number, key, journal);
            fork.carryOut(fiber, worker, () -> handle(fiber, item, index, state, outcome));
          } catch (RuntimeException e) {
            parent.pass().fence().closeFor(e);
          } finally {
            worker.writer().handOverTo(parent.writer());
          }
        });
    fork.join();
    awaitAllButTheLast();
    if (recorded instanceof StepState.Finished(_, var end)) {
      RoundEnd known = read(index, end);
      if (known != null) {
        return known; // its condition may have another answer now
      }
    }
    Failure failure = outcome.failure.get();
    if (failure != null) {
      throw StepFailures.of(failure);
    }
    RoundEnd ended = outcome.ended.get();
    if (ended == null) {
      throw new IllegalStateException("round %d of %s has no end".formatted(index, step));
    }
    return ended;
  }

  /** Rounds that never wait would otherwise hold in memory what all of them have written. */
  private void awaitAllButTheLast() {
    try {
      parent.writer().awaitAllBut(MOST_UNAWAITED);
    } catch (RuntimeException e) {
      throw parent.pass().fence().closeFor(e);
    }
  }

  /** How a round ended, from its own thread. */
  private static final class Outcome {
    final AtomicReference<@Nullable RoundEnd> ended = new AtomicReference<>();
    final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
  }

  /** Rounds inside an item use the journal of the item. */
  private ItemJournal journal(int index, boolean isFresh) {
    if (outer != null) {
      return parent.journal();
    }
    String section = Integer.toString(index);
    parent.pass().fence().enter(parent);
    try {
      if (isFresh) {
        return new ItemJournal(section, parent.pass().itemJournals().learn(section, List.of()));
      }
      parent.commit(); // another loop with such an item may have written to the section
      return parent.pass().itemJournals().read(section);
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  @SuppressWarnings("CatchingThrowable") // also an Error of the body fails only its round
  private void handle(Fiber fiber, Step item, int index, @Nullable String state, Outcome outcome) {
    if (!fiber.pass().isCompensating()
        && parts.draining().concern(fiber.pass().identity().tenant())) {
      throw fiber.lookAgain();
    }
    Failure failure = null;
    String text = null;
    try {
      Repetition<S> repetition =
          work.run(context.in(fiber, item.item()), index, state == null ? null : typed(state));
      text = written(repetition);
      fiber.checkEnd("ends round %d".formatted(index));
      failure = fiber.partial();
    } catch (Unwind unwind) {
      throw unwind;
    } catch (Throwable thrown) {
      Unwind unanswered = fiber.pass().fence().closeIfUnanswered(thrown);
      if (unanswered != null) {
        throw unanswered;
      }
      failure = StepFailures.from(thrown);
      failure = failure.item() == null ? failure.at(item) : failure;
    }
    if (!fiber.pass().isCompensating()) {
      fiber.pass().fence().enter(fiber); // a body that has swallowed an unwind goes no further
      try {
        String kept = text == null || failure != null ? null : fiber.keep(text);
        fiber.endItem(item, failure, kept);
      } finally {
        fiber.pass().fence().leave(fiber);
      }
    }
    outcome.failure.set(failure);
    outcome.ended.set(text == null ? null : RoundEnd.read(index, text));
  }

  private String written(Repetition<S> repetition) {
    RawType lost = RawType.lost(type, repetition.state());
    if (lost != null) {
      throw new NotSerializable("its state: " + lost.inStep());
    }
    return RoundEnd.write(repetition);
  }

  @SuppressWarnings("unchecked") // the state was written as this type
  private S typed(String state) {
    return (S) Json.readAs(state, type);
  }

  // ---- the end

  private @Nullable S end(Step step, RoundEnd last) {
    String state = last.state();
    String text = state == null ? "null" : state;
    parent.pass().fence().enter(parent);
    try {
      String kept = parent.keep(text);
      parent.add(new LoopEntry.LoopEnded(step, last.index() + 1L, 0, List.of(), kept));
      parent.pass().itemJournals().loopEnded(step);
    } finally {
      parent.pass().fence().leave(parent);
    }
    return valueOf(step, text); // what was just kept can be read only after the commit
  }

  private @Nullable S valueOf(Step step, String stored) {
    parent.pass().fence().enter(parent);
    try {
      String text = context.valueOf(stored);
      return text.equals("null") ? null : typed(text);
    } catch (NotSerializable e) {
      String message = "its state cannot be read: " + e.getMessage();
      throw StepFailures.of(Failure.of(e.code(), message, false).at(step));
    } catch (ResourceNotFound e) {
      String message = "its state is gone: " + e.getMessage();
      throw StepFailures.of(Failure.of("not-serializable", message, false).at(step));
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    } finally {
      parent.pass().fence().leave(parent);
    }
  }
}
