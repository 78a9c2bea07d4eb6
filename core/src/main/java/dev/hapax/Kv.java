package dev.hapax;

import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.Names;
import dev.hapax.json.Json;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.KvFilter;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The durable map of a tenant, for use outside runs. A write is durable when its call returns. Keys
 * that begin with {@code hapax/} can be read, but only Hapax itself writes them. Bodies of flows
 * use {@link dev.hapax.flow.KvSteps}. Safe for many threads.
 */
public final class Kv {
  private static final int LARGEST_PAGE = 1000;

  private final Store store;
  private final LargeValues values;
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final String tenant;

  Kv(
      Store store,
      LargeValues values,
      Committer committer,
      Clock clock,
      IdSource ids,
      String tenant) {
    this.store = store;
    this.values = values;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
    this.tenant = tenant;
  }

  public KvResult get(String key) {
    KvEntry found = store.kv(tenant, Names.key("a kv entry", key));
    return told(KvRequest.standing(KvEntry.at(clock.now(), found)), null);
  }

  /** Writes the value, and replaces an existing one. */
  public KvResult put(String key, @Nullable Object value) {
    return put(key, value, null);
  }

  /**
   * As above, for a limited time.
   *
   * @param ttl after which the entry is absent; null: never
   */
  public KvResult put(String key, @Nullable Object value, @Nullable Duration ttl) {
    return ask(KvAction.PUT, key, 0, json(value), ttl);
  }

  /** Writes the value if there is none; otherwise returns the current one. */
  public KvResult putIfAbsent(String key, @Nullable Object value) {
    return putIfAbsent(key, value, null);
  }

  /** As above, for a limited time. */
  public KvResult putIfAbsent(String key, @Nullable Object value, @Nullable Duration ttl) {
    return ask(KvAction.PUT_IF_ABSENT, key, 0, json(value), ttl);
  }

  /**
   * Writes the value if the entry still has this version, 0 for no entry; otherwise returns the
   * current entry. The expiry time of the entry does not change.
   */
  public KvResult compareAndSet(String key, long version, @Nullable Object value) {
    return compareAndSet(key, version, value, null);
  }

  /** As above. The entry expires this long after now. */
  public KvResult compareAndSet(
      String key, long version, @Nullable Object value, @Nullable Duration ttl) {
    return ask(KvAction.COMPARE_AND_SET, key, version, json(value), ttl);
  }

  /**
   * Writes the value if the current one is one of these, as a status that may only move in one
   * direction; otherwise returns the current entry. Values are compared as JSON: the order of
   * members and the spelling of numbers do not matter. A null among them also allows that there is
   * no entry. The expiry time of the entry does not change.
   *
   * @param from 1 to 100 values, each with at most 1,000 characters of JSON
   */
  public KvResult transition(
      String key, Collection<? extends @Nullable Object> from, @Nullable Object to) {
    return transition(key, from, to, null);
  }

  /** As above. The entry expires this long after now. */
  public KvResult transition(
      String key,
      Collection<? extends @Nullable Object> from,
      @Nullable Object to,
      @Nullable Duration ttl) {
    List<String> expected = KvRequest.from(key, from.stream().map(Kv::json).toList());
    return ask(KvAction.TRANSITION, key, 0, json(to), ttl, expected);
  }

  /**
   * Adds a number to the entry, exactly, and returns the sum. A call that is repeated adds again;
   * in a run, use {@link dev.hapax.flow.KvSteps#add}, which adds once. An absent entry counts as 0.
   * The expiry time of the entry does not change.
   *
   * @param by at most 100 digits
   * @throws IllegalArgumentException if the entry has another value than a number, or one with more
   *     digits
   */
  public KvResult add(String key, Number by) {
    return add(key, by, null);
  }

