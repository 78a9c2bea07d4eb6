package dev.hapax.testkit.simulation;

import dev.hapax.flow.Kind;
import dev.hapax.flow.OnDoubt;
import dev.hapax.flow.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A system outside, and the contract under which flows use it. All flows share it, because the
 * effect's name in the ledger is the destination's name.
 *
 * @param window how long it remembers keys, if it is keyed
 * @param looksUp whether it can be asked by key
 * @param settle how long after the timeout a request may still land
 */
public record SimulatedDestination(
    String name,
    Kind kind,
    Guarded guard,
    Duration window,
    boolean looksUp,
    OnDoubt onDoubt,
    Duration timeout,
    Duration settle,
    RetryPolicy retry) {

  /** The guard that removes duplicates. */
  enum Guarded {
    KEYED,
    UPSERT,
    TRANSACTION,
    LOOKUP,
    NONE
  }

  private static final RetryPolicy PATIENT =
      RetryPolicy.DEFAULT.attempts(4).delay(Duration.ofSeconds(2)).within(Duration.ofMinutes(40));
  private static final RetryPolicy HASTY =
      RetryPolicy.DEFAULT.attempts(3).delay(Duration.ofMillis(50)).within(Duration.ofMinutes(3));

  static final List<SimulatedDestination> ALL =
      List.of(
          of("charge", Kind.CREATE, Guarded.KEYED),
          of("ticket", Kind.CREATE, Guarded.KEYED).window(Duration.ofMinutes(10)).lookingUp(),
          of("voucher", Kind.NOTIFY, Guarded.KEYED).window(Duration.ofMinutes(5)),
          of("profile", Kind.UPDATE, Guarded.UPSERT),
          of("price", Kind.UPDATE, Guarded.KEYED),
          of("account", Kind.CREATE, Guarded.TRANSACTION),
          of("invoice", Kind.CREATE, Guarded.LOOKUP).lookingUp(),
          of("mail", Kind.NOTIFY, Guarded.NONE),
          of("sms", Kind.NOTIFY, Guarded.NONE).onDoubt(OnDoubt.SKIP),
          of("push", Kind.NOTIFY, Guarded.NONE).onDoubt(OnDoubt.REPEAT),
          of("points", Kind.ADDITIVE, Guarded.KEYED),
          of("label", Kind.CREATE, Guarded.UPSERT));

  /** Hands a token to a system that answers by it. */
  static final SimulatedDestination ASK = of("ask", Kind.NOTIFY, Guarded.KEYED);

  /** Used by runs that are kept for a short time only. */
  static final SimulatedDestination COUPONS =
      of("coupons", Kind.CREATE, Guarded.KEYED).window(Duration.ofMinutes(4));

  /** Has a low limit on calls. */
  static final SimulatedDestination SCARCE = of("scarce", Kind.CREATE, Guarded.KEYED);

  private static final String UNDO = ".undo";

  private static SimulatedDestination of(String name, Kind kind, Guarded guard) {
    return new SimulatedDestination(
        name,
        kind,
        guard,
        Duration.ofHours(24),
        false,
        OnDoubt.REVIEW,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        name.length() % 2 == 0 ? PATIENT : HASTY);
  }

  static SimulatedDestination named(String name) {
    if (name.endsWith(UNDO)) {
      return named(name.substring(0, name.length() - UNDO.length())).undo();
    }
    return Stream.concat(ALL.stream(), Stream.of(ASK, COUPONS, SCARCE))
        .filter(one -> one.name.equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns the destination that undoes effects of this one: the same contract, with its own keys.
   */
  SimulatedDestination undo() {
    Kind undone = kind == Kind.ADDITIVE ? Kind.ADDITIVE : Kind.CREATE;
    return new SimulatedDestination(
        name + UNDO, undone, guard, window, looksUp, onDoubt, timeout, settle, retry);
  }

  /** Returns the name of the effects that are undone here; null if this is no undo. */
  @Nullable String undoes() {
    return name.endsWith(UNDO) ? name.substring(0, name.length() - UNDO.length()) : null;
  }

  String guardWord() {
    return guard.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether a request that the network doubles changes nothing. With the other guards Hapax decides
   * only how often it sends, and cannot prevent that one request arrives twice.
   */
  boolean removesDuplicates() {
    return guard == Guarded.KEYED || guard == Guarded.UPSERT || guard == Guarded.TRANSACTION;
  }

  /**
   * Whether code may take as long as it likes before it sends. A key is remembered only for a
   * while: a sender that uses it later has broken the contract.
   */
  boolean outlastsEveryAttempt() {
    return guard != Guarded.KEYED;
  }

  /** No request lands after this time: the destination's part of the contract. */
  Duration longestOnTheWay() {
    Duration minute = Duration.ofMinutes(1);
    return timeout.plus(settle.compareTo(minute) < 0 ? settle : minute);
  }

  boolean mayRepeat() {
    return guard == Guarded.NONE && onDoubt == OnDoubt.REPEAT;
  }

  SimulatedDestination window(Duration remembers) {
    return new SimulatedDestination(
        name, kind, guard, remembers, looksUp, onDoubt, timeout, settle, retry);
  }

  SimulatedDestination lookingUp() {
    return new SimulatedDestination(
        name, kind, guard, window, true, onDoubt, timeout, settle, retry);
  }

  SimulatedDestination onDoubt(OnDoubt rule) {
    return new SimulatedDestination(
        name, kind, guard, window, looksUp, rule, timeout, settle, retry);
  }

  SimulatedDestination settle(Duration time) {
    return new SimulatedDestination(
        name, kind, guard, window, looksUp, onDoubt, timeout, time, retry);
  }

  SimulatedDestination timeout(Duration time) {
    return new SimulatedDestination(
        name, kind, guard, window, looksUp, onDoubt, time, settle, retry);
  }
}
