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
    return new SearchPage<>(session, new Wanted(filter), filter.limit())
        .search(before, index.before(SearchRows.RUNS_BEFORE));
  }

  /** The runs that a filter admits. */
  private final class Wanted implements SearchPage.Rows<Run> {
    private final RunFilter filter;

    Wanted(RunFilter filter) {
      this.filter = filter;
    }

    @Override
    public Conditions below(long number) {
      return conditions(filter, number);
    }

    @Override
    public List<Run> read(Conditions where, int limit) throws SQLException {
      return page(where, limit);
    }

    @Override
    public boolean admits(Run run) {
      return filter.admits(run);
    }

    @Override
    public long number(Run run) {
      return run.number();
    }

    @Override
    public @Nullable List<Long> next(long before) throws SQLException {
      return RunListing.this.next(filter, before);
    }
  }

  private List<Run> page(Conditions where, int limit) throws SQLException {
    try (var query = where.prepare(session, LIST)) {
      return query.with(limit).all(RunMapping::of);
    }
  }

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
    if (search.duplicates()) {
      where.and("EXISTS (SELECT 1 FROM duplicate WHERE duplicate.run = run.number)");
    }
    if (!search.fields().isEmpty() || search.anyField() != null) {
      where.and("search IS NOT NULL");
    }
    if (!search.flows().isEmpty()) {
      where.and(
          "flow IN (" + dialect.elements(":flows") + ")",
          Json.write(search.flows().toArray(String[]::new)));
    }
    where.andKey(search.key());
  }
}