  /** As above. The entry expires this long after now. */
  public KvResult add(String key, Number by, @Nullable Duration ttl) {
    KvResult result = ask(KvAction.ADD, key, 0, json(by), ttl);
    if (!result.written()) {
      throw new IllegalArgumentException(KvRequest.notANumber(key));
    }
    return result;
  }

  /**
   * The value that an entry gets if it still has this version, 0 for no entry.
   *
   * @param version that was read before
   * @param ttl after which the entry is absent, from now on; null leaves its expiry as it is
   */
  public record Replacement(
      String key, long version, @Nullable Object value, @Nullable Duration ttl) {
    /** An entry whose expiry stays as it is. */
    public Replacement(String key, long version, @Nullable Object value) {
      this(key, version, value, null);
    }
  }

  /**
   * Writes all of these in one commit if every entry still has its version; otherwise writes
   * nothing. No reader sees some of them without the others.
   *
   * @return whether they were written
   */
  public boolean compareAndSetAll(Collection<Replacement> entries) {
    var inOrder = new TreeMap<String, Replacement>(); // so that two nodes lock in one order
    for (Replacement entry : entries) {
      if (inOrder.put(entry.key(), entry) != null) {
        throw new IllegalArgumentException(
            "kv entry '%s': expected once in a list of entries, got it twice"
                .formatted(entry.key()));
      }
    }
    Instant now = clock.now();
    List<Change> changes = new ArrayList<>();
    for (Replacement entry : inOrder.values()) {
      String value = values.keep(tenant, json(entry.value()), changes::add);
      var request =
          new KvRequest(
              ids.next(),
              tenant,
              entry.key(),
              KvAction.COMPARE_AND_SET,
              value,
              entry.version(),
              KvRequest.expiry(now, entry.ttl()));
      changes.add(new Change.Kv(request, true));
    }
    GroupAnswer answer = committer.commit(Group.always(ids.next(), now, changes));
    if (answer instanceof GroupAnswer.Lost) {
      return false;
    }
    answer.unconditional("these entries");
    return true;
  }

  /** Deletes the entry, if there is one. */
  public KvResult delete(String key) {
    return ask(KvAction.DELETE, key, 0, null, null);
  }

  /**
   * Returns the entries with this key prefix, in key order. A large value appears as its reference.
   *
   * @param after the last key of the previous page; null for the first page
   */
  public List<KvEntry> list(String prefix, @Nullable String after, int limit) {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException(
          "limit: expected 1 to %d, got %d".formatted(LARGEST_PAGE, limit));
    }
    if (!prefix.isEmpty()) {
      Names.key("a prefix of kv entries", prefix);
    }
    return store.kv(new KvFilter(tenant, prefix, after, clock.now(), limit));
  }

  private KvResult ask(
      KvAction action, String key, long version, @Nullable String json, @Nullable Duration ttl) {
    return ask(action, key, version, json, ttl, List.of());
  }

  private KvResult ask(
      KvAction action,
      String key,
      long version,
      @Nullable String json,
      @Nullable Duration ttl,
      List<String> from) {
    if (KvRequest.isReserved(key)) {
      throw new IllegalArgumentException(KvRequest.reserved(key));
    }
    Instant now = clock.now();
    List<Change> changes = new ArrayList<>();
    String value = json == null ? null : values.keep(tenant, json, changes::add);
    changes.add(
        new Change.Kv(
            new KvRequest(
                ids.next(),
                tenant,
                key,
                action,
                value,
                version,
                KvRequest.expiry(now, ttl),
                from)));
    GroupAnswer answer = committer.commit(Group.always(ids.next(), now, changes));
    return told((Answer.Kv) answer.unconditional("this").answers().getLast(), json);
  }

  private KvResult told(Answer.Kv answer, @Nullable String written) {
    String value = answer.current(written);
    return new KvResult(
        value == null ? null : values.valueOf(tenant, value), answer.version(), answer.written());
  }

  private static String json(@Nullable Object value) {
    return value == null ? "null" : Json.write(value);
  }
}
