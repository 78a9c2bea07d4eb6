package dev.hapax.app.demo;

import java.util.Objects;
import java.util.SplittableRandom;

/** How an outside system treats one request. */
enum Trouble {
  NONE,
  /** Done and answered, but slowly. */
  SLOW,
  /** 429: nothing was done, and it says so. */
  BUSY,
  /** 503, and nothing was done; the caller cannot know. */
  FAILS_BEFORE,
  /** 503, and yet it was done; the caller cannot know. */
  FAILS_AFTER,
  /** The connection breaks, and nothing was done; the caller cannot know. */
  LOSES_REQUEST,
  /** Done, and the connection breaks before the answer; the caller cannot know. */
  LOSES_ANSWER,
  /** Done long after the caller has stopped waiting. */
  TOO_LATE;

  /**
   * The trouble of the n-th request about an order. It follows from the seed alone, not from which
   * request happens to be first, so that a seed means the same on every machine.
   */
  static Trouble of(long seed, Happening kind, String order, int nth) {
    double chance = chance(seed, kind.effect(), order, nth);
    return kind == Happening.MAIL ? ofMail(chance) : ofMoney(chance);
  }

  /** Some orders can never be sent, by any request. */
  static boolean isOutOfStock(long seed, String order) {
    return chance(seed, "stock", order, 0) < 0.05;
  }

  private static double chance(long seed, String what, String order, int nth) {
    return new SplittableRandom(seed * 31 + Objects.hash(what, order, nth)).nextDouble();
  }

  private static Trouble ofMoney(double chance) {
    if (chance < 0.05) {
      return LOSES_ANSWER;
    } else if (chance < 0.07) {
      return LOSES_REQUEST;
    } else if (chance < 0.10) {
      return FAILS_BEFORE;
    } else if (chance < 0.12) {
      return FAILS_AFTER;
    } else if (chance < 0.14) {
      return TOO_LATE;
    } else if (chance < 0.17) {
      return BUSY;
    }
    return chance < 0.30 ? SLOW : NONE;
  }

  /** Rarely ambiguous: only Hapax prevents a second mail, so each doubt costs a person's time. */
  private static Trouble ofMail(double chance) {
    if (chance < 0.008) {
      return LOSES_ANSWER;
    } else if (chance < 0.016) {
      return LOSES_REQUEST;
    } else if (chance < 0.05) {
      return BUSY;
    }
    return chance < 0.20 ? SLOW : NONE;
  }
}
