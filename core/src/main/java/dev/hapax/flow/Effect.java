package dev.hapax.flow;

import dev.hapax.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The contract of a step that changes the outside world: its kind, its business key and the guard
 * that makes repeating it safe. Example: {@code Effect.create(order.id()).keyed()}.
 *
 * @param <R> the request that the intent stores, or Void
 */
public final class Effect<R> {
  private final Draft<R> draft;
  private final Guard guard;
  private final Terms terms;
  private final @Nullable Compensation<?> compensation;
  private final @Nullable ExternalId<?> externalId;

  private Effect(
      Draft<R> draft,
      Guard guard,
      Terms terms,
      @Nullable Compensation<?> compensation,
      @Nullable ExternalId<?> externalId) {
    this.draft = draft;
    this.guard = guard;
    this.terms = terms;
    this.compensation = compensation;
    this.externalId = externalId;
  }

  /** Describes an effect that happens once per business key, such as a charge or an order. */
  public static Draft<Void> create(String key) {
    return new Draft<>(Kind.CREATE, EffectKey.checked("an effect", key), null);
  }

  /**
   * Describes an effect that brings the destination to the newest content, such as a customer's
   * address. It needs its content ({@link Draft#request}), which distinguishes a change from a
   * repeat.
   */
  public static Draft<Void> update(String key) {
    return new Draft<>(Kind.UPDATE, EffectKey.checked("an effect", key), null);
  }

  /** Describes a message to people or systems, sent once per business key. */
  public static Draft<Void> notify(String key) {
    return new Draft<>(Kind.NOTIFY, EffectKey.checked("an effect", key), null);
  }

  /** Describes an effect that happens once per key in each run; other runs repeat it. */
  public static Draft<Void> additive(String key) {
    return new Draft<>(Kind.ADDITIVE, EffectKey.checked("an effect", key), null);
  }

  /**
   * Sets the name in the ledger, to share the effect between flows; {@code flow/step} by default.
   */
  public Effect<R> name(String name) {
    return with(terms.name(name));
  }

  public Effect<R> retry(RetryPolicy retry) {
    return with(terms.retry(retry));
  }

  /**
   * Sets how long one attempt may take; 30 s by default. An attempt that has not returned by then
   * is in doubt.
   */
  public Effect<R> timeout(Duration timeout) {
    return with(terms.timeout(timeout));
  }

  /**
   * Names the destination. All effects of a {@link Destination} share its limits; an effect without
   * a destination has no limits.
   */
  public Effect<R> to(String destination) {
    return with(terms.to(destination));
  }

  private Effect<R> with(Terms other) {
    return new Effect<>(draft, guard, other, compensation, externalId);
  }

  /**
   * Sets how the effect is undone when its run compensates, based on its result. The function is
   * called on every pass that compensates, so it must only describe the undo: {@code receipt ->
   * Undo.keyed(key -> psp.refund(receipt.charge(), key))}.
   */
  public <T> Effect<R> compensate(Class<T> result, Function<T, Undo> undo) {
    return new Effect<>(draft, guard, terms, new Compensation<>(result, undo), externalId);
  }

  /** Sets how the effect is undone when its run compensates, independent of its result. */
  public Effect<R> compensate(Undo undo) {
    return compensate(Object.class, _ -> undo);
  }

  /**
   * Sets how to find the destination's id for this effect in its result. The ledger keeps this id
   * and shows it. The function is also applied to the result of a lookup.
   */
  public <T> Effect<R> externalId(Class<T> result, Function<T, @Nullable String> id) {
    return new Effect<>(draft, guard, terms, compensation, new ExternalId<>(result, id));
  }

  public Kind kind() {
    return draft.kind;
  }

  public String key() {
    return draft.key;
  }

  public @Nullable R request() {
    return draft.request;
  }

  public @Nullable ObjectVersion version() {
    return draft.version;
  }

  /** Returns whether other content under an equal version is sent; otherwise it is a conflict. */
  public boolean appliesTies() {
    return draft.tie == Tie.APPLY;
  }

