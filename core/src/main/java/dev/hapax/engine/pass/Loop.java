package dev.hapax.engine.pass;

import dev.hapax.effect.Payload;
import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Each;
import dev.hapax.flow.Failure;
import dev.hapax.flow.ItemResults;
import dev.hapax.flow.Items;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.RawType;
import dev.hapax.run.journal.LoopEntry;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles the items of a loop in parallel, each in its own fiber. The journal of an item is read
 * when its turn comes and dropped when it has ended. So the memory of a loop depends on how many
 * items are under way, not on how many there are.
 */
final class Loop<T> {
  private static final int MOST_ITEMS = 100_000;
  private static final int MOST_TOLD = 20;

  /** Ended items on their way to the disk, per thread. */
  private static final int MOST_UNAWAITED = 16;

  private final EngineParts parts;
  private final Fiber parent;
  private final StepPlace context;
  private final @Nullable String outer;
  private final Each<T> each;
  private final RunContext.ItemWork<T, ? extends @Nullable Object> work;
  private final @Nullable Type resultType;
  private final ItemOutputs outputs = new ItemOutputs();
  // Guarded by this.
  private long succeeded;
  private long failed;
  private final List<Failure> failures = new ArrayList<>();

  /**
   * A loop at this place.
   *
   * @param resultType of its items; null if they have no results
   */
  Loop(
      EngineParts parts,
      Fiber parent,
      StepPlace context,
      @Nullable String outer,
      Each<T> each,
      RunContext.ItemWork<T, ? extends @Nullable Object> work,
      @Nullable Type resultType) {
    this.parts = parts;
    this.parent = parent;
    this.context = context;
    this.outer = outer;
    this.each = each;
    this.work = work;
    this.resultType = resultType;
  }

  StepState.Looped run(String name) {
    Step step = context.step(name);
    int number = parent.nextFork();
    StepState state =
        context.<@Nullable StepState>inEngine(
            name, StepKind.LOOP, (_, found) -> begin(step, found));
    StepState.Looped ended;
    if (state instanceof StepState.Looped found) {
      ended = found;
      if (parent.pass().isCompensating()) {
        handleItems(step, number, false); // its items say how to undo their effects
      }
    } else {
      handleItems(step, number, state == null && step.round() == null);
      if (parent.pass().isCompensating()) {
        throw parent.stop(); // it had not ended, and does not go on
      }
      ended = end(step);
    }
    if (!ended.items().allSucceeded()) {
      parent.notePartial(partial(step, ended.items()));
    }
    return ended;
  }

