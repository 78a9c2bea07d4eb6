package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * How a round of {@link RunContext#repeat} ends.
 *
 * @param state what the next round gets, or what the repetition returns
 * @param isLast whether no round follows
 */
public record Repetition<S>(@Nullable S state, boolean isLast) {
  /** Another round follows, which gets this state. */
  public static <S> Repetition<S> again(@Nullable S state) {
    return new Repetition<>(state, false);
  }

  /** This was the last round, and this is its result. */
  public static <S> Repetition<S> done(@Nullable S state) {
    return new Repetition<>(state, true);
  }
}
