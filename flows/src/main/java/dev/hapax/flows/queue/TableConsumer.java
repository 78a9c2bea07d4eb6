package dev.hapax.flows.queue;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.SqlDatabase.Session;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a table in the order of its primary key. One transaction locks rows, waits
 * until they are received, and then deletes or marks them. A crash in between gives the rows back,
 * and they are recognized by their primary key when they come again.
 *
 * <p>Consumers share the rows with {@code SKIP LOCKED}. For order, a consumer first takes a lock of
 * the table that lasts as long as its transaction, so that no other one can pass it.
 */
final class TableConsumer implements QueueConsumer {
  private static final String DELETE = "delete";

  /** What a batch may have: the socket takes 32 MB. */
  private static final long MOST_BYTES = 8L << 20;

  private static final int MOST_COUNTED = 10_000;

  private final Supplier<SqlDatabase> database;
  private final QueueTerms terms;
  private final String table;
  private final @Nullable String mark;
  private @Nullable Layout layout;

  /**
   * The table's number, which its lock is made of, and the columns of its primary key, each as
   * {@code t."column"}.
   */
  private record Layout(String number, List<String> key) {}

  /** A row that is locked now. */
  private record Row(String place, QueueMessage message) {}

  TableConsumer(Supplier<SqlDatabase> database, QueueTerms terms) {
    this.database = database;
    this.terms = terms;
    this.table = TableName.quoted(terms.queue());
    String done = terms.done();
    this.mark = done == null || done.equals(DELETE) ? null : TableName.quoted(done);
  }

  @Override
  public Polled poll(Duration atMost, Receiver receiver) throws Exception {
    return database.get().transaction(session -> poll(session, receiver));
  }

  private Polled poll(Session session, Receiver receiver) throws Exception {
    Layout known = layout(session);
    if (terms.ordered() && !takesTurn(session, known)) {
      return Polled.NOTHING;
    }
    List<Row> rows = next(session, known);
    if (rows.isEmpty()) {
      return Polled.NOTHING;
    }
    int received = receiver.receive(rows.stream().map(Row::message).toList());
    acknowledge(session, rows.subList(0, received));
    return new Polled(rows.size(), received);
  }

  private Layout layout(Session session) throws Exception {
    Layout known = layout;
    if (known != null) {
      return known;
    }
    SqlDatabase.Result found =
        session.run(
            """
            SELECT c.oid::bigint AS number, c.relkind::text AS kind, a.attname::text AS column
            FROM pg_class c
            LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            LEFT JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place) ON true
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
            WHERE c.oid = to_regclass(:table)
            ORDER BY k.place
            """,
            Map.of("table", table));
    if (found.rows().isEmpty()) {
      throw new IllegalStateException(
          "there is no table %s that this user of the database can see".formatted(table));
    }
    Map<String, @Nullable Object> first = found.rows().getFirst();
    if (!"r".equals(first.get("kind")) || first.get("column") == null) {
      throw new IllegalStateException(
          "%s: expected a table with a primary key that is not partitioned".formatted(table));
    }
    known =
        new Layout(
            String.valueOf(first.get("number")),
            found.rows().stream()
                .map(row -> "t." + quoted(String.valueOf(row.get("column"))))
                .toList());
    layout = known;
    return known;
  }

  private static String quoted(String column) {
    return '"' + column.replace("\"", "\"\"") + '"';
  }

