package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.RunContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs parts of a body in parallel and collects their results. */
final class Branches<T extends @Nullable Object> {
  private static final int MOST = 256;

  private final EngineParts parts;
  private final Fiber parent;
  private final StepPlace context;

  /** The result of one branch. */
  private static final class Outcome<T extends @Nullable Object> {
    private volatile @Nullable T result;
    private volatile @Nullable Throwable failure;
  }

  Branches(EngineParts parts, Fiber parent, StepPlace context) {
    this.parts = parts;
    this.parent = parent;
    this.context = context;
  }

  List<T> run(List<? extends RunContext.Branch<? extends T>> branches) throws Exception {
    if (branches.size() > MOST) {
      throw new IllegalArgumentException(
          "parallel: expected at most %d branches, got %,d. Use forEach for many items."
              .formatted(MOST, branches.size()));
    }
    var fork = new Fork(parent, parts.threads());
    int number = parent.nextFork();
    var outcomes = new ArrayList<Outcome<T>>();
    for (RunContext.Branch<? extends T> branch : branches) {
      var outcome = new Outcome<T>();
      int index = outcomes.size();
      outcomes.add(outcome);
      fork.start("hapax-branch", () -> carryOut(fork, parent.fork(number, index), branch, outcome));
    }
    fork.join();
    return results(outcomes);
  }

  @SuppressWarnings("CatchingThrowable") // the parent's thread rethrows it, of any kind
  private void carryOut(
      Fork fork, Fiber fiber, RunContext.Branch<? extends T> branch, Outcome<T> outcome) {
    fork.carryOut(
        fiber,
        parent,
        () -> {
          try {
            outcome.result = branch.run(context.in(fiber));
            fiber.checkEnd("ends this branch");
          } catch (Throwable e) {
            Unwind unanswered = fiber.pass().fence().closeIfUnanswered(e);
            outcome.failure = unanswered == null ? e : unanswered;
          }
        });
  }

  /** Returns the results after every branch has ended. The first failure in order fails all. */
  @SuppressWarnings("NullAway") // null only where the branch returned null
  private List<T> results(List<Outcome<T>> outcomes) throws Exception {
    List<T> results = new ArrayList<>();
    for (Outcome<T> outcome : outcomes) {
      switch (outcome.failure) {
        case null -> results.add(outcome.result);
        case Error error -> throw error;
        case Exception exception -> throw exception;
        default -> throw new IllegalStateException(outcome.failure);
      }
    }
    return results;
  }
}
