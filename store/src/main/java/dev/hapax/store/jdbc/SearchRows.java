package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.Run;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Json;
import dev.hapax.run.SearchEntry;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's statements on {@code search}. Rows enter the index later, many at a time and in its
 * order, so that a start or a claim writes nothing for it.
 */
final class SearchRows {
  static final String RUNS_BEFORE = "runs_searched_before";
  static final String EFFECTS_BEFORE = "effects_searched_before";

  private static final String RUNS =
      """
      SELECT number, tenant, flow, key, search FROM run WHERE number >= :from AND number < :before
      ORDER BY number LIMIT :most
      """;

  private static final String EFFECTS =
      """
      SELECT tenant, name, key, additive_run, number, revision FROM effect WHERE number >= :from AND number < :before
      ORDER BY number LIMIT :most
      """;

  private final Prepared cursor;
  private final Prepared setCursor;
  private final Prepared runs;
  private final Prepared effects;
  private final Prepared someRuns;
  private final Prepared fields;
  private final Prepared insert;
  private final Prepared delete;

  SearchRows(Session session) throws SQLException {
    this.cursor =
        session.prepare(
            "SELECT value FROM meta WHERE name = :name" + session.dialect().forUpdate());
    this.setCursor = session.prepare("UPDATE meta SET value = :value WHERE name = :name");
    this.runs = session.prepare(RUNS);
    this.effects = session.prepare(EFFECTS);
    this.someRuns =
        session.prepare(
            "SELECT number, tenant, flow, key, search FROM run WHERE number IN (%s)", ":runs");
    this.fields = session.prepare("SELECT tenant, search FROM run WHERE number = :run");
    String given = session.dialect().entries(":entries");
    this.insert =
        session.prepare(
            "INSERT INTO search (tenant, field, text, number) "
                + given
                + " ON CONFLICT DO NOTHING");
    this.delete =
        session.prepare(
            "DELETE FROM search WHERE (tenant, field, text, number) IN (" + given + ")");
  }

  void index(Change.IndexSearch change) throws SQLException {
    List<SearchEntry> entries = new ArrayList<>();
    long from = cursor(RUNS_BEFORE);
    if (from < change.before()) {
      List<Long> numbers =
          runs.with(from)
              .with(change.before())
              .with(change.most())
              .all(row -> addRun(row, entries));
      setCursor(RUNS_BEFORE, numbers, change);
    }
    from = cursor(EFFECTS_BEFORE);
    if (from < change.before()) {
      List<Long> numbers =
          effects
              .with(from)
              .with(change.before())
              .with(change.most())
              .all(row -> addEffect(row, entries));
      setCursor(EFFECTS_BEFORE, numbers, change);
    }
    add(entries);
  }

  private long cursor(String name) throws SQLException {
    Long value = cursor.with(name).first(row -> row.number(1));
    return value == null ? Long.MAX_VALUE : value;
  }

  private void setCursor(String name, List<Long> indexed, Change.IndexSearch change)
      throws SQLException {
    boolean isAll = indexed.size() < change.most();
    setCursor.with(isAll ? change.before() : indexed.getLast() + 1).with(name).update();
  }

  private static long addRun(Row row, List<SearchEntry> entries) throws SQLException {
    entries.addAll(
        SearchEntry.ofRun(
            row.number(1),
            row.text(2),
            row.text(3),
            row.text(4),
            SearchFields.of(row.textOrNull(5))));
    return row.number(1);
  }

  private static long addEffect(Row row, List<SearchEntry> entries) throws SQLException {
    entries.addAll(
        SearchEntry.ofEffect(row.number(5), EffectMapping.key(row), (int) row.number(6)));
    return row.number(5);
  }

  /** In the order of the index, so that a page is written once. */
  private void add(List<SearchEntry> entries) throws SQLException {
    if (!entries.isEmpty()) {
      insert.with(json(entries)).update();
    }
  }

  void remove(List<SearchEntry> entries) throws SQLException {
    if (!entries.isEmpty()) {
      delete.with(json(entries)).update();
    }
  }

  private static String json(List<SearchEntry> entries) {
    return Json.write(
        entries.stream()
            .sorted(SearchEntry.IN_ORDER)
            .map(entry -> List.of(entry.tenant(), entry.field(), entry.text(), entry.number()))
            .toList());
  }

  /** Removes the entries of runs that are about to be deleted. */
  void removeRuns(List<Long> numbers) throws SQLException {
    List<SearchEntry> entries = new ArrayList<>();
    someRuns.with(Json.write(numbers)).all(row -> addRun(row, entries));
    remove(entries);
  }

  /** Lets a run whose values are erased be found by its flow and the people it is about. */
  void erased(Run before, Run after) throws SQLException {
    remove(entries(before));
    add(entries(after));
  }

  private static List<SearchEntry> entries(Run run) {
    return SearchEntry.ofRun(run.number(), run.tenant(), run.flow(), run.key(), run.search());
  }

  /** Lets the run be found by the fields of its corrected input. Called before the row changes. */
  void correct(long run, @Nullable SearchFields corrected) throws SQLException {
    if (corrected == null) {
      return;
    }
    List<SearchEntry> before = new ArrayList<>();
    List<SearchEntry> after = new ArrayList<>();
    fields
        .with(run)
        .first(
            row -> {
              before.addAll(
                  SearchEntry.ofFields(run, row.text(1), SearchFields.of(row.textOrNull(2))));
              return after.addAll(SearchEntry.ofFields(run, row.text(1), corrected));
            });
    if (!before.equals(after)) {
      remove(before);
      add(after);
    }
  }

  /**
   * Lets the effect be found by the wire key of its next revision, and drops the oldest one. Its
   * key is added again: it is missing if the revision before was erased.
   */
  void revised(EffectRecord effect) throws SQLException {
    if (effect.revision() == 1) {
      return;
    }
    List<SearchEntry> entries = new ArrayList<>();
    entries.add(SearchEntry.ofRevision(effect.number(), effect.key(), effect.revision()));
    if (!effect.key().isErased()) {
      entries.add(SearchEntry.ofKey(effect.number(), effect.key()));
    }
    add(entries);
    int oldest = effect.revision() - EffectSearch.REVISIONS;
    if (oldest >= 1) {
      remove(List.of(SearchEntry.ofRevision(effect.number(), effect.key(), oldest)));
    }
  }
}
