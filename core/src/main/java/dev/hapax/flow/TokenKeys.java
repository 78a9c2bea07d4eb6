package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the keys with which the tokens of callbacks and approval links are made. A person who
 * knows such a key can forge them. Each wait stores the version of its key, so a new key leaves the
 * tokens of open waits as they are. Called by many threads, for every token.
 */
public interface TokenKeys {
  /**
   * The version of the key that a store makes for itself if no other is supplied. That key is in
   * the database, readable.
   */
  int OF_STORE = 0;

  /** Returns the version of the key for new waits. */
  int current();

  /**
   * Returns the key of this version, at least 32 random bytes; null if there is none any more. Then
   * all tokens that were made with it answer as unknown.
   */
  byte @Nullable [] find(int version);
}
