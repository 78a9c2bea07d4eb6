package dev.hapax.store.jdbc;

import dev.hapax.json.Json;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the rows that a search finds, newest first. It looks at the rows that are not in the
 * search index yet, and then at those that the index leads to. Each query reads a bounded part.
 */
final class SearchPage<R> {
  private final Session session;
  private final Rows<R> rows;
  private final int limit;
  private final List<R> found = new ArrayList<>();

  /** The rows of a table, as one search sees them. */
  interface Rows<R> {
    /** What the database can decide. */
    Conditions below(long number);

    List<R> read(Conditions where, int limit) throws SQLException;

    /** Decides the rest. */
    boolean admits(R row);

    long number(R row);

    /** The next numbers that the index leads to, the largest first; null if it does not help. */
    @Nullable List<Long> next(long before) throws SQLException;
  }

  SearchPage(Session session, Rows<R> rows, int limit) {
    this.session = session;
    this.rows = rows;
    this.limit = limit;
  }

  /**
   * Searches with the help of the index.
   *
   * @param indexed every row with a smaller number is in the index
   */
  List<R> search(long before, long indexed) throws SQLException {
    add(before, indexed);
    long below = Math.min(before, indexed);
    while (found.size() < limit) {
      List<Long> numbers = rows.next(below);
      if (numbers == null) {
        add(below, Long.MIN_VALUE);
        return found;
      }
      if (numbers.isEmpty()) {
        return found;
      }
      add(below, numbers);
      below = numbers.getLast();
    }
    return found;
  }

  /** Searches among the rows with these numbers, the largest first. */
  List<R> among(List<Long> numbers, long before) throws SQLException {
    for (int from = 0; from < numbers.size() && found.size() < limit; from += SearchIndex.CHUNK) {
      int to = Math.min(numbers.size(), from + SearchIndex.CHUNK);
      add(before, numbers.subList(from, to));
    }
    return found;
  }

  private void add(long before, List<Long> numbers) throws SQLException {
    keep(
        rows.read(
            rows.below(before)
                .and(
                    "number IN (" + session.dialect().numbers(":numbers") + ")",
                    Json.write(numbers.toArray(Long[]::new))),
            SearchIndex.CHUNK));
  }

  /** Adds rows without the help of the index. */
  private void add(long before, long from) throws SQLException {
    long below = before;
    while (found.size() < limit && below > from) {
      List<R> part = rows.read(rows.below(below).and("number >= :from", from), SearchIndex.CHUNK);
      keep(part);
      if (part.size() < SearchIndex.CHUNK) {
        return;
      }
      below = rows.number(part.getLast());
    }
  }

  private void keep(List<R> part) {
    for (R row : part) {
      if (rows.admits(row) && found.size() < limit) {
        found.add(row);
      }
    }
  }
}