  /** Returns what happens when the run meets it again with other content. */
  public OnRework onRework() {
    return draft.onRework;
  }

  public Guard guard() {
    return guard;
  }

  public Terms terms() {
    return terms;
  }

  /** Returns how the effect is undone; null if it has no compensation, and so stays done. */
  public @Nullable Compensation<?> compensation() {
    return compensation;
  }

  /** Returns how to find the destination's id; null if it was not set. */
  public @Nullable ExternalId<?> externalId() {
    return externalId;
  }

  /** Finds the destination's id in a result. */
  public record ExternalId<T>(Class<T> result, Function<T, @Nullable String> id) {
    /** Returns the id in a result that is JSON text. */
    public @Nullable String in(String json) {
      return id.apply(Json.read(json, result));
    }
  }

  /** How an effect with this result is undone. */
  public record Compensation<T>(Class<T> result, Function<T, Undo> undo) {}

  /** Returns the contract of an undo. Name and key are those of its effect in the ledger. */
  static Effect<Void> undoing(Kind kind, String name, String key, Undo undo) {
    Terms terms = undo.terms().as(name + Names.UNDO);
    return new Effect<>(new Draft<>(kind, key, null), undo.guard(), terms, null, null);
  }

  /** Name, retries, timeout and destination. They do not affect correctness. */
  public record Terms(
      @Nullable String name, RetryPolicy retry, Duration timeout, @Nullable String destination) {
    static final Terms DEFAULT = new Terms(null, RetryPolicy.DEFAULT, Duration.ofSeconds(30), null);

    Terms name(String name) {
      return as(Names.effect(name));
    }

    private Terms as(String name) {
      return new Terms(name, retry, timeout, destination);
    }

    Terms retry(RetryPolicy retry) {
      return new Terms(name, retry, timeout, destination);
    }

    Terms timeout(Duration timeout) {
      return new Terms(name, retry, Names.positive("timeout of an effect", timeout), destination);
    }

    Terms to(String destination) {
      return new Terms(name, retry, timeout, Names.destination(destination));
    }
  }

  /** An effect that still lacks its guard. */
  public static final class Draft<R> {
    private final Kind kind;
    private final String key;
    private final @Nullable R request;
    private final @Nullable ObjectVersion version;
    private final Tie tie;
    private final OnRework onRework;

    private Draft(Kind kind, String key, @Nullable R request) {
      this(kind, key, request, null, Tie.REJECT, OnRework.REUSE);
    }

    private Draft(
        Kind kind,
        String key,
        @Nullable R request,
        @Nullable ObjectVersion version,
        Tie tie,
        OnRework onRework) {
      this.kind = kind;
      this.key = key;
      this.request = request;
      this.version = version;
      this.tie = tie;
      this.onRework = onRework;
    }

    /**
     * Sets the request. It is stored with the intent, compared when the key is used again, and
     * passed to the sender.
     */
    public <T> Draft<T> request(T request) {
      return new Draft<>(kind, key, request, version, tie, onRework);
    }

    /**
     * Sets the version of an update's content. A version older than the ledger's is skipped as
     * stale. An equal version with other content fails with {@code effect-key-reused}, unless
     * {@link #tie} says otherwise.
     */
    public Draft<R> version(long version) {
      return version(ObjectVersion.of(version));
    }

    /** As above, for a version that is a time. */
    public Draft<R> version(Instant version) {
      return version(ObjectVersion.of(version));
    }

    /**
     * As above, for a version that is written as a text: digits are a number, RFC 3339 is a time,
     * and any other text is compared by code points.
     */
    public Draft<R> version(String version) {
      return version(ObjectVersion.of(version));
    }

    /** As above. The first version of a key fixes the type of its versions. */
    public Draft<R> version(ObjectVersion version) {
      if (kind != Kind.UPDATE) {
        throw new IllegalArgumentException(
            "only an update has a version, but this effect is a " + kind);
      }
      return new Draft<>(kind, key, request, version, tie, onRework);
    }

