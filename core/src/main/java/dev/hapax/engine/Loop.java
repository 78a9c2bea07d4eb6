package dev.hapax.engine;

import dev.hapax.effect.Unwind;
import dev.hapax.flow.Each;
import dev.hapax.flow.Items;
import dev.hapax.flow.RunContext;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Step;
import dev.hapax.store.NoAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
  private final RunContext.ItemBody<T> body;
  // Guarded by this.
  private long succeeded;
  private long failed;
  private final List<Failure> failures = new ArrayList<>();

  Loop(
      EngineParts parts,
      Fiber parent,
      StepPlace context,
      @Nullable String outer,
      Each<T> each,
      RunContext.ItemBody<T> body) {
    this.parts = parts;
    this.parent = parent;
    this.context = context;
    this.outer = outer;
    this.each = each;
    this.body = body;
  }

  Items run(String name) {
    Step step = context.step(name);
    int number = parent.nextFork();
    StepState state =
        context.<@Nullable StepState>inEngine(
            name, StepKind.LOOP, (_, found) -> begin(step, found));
    Items items;
    if (state instanceof StepState.Looped(var found)) {
      items = found;
      if (parent.pass().isCompensating()) {
        handleItems(step, number, false); // its items say how to undo their effects
      }
    } else {
      handleItems(step, number, state == null && step.round() == null);
      if (parent.pass().isCompensating()) {
        throw parent.stop(); // it had not ended, and does not go on
      }
      items = end(step);
    }
    if (!items.allSucceeded()) {
      parent.notePartial(partial(step, items));
    }
    return items;
  }

  private @Nullable StepState begin(Step step, @Nullable StepState found) {
    if (found instanceof StepState.Looped) {
      return found;
    }
    refuseBadItems(step);
    if (found
        == null) { // one that was begun may have something in doubt, so its items stop themselves
      context.stopIfAsked();
      parent.add(new JournalEntry.LoopStarted(step, each.items().size()));
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
                  "a loop takes at most %,d items, got %,d. Start a child run per part of them."
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
                    "two items have the key '%s'. A key belongs to one item: add what tells them apart."
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
   * Two loops over the same items share their lanes. The ends of the earlier loop's items must be
   * in the store when this loop reads them; otherwise the body seems not to have reached what they
   * sent.
   */
  private void awaitWhatOthersWrote() {
    parent.pass().fence().enter(parent);
    try {
      parent.commit();
    } finally {
      parent.pass().fence().leave(parent);
    }
  }

  private Items end(Step step) {
    JournalEntry.LoopEnded ended;
    synchronized (this) {
      ended = new JournalEntry.LoopEnded(step, succeeded, failed, List.copyOf(failures));
    }
    parent.pass().fence().enter(parent);
    try {
      parent.add(ended);
      parent.pass().lanes().loopEnded(step);
    } finally {
      parent.pass().fence().leave(parent);
    }
    return StepState.Looped.of(ended).items();
  }

  private void handleAll(Fork fork, ItemQueue<T> queue, Step step, int number) {
    Fiber worker = parent.fork(parent.lane());
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
    switch (isReplayed ? null : next.lane().endOf(itemStep)) {
      case StepState.Finished _ -> count(null);
      case StepState.Failed(_, var error) -> count(error);
      case null, default -> {
        Fiber fiber = parent.forkItem(number, next.item(), next.lane());
        fork.carryOut(fiber, worker, () -> handle(fiber, itemStep, next));
      }
    }
  }

  @SuppressWarnings(
      "CatchingThrowable") // also an Error of the body: one bad item never stops others
  private void handle(Fiber fiber, Step itemStep, ItemQueue.Next<T> next) {
    if (!fiber.pass().isCompensating() && parts.draining().getAsBoolean()) {
      throw fiber.lookAgain(); // another engine may have begun this item by now, and ended it
    }
    Failure failure = null;
    try {
      body.run(context.in(fiber, next.item()), next.value());
      fiber.checkEnd("ends item '%s'".formatted(next.item()));
      failure = fiber.partial();
    } catch (Unwind unwind) {
      throw unwind;
    } catch (NoAnswer e) {
      throw fiber.pass().fence().closeFor(e);
    } catch (Throwable thrown) {
      failure = RunPass.failureOf(thrown);
      failure = failure.item() == null ? failure.at(itemStep) : failure;
    }
    if (fiber.pass().isCompensating()) {
      return; // how it ended is on record
    }
    fiber.pass().fence().enter(fiber); // a body that has swallowed an unwind goes no further
    try {
      fiber.endItem(itemStep, failure);
    } finally {
      fiber.pass().fence().leave(fiber);
    }
    count(failure);
  }

  private synchronized void count(@Nullable Failure failure) {
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
