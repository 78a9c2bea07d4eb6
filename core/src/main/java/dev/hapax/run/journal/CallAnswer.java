package dev.hapax.run.journal;

import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import org.jspecify.annotations.Nullable;

/** What a run learns about the child run that it has called. */
public sealed interface CallAnswer extends Answer {
  /** The child's number. */
  long child();

  /**
   * The child has not ended; its end wakes the caller.
   *
   * @param isOwn whether the caller started it; otherwise the caller only waits for it
   * @param begins whether this commit started it, or let it go on after a failure
   * @param inputDiffers whether it was started with another input than the call's
   */
  record UnderWay(long child, boolean isOwn, boolean begins, boolean inputDiffers)
      implements CallAnswer {}

  /** The child has ended, and the caller need not wait. */
  record Ended(
      long child,
      boolean isOwn,
      boolean inputDiffers,
      RunStatus status,
      @Nullable String output,
      @Nullable Failure error)
      implements CallAnswer {}

  /** The child's key belongs to a run with another input, and the child's flow refuses that. */
  record KeyReused(long child) implements CallAnswer {}

  /** The child waits for the caller, perhaps through others: neither would ever end. */
  record Cycle(long child) implements CallAnswer {}

  /** The caller is to end, and no longer waits for a run that others have started. */
  record LetGo(long child) implements CallAnswer {}

  /** The child is no longer kept. */
  record Gone(long child) implements CallAnswer {}
}
