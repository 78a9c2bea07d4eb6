package dev.hapax.flow;

/** A lock that a run holds, as the locked section sees it. */
public interface Lock {
  String key();

  /**
   * Returns a number that grows with each holder of this key, and stays the same over crashes of
   * this holder. Pass it to the destination, so that it can refuse earlier holders of the lock.
   */
  long fence();
}
