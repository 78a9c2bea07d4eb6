package dev.hapax.flow;

/** A lock that a run holds, as the section under it sees it. */
public interface Lock {
  String key();

  /**
   * A number that only grows from holder to holder of this key, and stays the same over crashes of
   * this one. Hand it to the destination, which can so refuse whoever held the lock before.
   */
  long fence();
}
