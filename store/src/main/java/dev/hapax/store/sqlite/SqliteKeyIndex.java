package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.KeyIndex;
import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds rows by key: young rows in memory, others in the index table. The writer's side. */
final class SqliteKeyIndex implements KeyIndex {
  private final RecentKeys recent;
  private final Prepared insert;
  private final Prepared find;
  private final Prepared delete;
  private final Prepared indexedBefore;
  private final Prepared setIndexedBefore;

  /**
   * @param table of the index: {@code run_key}, {@code effect_key}
   * @param boundary the row of {@code meta} for {@link RecentKeys#indexedBefore}
   */
  SqliteKeyIndex(Connection connection, RecentKeys recent, String table, String boundary)
      throws SQLException {
    this.recent = recent;
    this.insert =
        new Prepared(
            connection,
            "INSERT INTO "
                + table
                + " (hash, number) VALUES (:hash, :number) ON CONFLICT DO NOTHING");
    this.find = new Prepared(connection, "SELECT number FROM " + table + " WHERE hash = :hash");
    this.delete = new Prepared(connection, "DELETE FROM " + table + " WHERE hash = :hash");
    this.indexedBefore =
        new Prepared(connection, "SELECT value FROM meta WHERE name = '" + boundary + "'");
    this.setIndexedBefore =
        new Prepared(connection, "UPDATE meta SET value = :value WHERE name = '" + boundary + "'");
  }

  @Override
  public boolean isTaken(Key key) {
    return recent.number(key) != null;
  }

  @Override
  public @Nullable Long number(Key key) throws SQLException {
    Long young = recent.number(key);
    return young != null ? young : find.with(key.bytes()).first(row -> row.number(1));
  }

  /** Reads the keys again that are not in the index. */
  void restore(Connection connection, String rows, Prepared.Mapping<RecentKeys.Entry> mapping)
      throws SQLException {
    long before = Objects.requireNonNull(indexedBefore.first(row -> row.number(1)));
    try (var young = new Prepared(connection, rows)) {
      recent.restore(young.with(before).all(mapping), before);
    }
  }

  @Override
  public void add(Key key, long number) throws SQLException {
    var entry = new RecentKeys.Entry(key, number);
    if (recent.mayWait(number)) {
      recent.add(entry);
    } else {
      index(entry);
    }
  }

  /** Removes in the index's order, so that a page is written once. */
  @Override
  public void remove(List<Key> keys) throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    recent.remove(keys);
    for (Key key : keys.stream().sorted().toList()) {
      delete.with(key.bytes()).update();
    }
  }

  /** Moves this transaction's share of young keys into the index. */
  void move() throws SQLException {
    for (RecentKeys.Entry entry : recent.nextSlice()) {
      if (recent.holds(entry)) {
        index(entry);
      }
    }
    if (recent.isLastSlice()) {
      setIndexedBefore.with(recent.indexedBeforeNext()).update();
    }
  }

  /**
   * The key is there already if it was read again at opening; with another number, two rows would
   * share a key.
   */
  private void index(RecentKeys.Entry entry) throws SQLException {
    if (insert.with(entry.key().bytes()).with(entry.number()).update() == 1) {
      return;
    }
    Long there = find.with(entry.key().bytes()).first(row -> row.number(1));
    if (there == null || there != entry.number()) {
      throw new TwoRowsOneKey(there, entry.number());
    }
  }

  void committed() {
    recent.committed();
  }

  void rolledBack() {
    recent.rolledBack();
  }

  /** The promise "one row per key" is broken on disk: the store must not be used any more. */
  static final class TwoRowsOneKey extends SQLException {
    private static final long serialVersionUID = 1L;

    TwoRowsOneKey(@Nullable Long one, long other) {
      super("rows " + one + " and " + other + " have the same key");
    }
  }
}
