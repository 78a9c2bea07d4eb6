package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an effect is undone: what to send, and the guard that makes repeating it safe. The undo is a
 * separate effect in the ledger, under the effect's name with {@code .undo}, so it has its own wire
 * key.
 */
public final class Undo {
  /** Only the guard of these drafts is used: the key of an undo is that of its effect. */
  private static final String ANY = "undo";

  private final Guard guard;
  private final Effect.Terms terms;
  private final RunContext.Action action;

  private Undo(Guard guard, Effect.Terms terms, RunContext.Action action) {
    this.guard = guard;
    this.terms = terms;
    this.action = action;
  }

  /** The destination removes duplicates by the key we send, for 24 hours. */
  public static Undo keyed(RunContext.Action action) {
    return keyed(Guard.Keyed.USUAL_WINDOW, action);
  }

  /** The destination removes duplicates by the key we send, within this window. */
  public static Undo keyed(Duration window, RunContext.Action action) {
    return of(Effect.create(ANY).keyed(window), action);
  }

  /** As {@link #keyed(Duration, RunContext.Action)}. After the window, a lookup settles a doubt. */
  public static Undo keyed(Duration window, Effect.LookupBy lookup, RunContext.Action action) {
    return of(Effect.create(ANY).keyed(window, lookup), action);
  }

  /** The operation itself can be repeated: DELETE, PUT of what was there before. */
  public static Undo upsert(RunContext.Action action) {
    return of(Effect.create(ANY).upsert(), action);
  }

  /** A read by key shows whether it was undone. The lookup also runs before the first send. */
  public static Undo lookup(Effect.LookupBy lookup, RunContext.Action action) {
    return of(Effect.create(ANY).lookup(lookup), action);
  }

  /** As {@link #lookup(Effect.LookupBy, RunContext.Action)}. "Not found" counts after this time. */
  public static Undo lookup(Effect.LookupBy lookup, Duration settle, RunContext.Action action) {
    return of(Effect.create(ANY).lookup(lookup, settle), action);
  }

  /** Nothing removes a duplicate. A person settles a doubt. */
  public static Undo unguarded(RunContext.Action action) {
    return unguarded(OnDoubt.REVIEW, action);
  }

  public static Undo unguarded(OnDoubt onDoubt, RunContext.Action action) {
    return of(Effect.create(ANY).unguarded(onDoubt), action);
  }

  /** A marker row commits together with the write in the destination's own database. */
  public static <C> Undo transaction(DestinationDatabase<C> database, Write<C> write) {
    return of(
        Effect.create(ANY).transaction(database).effect(),
        key ->
            database.once(
                key,
                connection -> {
                  write.send(key, connection);
                  return "null";
                }));
  }

  /** Writes the undo through the connection that also writes its marker. */
  @FunctionalInterface
  public interface Write<C> {
    void send(String key, C connection) throws Exception;
  }

  public Undo retry(RetryPolicy retry) {
    return new Undo(guard, terms.retry(retry), action);
  }

  /** Sets how long one attempt may take; 30 s by default. */
  public Undo timeout(Duration timeout) {
    return new Undo(guard, terms.timeout(timeout), action);
  }

  /** Sets the destination, if it is not that of the effect that it undoes. */
  public Undo to(String destination) {
    return new Undo(guard, terms.to(destination), action);
  }

  public Guard guard() {
    return guard;
  }

  public Effect.Terms terms() {
    return terms;
  }

  public RunContext.Action action() {
    return action;
  }

  /**
   * Returns the contract of this undo for the effect with this name and key in the ledger.
   *
   * @param destination of that effect
   */
  public Effect<Void> of(Kind kind, String name, String key, @Nullable String destination) {
    Undo there = destination == null || terms.destination() != null ? this : to(destination);
    return Effect.undoing(kind, name, key, there);
  }

  private static Undo of(Effect<?> contract, RunContext.Action action) {
    return new Undo(contract.guard(), contract.terms(), action);
  }
}
