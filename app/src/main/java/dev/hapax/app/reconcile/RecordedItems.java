package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.HistoryEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciliation has written into its journal, some items at a time. Each reading begins at
 * the beginning of the journal, so it takes many items, and those that come next are kept in
 * memory. Safe for many threads.
 */
final class RecordedItems<T> {
  private static final int AT_ONCE = 500;
  private static final int MOST_OPEN = 8;

  private final BiFunction<Hapax, HistoryEntry, List<T>> in;
  private final Map<String, Part<T>> open =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Part<T>> eldest) {
              return size() > MOST_OPEN;
            }
          });

  /**
   * @param in the items that an entry records
   */
  RecordedItems(BiFunction<Hapax, HistoryEntry, List<T>> in) {
    this.in = in;
  }

  /**
   * A place in the journal.
   *
   * @param seq of an entry
   * @param done how many of its items come before the place
   */
  record Place(long seq, int done) implements Comparable<Place> {
    static final Place FIRST = new Place(0, 0);

    @Override
    public int compareTo(Place other) {
      return seq == other.seq ? Integer.compare(done, other.done) : Long.compare(seq, other.seq);
    }

    @Override
    public String toString() {
      return seq + "." + done;
    }
  }

  record Item<T>(Place place, T value) {}

  /**
   * Some items.
   *
   * @param next where the others begin; null if there are none
   */
  record Some<T>(List<Item<T>> items, @Nullable Place next) {}

  /** What one reading found from a place on; not all if another item follows the last one. */
  private record Part<T>(Place from, List<Item<T>> items, boolean isAll) {
    @Nullable Some<T> at(Place place, int most) {
      if (place.compareTo(from) < 0) {
        return null;
      }
      List<Item<T>> here =
          items.stream()
              .dropWhile(item -> item.place().compareTo(place) < 0)
              .limit(most + 1L)
              .toList();
      if (here.size() <= most && !isAll) {
        return null;
      }
      return new Some<>(
          here.stream().limit(most).toList(), here.size() > most ? here.getLast().place() : null);
    }
  }

  /** Returns the items of a run's journal from this place on, at most so many. */
  Some<T> from(Hapax hapax, String run, Place place, int most) {
    Part<T> known = place.equals(Place.FIRST) ? null : open.get(run);
    Some<T> found = known == null ? null : known.at(place, most);
    if (found == null) {
      Part<T> part = read(hapax, run, place, most);
      open.put(run, part);
      found = part.at(place, most);
    }
    if (found == null) {
      throw new IllegalStateException("no items of run %s at %s".formatted(run, place));
    }
    return found;
  }

  /** Forgets what is kept for a run. */
  void end(String run) {
    open.remove(run);
  }

  private Part<T> read(Hapax hapax, String run, Place from, int most) {
    List<Item<T>> items = new ArrayList<>();
    for (HistoryEntry entry : hapax.historyOf(run)) {
      if (entry.seq() < from.seq()) {
        continue;
      }
      List<T> here = in.apply(hapax, entry);
      for (int i = entry.seq() == from.seq() ? from.done() : 0; i < here.size(); i++) {
        items.add(new Item<>(new Place(entry.seq(), i), here.get(i)));
        if (items.size() > Math.max(AT_ONCE, most)) {
          return new Part<>(from, List.copyOf(items), false);
        }
      }
    }
    return new Part<>(from, List.copyOf(items), true);
  }
}
