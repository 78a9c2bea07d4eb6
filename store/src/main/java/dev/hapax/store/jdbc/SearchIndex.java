package dev.hapax.store.jdbc;

import dev.hapax.flow.TextMatch;
import dev.hapax.run.SearchEntry;
import dev.hapax.store.KvFilter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader's queries on {@code search}. Each reads a bounded part of the index. */
final class SearchIndex {
  /** Rows are looked at this many at a time. */
  static final int CHUNK = 500;

  /** If more entries have a beginning, looking at the rows themselves finds some soon. */
  private static final int MOST_WITH_PREFIX = 10_000;

  private static final String EXACT =
      """
      SELECT number FROM search WHERE tenant = :tenant AND field = :field AND text = :text AND number < :before
      ORDER BY number DESC LIMIT :limit
      """;

  private static final String PREFIX =
      """
      SELECT number FROM search WHERE tenant = :tenant AND field = :field AND text >= :from AND text < :until
      ORDER BY text LIMIT :limit
      """;

  private final Session session;

  SearchIndex(Session session) {
    this.session = session;
  }

  /** Every row with a smaller number is in the index. */
  long before(String cursor) throws SQLException {
    try (var query = session.prepare("SELECT value FROM meta WHERE name = :name")) {
      Long value = query.with(cursor).first(row -> row.number(1));
      return value == null ? 0 : value;
    }
  }

  boolean isBehind(long before) throws SQLException {
    return isBehind("run", SearchRows.RUNS_BEFORE, before)
        || isBehind("effect", SearchRows.EFFECTS_BEFORE, before);
  }

  private boolean isBehind(String table, String cursor, long before) throws SQLException {
    try (var query =
        session.prepare(
            "SELECT EXISTS (SELECT 1 FROM "
                + table
                + " WHERE number < :before AND number >= (SELECT value FROM meta WHERE name = '"
                + cursor
                + "'))")) {
      return Boolean.TRUE.equals(query.with(before).first(row -> row.flag(1)));
    }
  }

  /** The next numbers that this text may lead to, the largest first. */
  List<Long> exactly(String tenant, String field, String text, long before) throws SQLException {
    try (var query = session.prepare(EXACT)) {
      return query
          .with(tenant)
          .with(field)
          .with(SearchEntry.cut(text))
          .with(before)
          .with(CHUNK)
          .all(row -> row.number(1));
    }
  }

  /**
   * All numbers that texts with this beginning may lead to, the largest first; null if they are too
   * many.
   */
  @Nullable List<Long> beginningWith(String tenant, String field, String prefix)
      throws SQLException {
    String cut = SearchEntry.cut(prefix);
    String until = new KvFilter(tenant, cut, null, Instant.EPOCH, 1).until();
    if (until == null) {
      return null;
    }
    try (var query = session.prepare(PREFIX)) {
      List<Long> numbers =
          query
              .with(tenant)
              .with(field)
              .with(cut)
              .with(until)
              .with(MOST_WITH_PREFIX + 1)
              .all(row -> row.number(1));
      return numbers.size() > MOST_WITH_PREFIX
          ? null
          : numbers.stream().distinct().sorted(Comparator.reverseOrder()).toList();
    }
  }

  /** Where a search begins: in the index, by a text of this kind. */
  record Way(String field, TextMatch match) {
    /** Returns the next numbers, the largest first; null if the index does not help. */
    @Nullable List<Long> next(SearchIndex index, String tenant, long before) throws SQLException {
      if (!match.isPrefix()) {
        return index.exactly(tenant, field, match.text(), before);
      }
      List<Long> all = index.beginningWith(tenant, field, match.text());
      return all == null
          ? null
          : all.stream().filter(number -> number < before).limit(CHUNK).toList();
    }
  }
}
