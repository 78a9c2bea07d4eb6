package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Key;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of rows that are not yet in their index on disk. Keys are hashes: if they entered a
 * large index one by one, each would write its own page, in the WAL and again at the checkpoint.
 * Here they wait until there are many, and then enter the index in its order, so that a page is
 * written once for all its keys.
 *
 * <p>Nothing is lost with the memory: the rows themselves hold the keys, and every row from {@link
 * #indexedBefore} on is read again when the store is opened. One thread writes, inside its
 * transactions; any thread may ask.
 */
final class RecentKeys {
  /** A key and the number of its row. */
  record Entry(Key key, long number) {}

  private final int generation;
  private volatile Map<Key, Long> numbers = new ConcurrentHashMap<>();

  /** The generation that gathers, and the one that is being moved into the index, sorted. */
  private List<Entry> gathering = new ArrayList<>();

  private List<Entry> moving = List.of();
  private int moved;

  /** Every row with a smaller number is in the index. */
  private long indexedBefore;

  // State of the open transaction, undone by a rollback.
  private int gatheredBefore;
  private List<Entry> slice = List.of();
  private final List<Entry> removed = new ArrayList<>();

  /**
   * @param generation how many keys gather before they are moved: more keys mean fewer pages and a
   *     slower opening
   */
  RecentKeys(int generation) {
    this.generation = generation;
  }

  /**
   * Returns the number of the row with this key, even if its transaction is still open; null if it
   * can only be in the index.
   */
  @Nullable Long number(Key key) {
    return numbers.get(key);
  }

  long indexedBefore() {
    return indexedBefore;
  }

  /**
   * Restores the state from the disk, when the writer opens its connection: all rows from the given
   * number on.
   */
  void restore(List<Entry> entries, long indexedBefore) {
    Map<Key, Long> restored = new ConcurrentHashMap<>();
    for (Entry entry : entries) {
      restored.put(entry.key(), entry.number());
    }
    this.numbers = restored; // at once: a reader must not miss a key in between
    this.indexedBefore = indexedBefore;
    this.gathering = new ArrayList<>(entries);
    this.gatheredBefore = entries.size();
    this.moving = List.of();
    this.moved = 0;
    this.slice = List.of();
    this.removed.clear();
  }

  /**
   * Whether the key of a new row may wait. A late row with an old number would not be read again.
   */
  boolean mayWait(long number) {
    return number >= indexedBefore;
  }

  void add(Entry entry) {
    gathering.add(entry);
    numbers.put(entry.key(), entry.number());
  }

  /** Removes the keys of deleted rows; a rollback brings them back. */
  void remove(Collection<Key> keys) {
    for (Key key : keys) {
      Long number = numbers.remove(key);
      if (number != null) {
        removed.add(new Entry(key, number));
      }
    }
  }

  /**
   * Returns the keys that this transaction moves into the index: a few more than it added, so that
   * a generation has left before the next one is complete, and no commit waits for a large move.
   */
  List<Entry> nextSlice() {
    if (moving.isEmpty() && gathering.size() >= generation) {
      moving = new ArrayList<>(gathering.subList(0, gatheredBefore));
      moving.sort((one, other) -> one.key().compareTo(other.key()));
      gathering = new ArrayList<>(gathering.subList(gatheredBefore, gathering.size()));
      gatheredBefore = 0;
    }
    int added = gathering.size() - gatheredBefore;
    slice = moving.subList(moved, Math.min(moving.size(), moved + added + added / 4 + 1));
    return slice;
  }

  /**
   * Whether the slice completes the move: then {@link #indexedBefore} becomes {@link
   * #indexedBeforeNext}.
   */
  boolean isLastSlice() {
    return !slice.isEmpty() && moved + slice.size() == moving.size();
  }

  /** Returns false if its row was deleted since it was added. */
  boolean holds(Entry entry) {
    return Long.valueOf(entry.number()).equals(numbers.get(entry.key()));
  }

  /** The smallest number that is not in the index once the move is complete. */
  long indexedBeforeNext() {
    return gathering.isEmpty()
        ? moving.stream().mapToLong(Entry::number).max().orElseThrow() + 1
        : gathering.stream().mapToLong(Entry::number).min().orElseThrow();
  }

  void committed() {
    if (isLastSlice()) {
      indexedBefore = indexedBeforeNext();
      forget(slice);
      moving = List.of();
      moved = 0;
    } else {
      forget(slice);
      moved += slice.size();
    }
    slice = List.of();
    removed.clear();
    gatheredBefore = gathering.size();
  }

  void rolledBack() {
    List<Entry> added = gathering.subList(gatheredBefore, gathering.size());
    forget(added);
    added.clear();
    slice = List.of();
    for (Entry entry : removed) {
      numbers.put(entry.key(), entry.number());
    }
    removed.clear();
  }

  private void forget(List<Entry> entries) {
    for (Entry entry : entries) {
      numbers.remove(entry.key(), entry.number());
    }
  }
}
