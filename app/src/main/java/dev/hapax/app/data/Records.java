package dev.hapax.app.data;

import dev.hapax.Kv;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.json.Json;
import dev.hapax.run.value.ResourceRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server's own records of one kind, as JSON under a prefix of a durable map. So they need no
 * own tables and are the same on every store. A write is durable when its call returns. Safe for
 * many threads and nodes: a change names the version that was read.
 *
 * @param <T> a Java record; a component that older entries lack is read as null
 */
public final class Records<T> {
  private static final int PAGE = 200;

  private final Kv map;
  private final String prefix;
  private final Class<T> type;

  /**
   * Records of a kind.
   *
   * @param map which must be out of reach of flows: they may write what they like into the map of
   *     their tenant
   * @param kind a short word, the first part of every key
   */
  public Records(Kv map, String kind, Class<T> type) {
    this.map = map;
    this.prefix = name(kind) + "/";
    this.type = type;
  }

  /**
   * The name that these parts make, for example tenant, flow and number; no two lists of parts make
   * one name. Records are listed in the order of their names, so write numbers with leading zeros.
   */
  public static String name(String... parts) {
    return Stream.of(parts).map(Records::part).collect(Collectors.joining("/"));
  }

  private static String part(String text) {
    return text.replace("%", "%25").replace("/", "%2F");
  }

  public @Nullable Stored<T> get(String name) {
    return stored(name, map.get(prefix + name));
  }

  /** Writes the record if there is none of this name. */
  public Outcome<T> putIfAbsent(String name, T value) {
    return outcome(name, map.putIfAbsent(prefix + name, value));
  }

  /** Writes the record if it still has this version; 0 means that there is none. */
  public Outcome<T> compareAndSet(String name, long version, T value) {
    return outcome(name, map.compareAndSet(prefix + name, version, value));
  }

  /**
   * Changes the current record, however often others change it meanwhile.
   *
   * @param change is called again if another writer was faster, so it only computes
   * @return the record as it was written; null if there is none
   */
  public @Nullable Stored<T> update(String name, UnaryOperator<T> change) {
    Stored<T> standing = get(name);
    while (standing != null) {
      Outcome<T> outcome = compareAndSet(name, standing.version(), change.apply(standing.value()));
      if (outcome.written()) {
        return outcome.standing();
      }
      standing = outcome.standing();
    }
    return null;
  }

  /**
   * Returns the write of a record that still has this version, 0 for none, to be made together with
   * others by {@link Kv#compareAndSetAll}.
   */
  public Kv.Replacement replacement(String name, long version, T value) {
    return new Kv.Replacement(prefix + name, version, value);
  }

  /** Removes the record; false if there was none. */
  public boolean delete(String name) {
    return map.delete(prefix + name).written();
  }

  /**
   * Returns one page of records, in the order of their names.
   *
   * @param under the parts that their names begin with, as {@link #name} makes them; empty for all
   * @param after the name of the last one of the page before; null for the first page
   */
  public List<Stored<T>> list(String under, @Nullable String after, int limit) {
    return read(entries(under, after == null ? null : prefix + after, limit));
  }

  /** Returns all records under these parts; for kinds with few records. */
  public List<Stored<T>> all(String under) {
    var all = new ArrayList<KvEntry>();
    List<KvEntry> page;
    do {
      page = entries(under, all.isEmpty() ? null : all.getLast().key(), PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return read(all);
  }

  private List<KvEntry> entries(String under, @Nullable String afterKey, int limit) {
    return map.list(under.isEmpty() ? prefix : prefix + under + "/", afterKey, limit);
  }

  private List<Stored<T>> read(List<KvEntry> entries) {
    return entries.stream().map(this::stored).filter(Objects::nonNull).toList();
  }

  /** Returns null if it is large, so it has to be read by itself, and was removed meanwhile. */
  private @Nullable Stored<T> stored(KvEntry entry) {
    String name = entry.key().substring(prefix.length());
    return ResourceRef.isRef(entry.value())
        ? get(name)
        : new Stored<>(name, Json.read(entry.value(), type), entry.version());
  }

  private Outcome<T> outcome(String name, KvResult result) {
    return new Outcome<>(result.written(), stored(name, result));
  }

  private @Nullable Stored<T> stored(String name, KvResult result) {
    String json = result.json();
    return json == null ? null : new Stored<>(name, Json.read(json, type), result.version());
  }
}
