package dev.hapax.time;

/** Random numbers, for jitter and for identities that must not be guessed or collide. */
public interface RandomSource {
  long nextLong();

  /** From 0 (inclusive) to 1 (exclusive). */
  double nextDouble();
}
