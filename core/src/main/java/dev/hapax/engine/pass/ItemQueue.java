package dev.hapax.engine.pass;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.flow.Each;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.time.Signal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The items of a loop in their order, each with its part of the journal. Reads a few ahead, because
 * a query per item would cost more than most items do. Safe for many threads.
 */
final class ItemQueue<T> {
  private static final int AT_ONCE = 128;

  private final EngineParts parts;
  private final Fiber parent;
  private final @Nullable String outer;
  private final Each<T> each;
  private final boolean noItemJournals;
  private final Iterator<T> items;
  // Guarded by this, as the items above.
  private final ArrayDeque<Next<T>> ahead = new ArrayDeque<>();
  private int handed;
  // Raised when the thread that reads ahead is done; null if no thread does.
  private @Nullable Signal reading;

  /**
   * An item whose turn has come.
   *
   * @param index its place among the items
   * @param item its key, within those of the loops around it
   */
  record Next<T>(int index, T value, String item, ItemJournal journal) {}

  ItemQueue(
      EngineParts parts,
      Fiber parent,
      @Nullable String outer,
      Each<T> each,
      boolean noItemJournals) {
    this.parts = parts;
    this.parent = parent;
    this.outer = outer;
    this.each = each;
    this.noItemJournals = noItemJournals;
    this.items = each.items().iterator();
  }

  /** Returns the next item; null when all have had their turn, or the run goes no further. */
  @Nullable Next<T> next() {
    while (!parent.pass().fence().isClosed()) {
      List<T> values = new ArrayList<>();
      Signal other;
      synchronized (this) {
        Next<T> next = ahead.poll();
        if (next != null) {
          return next;
        }
        other = reading;
        if (other == null) {
          while (values.size() < AT_ONCE && items.hasNext()) {
            values.add(items.next());
          }
          if (values.isEmpty()) {
            return null;
          }
          reading = parts.threads().signal();
        }
      }
      if (other != null) {
        other.await();
      } else {
        readAhead(values);
      }
    }
    return null;
  }

  /** Reads from the store outside the lock: a thread that waits for a read holds nothing. */
  private void readAhead(List<T> values) {
    try {
      hand(values, outer == null ? rowsOf(values) : Map.of());
    } catch (RuntimeException e) {
      parent
          .pass()
          .fence()
          .closeFor(e); // before waiting threads go on: they would leave these items out
      hand(List.of(), Map.of());
      throw e;
    }
  }

  private synchronized void hand(List<T> values, Map<String, List<JournalRow>> known) {
    for (T value : values) {
      String key = each.keyOf(value);
      String item = ItemPath.within(outer, key);
      ahead.add(
          new Next<>(handed++, value, item, journal(key, known.getOrDefault(key, List.of()))));
    }
    Signal done = reading;
    reading = null;
    if (done != null) {
      done.raise();
    }
  }

  /** Items inside an item use the journal of the outer one. */
  private ItemJournal journal(String key, List<JournalRow> rows) {
    if (outer != null) {
      return parent.journal();
    }
    return new ItemJournal(key, parent.pass().itemJournals().learn(key, rows));
  }

  private Map<String, List<JournalRow>> rowsOf(List<T> values) {
    if (noItemJournals || values.isEmpty()) {
      return Map.of();
    }
    List<String> keys = values.stream().map(each::keyOf).toList();
    return parts.store().itemRows(parent.pass().number(), keys).stream()
        .collect(Collectors.groupingBy(row -> String.valueOf(row.item())));
  }
}