    /**
     * Sets what happens to other content under an equal version: {@link Tie#APPLY} sends it as the
     * next revision, {@link Tie#REJECT} is the default and fails the step.
     */
    public Draft<R> tie(Tie rule) {
      if (rule == Tie.REVIEW) {
        throw new IllegalArgumentException(
            "tie of an effect: expected APPLY or REJECT; only an event can wait for a person");
      }
      return new Draft<>(kind, key, request, version, rule, onRework);
    }

    /**
     * Sets what happens when the run meets this effect again with another request, after a rework
     * or a corrected input; {@link OnRework#REUSE} by default. It needs {@link #request}, which
     * shows that the content differs, and {@link OnRework#REVISE} also needs a compensation.
     */
    public Draft<R> onRework(OnRework rule) {
      if (kind != Kind.CREATE && kind != Kind.NOTIFY) {
        throw new IllegalArgumentException(
            "onRework: only a create or a notify has it, but this effect is a %s, which %s"
                .formatted(
                    kind,
                    kind == Kind.UPDATE
                        ? "is sent again when its content changed"
                        : "is sent once in each run"));
      }
      return new Draft<>(kind, key, request, version, tie, rule);
    }

    /** The destination removes duplicates by the key we send, for 24 hours. */
    public Effect<R> keyed() {
      return guardedBy(new Guard.Keyed(Guard.Keyed.USUAL_WINDOW, null));
    }

    /** The destination removes duplicates by the key we send, within this window. */
    public Effect<R> keyed(Duration window) {
      return guardedBy(new Guard.Keyed(Names.positive("window of a keyed effect", window), null));
    }

    /** As {@link #keyed(Duration)}. After the window, a lookup settles a doubt. */
    public Effect<R> keyed(Duration window, LookupBy lookup) {
      return keyed(window, lookup, Guard.Lookup.USUAL_SETTLE);
    }

    /** As above. "Not found" counts after this time. */
    public Effect<R> keyed(Duration window, LookupBy lookup, Duration settle) {
      return guardedBy(
          new Guard.Keyed(
              Names.positive("window of a keyed effect", window),
              new Guard.Lookup(lookup, Names.bounded("settle of a lookup", settle))));
    }

    /** The operation itself can be repeated: PUT, DELETE, upsert by an external id. */
    public Effect<R> upsert() {
      return guardedBy(new Guard.Upsert());
    }

    /**
     * A read by key shows whether it happened. "Not found" counts 10 s after the attempt is over.
     */
    public Effect<R> lookup(LookupBy lookup) {
      return lookup(lookup, Guard.Lookup.USUAL_SETTLE);
    }

    public Effect<R> lookup(LookupBy lookup, Duration settle) {
      return guardedBy(new Guard.Lookup(lookup, Names.bounded("settle of a lookup", settle)));
    }

    /** Nothing removes a duplicate. A person settles a doubt. */
    public Effect<R> unguarded() {
      return guardedBy(new Guard.Unguarded(OnDoubt.REVIEW));
    }

    public Effect<R> unguarded(OnDoubt onDoubt) {
      return guardedBy(new Guard.Unguarded(onDoubt));
    }

    /** A marker row commits together with the write in the destination's own database. */
    public <C> TransactionEffect<C> transaction(DestinationDatabase<C> database) {
      return new TransactionEffect<>(guardedBy(new Guard.Transaction()), database);
    }

    private Effect<R> guardedBy(Guard guard) {
      if (kind == Kind.UPDATE && request == null) {
        throw new IllegalArgumentException(
            "update '%s' has no content. Set it with Effect.update(key).request(value): it distinguishes a change from a repeat."
                .formatted(key));
      }
      if (onRework != OnRework.REUSE && request == null) {
        throw new IllegalArgumentException(
            "effect '%s' has onRework %s, but no content to compare. Set it with .request(value)."
                .formatted(key, onRework));
      }
      return new Effect<>(this, guard, Terms.DEFAULT, null, null);
    }
  }

  /** A read by key at the destination: returns what it holds, or empty if it holds nothing. */
  @FunctionalInterface
  public interface LookupBy {
    Optional<?> find(String key) throws Exception;
  }
}