  /** Runs the loop and returns the results of its items, which the journal holds as one value. */
  <R> ItemResults<R> results(String name) {
    StepState.Looped ended = run(name);
    Step step = context.step(name);
    String results = ended.results();
    if (results == null) {
      throw StepFailures.of(tooLarge().at(step));
    }
    parent.pass().fence().enter(parent);
    try {
      return new ItemResults<>(
          ended.items(),
          ItemOutputs.read(context.valueOf(results), Objects.requireNonNull(resultType)));
    } catch (NotSerializable e) {
      String message = "the results of its items cannot be read: " + e.getMessage();
      throw StepFailures.of(Failure.of(e.code(), message, false).at(step));
    } catch (ResourceNotFound e) {
      String message = "the results of its items are gone: " + e.getMessage();
      throw StepFailures.of(Failure.of("not-serializable", message, false).at(step));
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  private Failure tooLarge() {
    return Failure.of(
        "too-large",
        "the results of its %,d items have more than %,d bytes together, so they were not kept. Return less per item, or put large values into resources and return their references."
            .formatted(each.items().size(), ItemOutputs.LARGEST),
        false);
  }

  private @Nullable StepState begin(Step step, @Nullable StepState found) {
    if (found instanceof StepState.Looped) {
      return found;
    }
    refuseBadItems(step);
    if (found
        == null) { // one that was begun may have something in doubt, so its items stop themselves
      context.stopIfAsked();
      parent.add(new LoopEntry.LoopStarted(step, each.items().size()));
    }
    return found;
  }

  private void refuseBadItems(Step step) {
    String ambiguous = ItemPath.ambiguous(outer);
    if (ambiguous != null) {
      throw StepFailures.of(Failure.of("ambiguous-item", ambiguous, false).at(step));
    }
    if (each.items().size() > MOST_ITEMS) {
      throw StepFailures.of(
          Failure.of(
                  "too-many-items",
                  "a loop takes at most %,d items, got %,d. Split them into parts, and start a child run for each part."
                      .formatted(MOST_ITEMS, each.items().size()),
                  false)
              .at(step));
    }
    Set<String> keys = HashSet.newHashSet(each.items().size());
    for (T item : each.items()) {
      if (!keys.add(each.keyOf(item))) {
        throw StepFailures.of(
            Failure.of(
                    "duplicate-item",
                    "two items have the key '%s'. Each item needs its own key: add a value that differs."
                        .formatted(each.keyOf(item)),
                    false)
                .at(step));
      }
    }
  }

  private void handleItems(Step step, int number, boolean isFirst) {
    var fork = new Fork(parent, parts.threads());
    if (!isFirst) {
      awaitWhatOthersWrote();
    }
    var queue = new ItemQueue<>(parts, parent, outer, each, isFirst);
    int threads = Math.min(each.atOnce(), each.items().size());
    for (int i = 0; i < threads; i++) {
      fork.start("hapax-item", () -> handleAll(fork, queue, step, number));
    }
    fork.join();
  }

  /**
   * Two loops over the same items share their journals. The ends of the earlier loop's items must
   * be in the store when this loop reads them; otherwise the body seems not to have reached what
   * they sent.
   */
  private void awaitWhatOthersWrote() {
    parent.pass().fence().enter(parent);
    try {
      parent.commit();
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  private StepState.Looped end(Step step) {
    LoopEntry.LoopEnded ended;
    String results;
    parent.pass().fence().enter(parent);
    try {
      results = results();
      String kept = results == null ? null : parent.keep(results);
      synchronized (this) {
        ended = new LoopEntry.LoopEnded(step, succeeded, failed, List.copyOf(failures), kept);
      }
      parent.add(ended);
      parent.pass().itemJournals().loopEnded(step);
    } finally {
      parent.pass().fence().leave(parent);
    }
    return new StepState.Looped(StepState.Looped.of(ended).items(), results);
  }

  /** Stored once more as a whole: a later pass then reads one value and no items. */
  private @Nullable String results() {
    if (resultType == null) {
      return null;
    }
    String tenant = parent.pass().identity().tenant();
    try {
      return outputs.text(stored -> parts.values().valueOf(tenant, stored));
    } catch (NoAnswer e) {
      throw parent.pass().fence().closeFor(e);
    }
  }

  private void handleAll(Fork fork, ItemQueue<T> queue, Step step, int number) {
    Fiber worker = parent.fork(parent.journal());
    try {
      for (ItemQueue.Next<T> next; (next = queue.next()) != null; ) {
        handle(fork, worker, step, number, next);
        worker.writer().awaitAllBut(MOST_UNAWAITED);
      }
    } catch (RuntimeException e) {
      parent.pass().fence().closeFor(e);
    } finally {
      worker.writer().handOverTo(parent.writer());
    }
  }

  private void handle(Fork fork, Fiber worker, Step step, int number, ItemQueue.Next<T> next) {
    Step itemStep = new Step(step.name(), next.item(), step.round());
    boolean isReplayed = parent.pass().isCompensating();
    switch (isReplayed ? null : next.journal().endOf(itemStep)) {
      case StepState.Finished(_, var output) -> count(next, output, null);
      case StepState.Failed(_, var error) -> count(next, null, error);
      case null, default -> {
        Fiber fiber = parent.forkItem(number, next.item(), next.journal());
        fork.carryOut(fiber, worker, () -> handle(fiber, itemStep, next));
      }
    }
  }

  @SuppressWarnings(
      "CatchingThrowable") // also an Error of the body: one bad item never stops others
  private void handle(Fiber fiber, Step itemStep, ItemQueue.Next<T> next) {
    if (!fiber.pass().isCompensating()
        && parts.draining().concern(fiber.pass().identity().tenant())) {
      throw fiber.lookAgain(); // another engine may have begun this item by now, and ended it
    }
    Failure failure = null;
    String output = null;
    try {
      output = text(work.run(context.in(fiber, next.item()), next.value()));
      fiber.checkEnd("ends item '%s'".formatted(next.item()));
      failure = fiber.partial();
    } catch (Unwind unwind) {
      throw unwind;
    } catch (Throwable thrown) {
      Unwind unanswered = fiber.pass().fence().closeIfUnanswered(thrown);
      if (unanswered != null) {
        throw unanswered;
      }
      failure = StepFailures.from(thrown);
      failure = failure.item() == null ? failure.at(itemStep) : failure;
    }
    if (fiber.pass().isCompensating()) {
      return; // how it ended is on record
    }
    fiber.pass().fence().enter(fiber); // a body that has swallowed an unwind goes no further
    try {
      fiber.endItem(
          itemStep, failure, output == null || failure != null ? null : fiber.keep(output));
    } finally {
      fiber.pass().fence().leave(fiber);
    }
    count(next, failure == null ? output : null, failure);
  }

  /** Returns null if the items have no results. */
  private @Nullable String text(@Nullable Object result) {
    if (resultType == null) {
      return null;
    }
    RawType lost = RawType.lost(resultType, result);
    if (lost != null) {
      throw new NotSerializable("its result: " + lost.inStep());
    }
    return Payload.writeResult(result);
  }

  private synchronized void count(
      ItemQueue.Next<T> next, @Nullable String output, @Nullable Failure failure) {
    if (resultType != null) {
      outputs.ended(next.index(), each.keyOf(next.value()), output, failure);
    }
    if (failure == null) {
      succeeded++;
      return;
    }
    failed++;
    if (failures.size() < MOST_TOLD) {
      failures.add(failure);
    }
  }

  private static Failure partial(Step step, Items items) {
    Items.Failed first = items.failures().getFirst();
    String message =
        "%,d of %,d items failed, among them '%s': %s: %s"
            .formatted(
                items.failed(),
                items.failed() + items.succeeded(),
                first.item(),
                first.code(),
                first.message());
    return Failure.of("partial", message, true).at(step);
  }
}
