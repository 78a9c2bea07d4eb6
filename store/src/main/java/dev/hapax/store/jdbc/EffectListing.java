package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.SearchEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.store.KvFilter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lists effects, newest first. A search looks at the rows that are not in the search index yet, and
 * then at those that the index leads to; the effects of a run are named in its journal.
 */
final class EffectListing {
  private static final String LIST =
      StoreReader.EFFECT + "WHERE %s ORDER BY number DESC LIMIT :limit";

  /** Few, because a journal's rows may be large. */
  private static final int JOURNAL_ROWS = 100;

  private final Session session;
  private final SearchIndex index;

  EffectListing(Session session) {
    this.session = session;
    this.index = new SearchIndex(session);
  }

  List<EffectRecord> list(EffectFilter filter, StoreReader reader) throws SQLException {
    Long asked = filter.before();
    long before = asked == null ? Long.MAX_VALUE : asked;
    Long run = filter.search().run();
    TextMatch externalId = filter.search().externalId();
    var search = new SearchPage<>(session, new Wanted(filter), filter.limit());
    if (run != null) {
      return search.among(claimedBy(run, reader), before);
    }
    if (externalId != null && externalId.isPrefix()) {
      return search.among(withExternalId(filter.tenant(), externalId), before);
    }
    if (filter.search().isIndexed() || filter.key() != null) {
      return search.search(before, index.before(SearchRows.EFFECTS_BEFORE));
    }
    return page(conditions(filter, before), filter.limit());
  }

  /** The effects that a filter admits. */
  private final class Wanted implements SearchPage.Rows<EffectRecord> {
    private final EffectFilter filter;

    Wanted(EffectFilter filter) {
      this.filter = filter;
    }

    @Override
    public Conditions below(long number) {
      return conditions(filter, number);
    }

    @Override
    public List<EffectRecord> read(Conditions where, int limit) throws SQLException {
      return page(where, limit);
    }

    @Override
    public boolean admits(EffectRecord effect) {
      return filter.admits(effect);
    }

    @Override
    public long number(EffectRecord effect) {
      return effect.number();
    }

    @Override
    public @Nullable List<Long> next(long before) throws SQLException {
      return EffectListing.this.next(filter, before);
    }
  }

  private static List<Long> claimedBy(long run, StoreReader reader) throws SQLException {
    var claimed = new TreeSet<Long>(Comparator.reverseOrder());
    long after = 0;
    List<JournalRow> rows;
    do {
      rows = reader.journal(run, after, JOURNAL_ROWS);
      EffectReference.in(rows).forEach(reference -> claimed.add(reference.effect()));
      after = rows.isEmpty() ? after : rows.getLast().seq();
    } while (rows.size() == JOURNAL_ROWS);
    return List.copyOf(claimed);
  }

  /** Only so many: a short beginning may be that of nearly all ids. */
  private List<Long> withExternalId(String tenant, TextMatch beginning) throws SQLException {
    var where = new Conditions().and("tenant = :tenant", tenant);
    addExternalId(beginning, where);
    try (var query =
        where.prepare(
            session, "SELECT number FROM effect WHERE %s ORDER BY external_id LIMIT :limit")) {
      return query.with(SearchIndex.CHUNK).all(row -> row.number(1)).stream()
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  private List<EffectRecord> page(Conditions where, int limit) throws SQLException {
    try (var query = where.prepare(session, LIST)) {
      return query.with(limit).all(EffectMapping::of);
    }
  }

  private @Nullable List<Long> next(EffectFilter filter, long before) throws SQLException {
    EffectSearch search = filter.search();
    String wireKey = search.wireKey();
    if (wireKey != null) {
      return way(SearchEntry.WIRE_KEY, TextMatch.exactly(wireKey), filter, before);
    }
    String key = filter.key();
    TextMatch wanted = key != null ? TextMatch.exactly(key) : search.key();
    return wanted == null ? null : way(SearchEntry.EFFECT_KEY, wanted, filter, before);
  }

  private @Nullable List<Long> way(String field, TextMatch match, EffectFilter filter, long before)
      throws SQLException {
    return new SearchIndex.Way(field, match).next(index, filter.tenant(), before);
  }

  private Conditions conditions(EffectFilter filter, long before) {
    EffectState state = filter.state();
    var where =
        new Conditions()
            .and("tenant = :tenant", filter.tenant())
            .and("number < :before", (Object) before)
            .and("name = :name", filter.name())
            .and("key = :key", filter.key());
    if (state != null) {
      where.and("state = '" + state.word() + "'");
      if (state != EffectState.PENDING && state != EffectState.DONE) {
        where.and(session.dialect().unusualState() + " = '" + state.word() + "'");
        where.and("state NOT IN ('pending', 'done')"); // SQLite does not conclude it
      }
    }
    where.andKey(filter.search().key());
    TextMatch externalId = filter.search().externalId();
    if (externalId != null) {
      addExternalId(externalId, where);
    }
    return where;
  }

  /** Worded for the partial index. */
  private static void addExternalId(TextMatch id, Conditions where) {
    where.and("external_id IS NOT NULL");
    if (!id.isPrefix()) {
      where.and("external_id = :external_id", id.text());
      return;
    }
    where
        .and("external_id >= :external_from", id.text())
        .and(
            "external_id < :external_until",
            new KvFilter("", id.text(), null, Instant.EPOCH, 1).until());
  }
}
