package dev.hapax.store.jdbc;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TextMatch;
import dev.hapax.json.Json;
import dev.hapax.run.SearchEntry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists runs, newest first. A search looks at the rows that are not in the search index yet, and
 * then at those that the index leads to.
 */
final class RunListing {
  private static final String LIST = StoreReader.RUN + "WHERE %s ORDER BY number DESC LIMIT :limit";

  /** Not in the index of statuses. */
  private static final Set<RunStatus> USUAL = Set.of(RunStatus.RUNNING, RunStatus.SUCCEEDED);

  private final Session session;
  private final SearchIndex index;

  RunListing(Session session) {
    this.session = session;
    this.index = new SearchIndex(session);
  }

  List<Run> list(RunFilter filter) throws SQLException {
    Long asked = filter.before();
    long before = asked == null ? Long.MAX_VALUE : asked;
    if (!filter.search().isIndexed() && filter.key() == null) {
      return page(conditions(filter, before), filter.limit());
    }
    List<Run> found = new ArrayList<>();
    long indexed = index.before(SearchRows.RUNS_BEFORE);
    add(filter, before, indexed, found);
    long below = Math.min(before, indexed);
    while (found.size() < filter.limit()) {
      List<Long> numbers = next(filter, below);
      if (numbers == null) {
        add(filter, below, Long.MIN_VALUE, found);
        return found;
      }
      if (numbers.isEmpty()) {
        return found;
      }
      var some = conditions(filter, below);
      some.and(
          "number IN (" + session.dialect().numbers(":numbers") + ")",
          Json.write(numbers.toArray(Long[]::new)));
      for (Run run : page(some, SearchIndex.CHUNK)) {
        if (filter.admits(run) && found.size() < filter.limit()) {
          found.add(run);
        }
      }
      below = numbers.getLast();
    }
    return found;
  }

  /** Adds rows without the help of the index. */
  private void add(RunFilter filter, long before, long from, List<Run> found) throws SQLException {
    long below = before;
    while (found.size() < filter.limit() && below > from) {
      var rows = conditions(filter, below).and("number >= :from", from);
      List<Run> part = page(rows, SearchIndex.CHUNK);
      for (Run run : part) {
        if (filter.admits(run) && found.size() < filter.limit()) {
          found.add(run);
        }
      }
      if (part.size() < SearchIndex.CHUNK) {
        return;
      }
      below = part.getLast().number();
    }
  }

  private List<Run> page(Conditions where, int limit) throws SQLException {
    try (var query = where.prepare(session, LIST)) {
      return query.with(limit).all(RunMapping::of);
    }
  }

  /** The next numbers that the index leads to; null if it does not help. */
  private @Nullable List<Long> next(RunFilter filter, long before) throws SQLException {
    RunSearch search = filter.search();
    String key = filter.key();
    if (!search.fields().isEmpty()) {
      String value = search.fields().values().stream().sorted().findFirst().orElseThrow();
      return way(SearchEntry.VALUE, TextMatch.exactly(value), filter, before);
    }
    if (search.anyField() != null) {
      return way(SearchEntry.VALUE, search.anyField(), filter, before);
    }
    if (key != null || search.key() != null) {
      TextMatch wanted = key != null ? TextMatch.exactly(key) : search.key();
      return wanted == null ? null : way(SearchEntry.RUN_KEY, wanted, filter, before);
    }
    List<Long> merged = new ArrayList<>();
    for (String flow : search.flows()) {
      merged.addAll(index.exactly(filter.tenant(), SearchEntry.FLOW, flow, before));
    }
    return merged.stream().sorted(Comparator.reverseOrder()).limit(SearchIndex.CHUNK).toList();
  }

  private @Nullable List<Long> way(String field, TextMatch match, RunFilter filter, long before)
      throws SQLException {
    return new SearchIndex.Way(field, match).next(index, filter.tenant(), before);
  }

  private Conditions conditions(RunFilter filter, long before) {
    var where =
        new Conditions()
            .and("tenant = :tenant", filter.tenant())
            .and("number < :before", (Object) before);
    String flow = filter.flow();
    if (flow != null && flow.endsWith("*")) {
      where.and("substr(flow, 1, length(:prefix)) = :prefix", flow.substring(0, flow.length() - 1));
    } else {
      where.and("flow = :flow", flow);
    }
    where
        .and("key = :key", filter.key())
        .and("parent = :parent", filter.parent())
        .and(
            "release <> :not_of_release",
            filter.notOfRelease() == null ? null : Long.valueOf(filter.notOfRelease()));
    addStatuses(filter.statuses(), where);
    addSearch(filter.search(), where);
    return where;
  }

  /** Worded for the partial indexes: a running run is found by its owner. */
  private static void addStatuses(Set<RunStatus> statuses, Conditions where) {
    if (!statuses.isEmpty()) {
      where.and("status IN (" + words(statuses) + ")");
      if (statuses.size() == 1 && Collections.disjoint(statuses, USUAL)) {
        // SQLite does not conclude it. Of several statuses it would sort all rows for each page.
        where.and("status NOT IN (" + words(USUAL) + ")");
      }
    }
    if (statuses.contains(RunStatus.RUNNING) && !statuses.contains(RunStatus.SUCCEEDED)) {
      List<RunStatus> others = statuses.stream().filter(one -> one != RunStatus.RUNNING).toList();
      where.and(
          others.isEmpty()
              ? "owner IS NOT NULL"
              : "(owner IS NOT NULL OR status IN (" + words(others) + "))");
    }
  }

  private static String words(Collection<RunStatus> statuses) {
    return statuses.stream()
        .map(status -> "'" + status.word() + "'")
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private void addSearch(RunSearch search, Conditions where) {
    Dialect dialect = session.dialect();
    if (search.error() != null) {
      where.and("error IS NOT NULL").and(dialect.errorCode() + " = :error", search.error());
    }
    if (search.retryable() != null) {
      where.and(
          search.retryable()
              ? "error IS NOT NULL AND " + dialect.isRetryable()
              : "(error IS NULL OR NOT (" + dialect.isRetryable() + "))");
    }
    if (!search.fields().isEmpty() || search.anyField() != null) {
      where.and("search IS NOT NULL");
    }
    if (!search.flows().isEmpty()) {
      where.and(
          "flow IN (" + dialect.elements(":flows") + ")",
          Json.write(search.flows().toArray(String[]::new)));
    }
    TextMatch key = search.key();
    if (key != null) {
      where.and(
          key.isPrefix() ? "substr(key, 1, length(:wanted)) = :wanted" : "key = :wanted",
          key.text());
    }
  }
}