  /** Only one consumer of the table at a time; the lock ends with the transaction. */
  private static boolean takesTurn(Session session, Layout known) throws Exception {
    SqlDatabase.Result lock =
        session.run(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(:lock, 0)) AS mine",
            Map.of("lock", "hapax/queue/" + known.number()));
    return Boolean.TRUE.equals(lock.rows().getFirst().get("mine"));
  }

  private List<Row> next(Session session, Layout known) throws Exception {
    String key = String.join(", ", known.key());
    String parts =
        known.key().stream().map(column -> column + "::text").collect(Collectors.joining(", "));
    SqlDatabase.Result found =
        session.run(
            """
            WITH locked AS (
              SELECT t.ctid AS place, jsonb_build_array(%s)::text AS key, row_to_json(t)::text AS body
              FROM %s AS t %s ORDER BY %s LIMIT :most FOR UPDATE %s
            ), sized AS (
              SELECT place, key, body, octet_length(body)::bigint AS size,
                     row_number() OVER () AS number,
                     sum(least(octet_length(body), :largest)) OVER (ROWS UNBOUNDED PRECEDING) AS total
              FROM locked
            )
            SELECT place::text, key, size, CASE WHEN size <= :largest THEN body END AS body
            FROM sized WHERE number = 1 OR total <= :bytes ORDER BY number
            """
                .formatted(parts, table, open("WHERE"), key, terms.ordered() ? "" : "SKIP LOCKED"),
            Map.of("most", terms.batch(), "largest", QueueMessage.LARGEST, "bytes", MOST_BYTES));
    List<Row> rows = new ArrayList<>();
    for (Map<String, @Nullable Object> row : found.rows()) {
      rows.add(row(row));
    }
    return rows;
  }

  private static Row row(Map<String, @Nullable Object> row) {
    Object body = row.get("body");
    Object size = row.get("size");
    return new Row(
        String.valueOf(row.get("place")),
        new QueueMessage(
            id(String.valueOf(row.get("key"))),
            null,
            Map.of(),
            Map.of(),
            body == null ? null : body.toString().getBytes(StandardCharsets.UTF_8),
            size instanceof Number number ? number.longValue() : 0,
            null));
  }

  /** The value of a key of one column, else the columns as a JSON array. */
  private static String id(String array) {
    boolean isOne = array.startsWith("[\"") && array.indexOf('"', 2) == array.length() - 2;
    String id = isOne && array.indexOf('\\') < 0 ? array.substring(2, array.length() - 2) : array;
    return id.isEmpty() ? array : id;
  }

  private void acknowledge(Session session, List<Row> rows) throws Exception {
    if (rows.isEmpty()) {
      return;
    }
    String places =
        rows.stream()
            .map(row -> '"' + row.place() + '"')
            .collect(Collectors.joining(",", "{", "}"));
    String change =
        mark == null ? "DELETE FROM " + table : "UPDATE %s SET %s = now()".formatted(table, mark);
    long done =
        session
            .run(change + " WHERE ctid = ANY(CAST(:places AS tid[]))", Map.of("places", places))
            .count();
    if (done != rows.size()) { // the rows are locked, so only a trigger or a rule can do this
      throw new IllegalStateException(
          "%s: %d rows were received, but %d could be acknowledged; look for triggers or rules of the table"
              .formatted(table, rows.size(), done));
    }
  }

  private String open(String word) {
    return mark == null ? "" : "%s %s IS NULL".formatted(word, mark);
  }

  @Override
  public Long lag() throws Exception {
    SqlDatabase.Result counted =
        database
            .get()
            .transaction(
                session ->
                    session.run(
                        "SELECT count(*) AS lag FROM (SELECT 1 FROM %s %s LIMIT :most) AS open"
                            .formatted(table, open("WHERE")),
                        Map.of("most", MOST_COUNTED)));
    return counted.rows().getFirst().get("lag") instanceof Number lag ? lag.longValue() : 0L;
  }

  @Override
  public Long seek(Instant since) throws Exception {
    if (mark == null) {
      throw new UnsupportedOperationException(
          "the rows of table %s are deleted when they are received, so none can come again. Set 'done' to a column that marks them"
              .formatted(terms.queue()));
    }
    return database
        .get()
        .transaction(
            session ->
                session
                    .run(
                        "UPDATE %s SET %s = NULL WHERE %s >= CAST(:since AS timestamptz)"
                            .formatted(table, mark, mark),
                        Map.of("since", since.toString()))
                    .count());
  }

  /** A consumer has no connection between two looks. */
  @Override
  public void close() {}
}
