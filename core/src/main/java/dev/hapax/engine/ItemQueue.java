package dev.hapax.engine;

import dev.hapax.flow.Each;
import dev.hapax.run.JournalRow;
import dev.hapax.store.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The items of a loop in their order, each with what the journal says about it. Reads a few ahead:
 * a query per item would cost more than most items do. Safe for many threads.
 */
final class ItemQueue<T> {
  private static final int AT_ONCE = 128;

  private final Store store;
  private final Strand parent;
  private final @Nullable String outer;
  private final Each<T> each;
  private final boolean nothingInLanes;
  private final Iterator<T> items;
  private final ArrayDeque<Next<T>> ahead = new ArrayDeque<>();

  /**
   * An item whose turn has come.
   *
   * @param item its key, within those of the loops around it
   */
  record Next<T>(T value, String item, Lane lane) {}

  ItemQueue(
      Store store, Strand parent, @Nullable String outer, Each<T> each, boolean nothingInLanes) {
    this.store = store;
    this.parent = parent;
    this.outer = outer;
    this.each = each;
    this.nothingInLanes = nothingInLanes;
    this.items = each.items().iterator();
  }

  /** Null when all have had their turn, or the run goes no further. */
  synchronized @Nullable Next<T> next() {
    if (parent.pass().isClosed()) {
      return null;
    }
    if (ahead.isEmpty()) {
      readAhead();
    }
    return ahead.poll();
  }

  private void readAhead() {
    List<T> values = new ArrayList<>();
    while (values.size() < AT_ONCE && items.hasNext()) {
      values.add(items.next());
    }
    Map<String, List<JournalRow>> known = outer == null ? rowsOf(values) : Map.of();
    for (T value : values) {
      String key = each.keyOf(value);
      String item = PassContext.within(outer, key);
      ahead.add(new Next<>(value, item, lane(key, known.getOrDefault(key, List.of()))));
    }
  }

  /** Items inside an item lie in the lane of the outer one. */
  private Lane lane(String key, List<JournalRow> rows) {
    if (outer != null) {
      return parent.lane();
    }
    Replay replay = parent.lane().replay().ofLane(key, rows);
    parent.pass().open().learn(replay);
    return new Lane(key, replay);
  }

  private Map<String, List<JournalRow>> rowsOf(List<T> values) {
    if (nothingInLanes || values.isEmpty()) {
      return Map.of();
    }
    List<String> keys = values.stream().map(each::keyOf).toList();
    return store.lanes(parent.pass().number(), keys).stream()
        .collect(Collectors.groupingBy(row -> String.valueOf(row.lane())));
  }
}
