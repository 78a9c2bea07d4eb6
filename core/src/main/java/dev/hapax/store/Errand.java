package dev.hapax.store;

import dev.hapax.time.Signal;
import org.jspecify.annotations.Nullable;

/** A question to the store between two batches. The committer's thread asks; another one waits. */
final class Errand<T> {
  private final Committer.Question<T> question;
  private final Signal over;
  private volatile @Nullable T answer;

  Errand(Committer.Question<T> question, Signal over) {
    this.question = question;
    this.over = over;
  }

  void ask(boolean isAgain) {
    answer = question.ask(isAgain);
  }

  /** Ends the wait for the answer. */
  void end() {
    over.raise();
  }

  /** Waits for the answer; null if there is none. */
  @Nullable T await() {
    over.await();
    return answer;
  }
}
