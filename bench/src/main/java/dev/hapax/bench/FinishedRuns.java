package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a store with finished runs, far faster than an engine could. The engine makes one run; its
 * rows are copied inside SQLite with other keys, numbers and hashes, and so look as if the engine
 * had written them, regardless of the columns. The key indexes are filled in the order of their
 * hashes.
 */
final class FinishedRuns {
  private static final String TENANT = HapaxOptions.DEFAULT.tenant();
  private static final int BATCH = 10_000;

  private FinishedRuns() {}

  /** Returns the orders whose runs are now in the file, beside the one that was copied. */
  static List<Order> load(Path file, int count) throws SQLException, IOException {
    Order original = OrderFlow.randomOrder();
    runOnce(file, original);
    List<Order> orders = new ArrayList<>(count);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      // Without a journal and without syncs: a crash here only costs the benchmark.
      execute(connection, "PRAGMA journal_mode=OFF");
      execute(connection, "PRAGMA synchronous=OFF");
      execute(connection, "PRAGMA temp_store=MEMORY");
      execute(connection, "PRAGMA cache_size=-262144");
      connection.setAutoCommit(false);
      nameTheOriginal(connection, original);
      nameTheCopies(connection, original, count, orders);
      for (String table : List.of("run", "journal", "effect")) {
        copyRows(connection, table);
      }
      index(connection);
      connection.commit();
    }
    sync(file);
    return orders;
  }

  private static void runOnce(Path file, Order order) {
    try (var hapax = Hapax.open(file)) {
      var flow = OrderFlow.flow();
      hapax.register(flow);
      hapax.start(flow, order).await();
    }
  }

  /**
   * Stores what differs from run to run, in a row per run; the effects are those of {@link
   * OrderFlow#STEPS}.
   */
  private static void nameTheOriginal(Connection connection, Order order) throws SQLException {
    String columns = "(run, id, print, key, e0, h0, e1, h1, e2, h2)";
    execute(connection, "CREATE TEMP TABLE original " + columns);
    execute(connection, "CREATE TEMP TABLE copy " + columns);
    List<Long> numbers =
        column(
                connection,
                "SELECT number FROM run UNION ALL SELECT number FROM (SELECT number FROM effect ORDER BY number)")
            .stream()
            .map(Long::valueOf)
            .toList();
    try (PreparedStatement insert = insertInto(connection, "original")) {
      bind(insert, order, numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
      insert.executeUpdate();
    }
  }

  private static void nameTheCopies(
      Connection connection, Order original, int count, List<Order> orders) throws SQLException {
    long number = Long.parseLong(column(connection, "SELECT e2 FROM original").getFirst());
    try (PreparedStatement insert = insertInto(connection, "copy")) {
      while (orders.size() < count) {
        var order = new Order(OrderFlow.randomOrder().id(), original.amount());
        bind(insert, order, number + 1, number + 2, number + 3, number + 4);
        number += 4;
        insert.addBatch();
        orders.add(order);
        if (orders.size() % BATCH == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
  }

  private static PreparedStatement insertInto(Connection connection, String table)
      throws SQLException {
    return connection.prepareStatement(
        "INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  private static void bind(PreparedStatement insert, Order order, long run, long... effects)
      throws SQLException {
    insert.setLong(1, run);
    insert.setBytes(2, RunId.of(TENANT, OrderFlow.NAME, order.id(), null).bytes());
    insert.setBytes(3, Fingerprint.of(Json.write(order)).bytes());
    insert.setString(4, order.id());
    for (int e = 0; e < effects.length; e++) {
      var key = new EffectKey(TENANT, OrderFlow.NAME + "/" + OrderFlow.STEPS[e], order.id(), null);
      insert.setLong(5 + 2 * e, effects[e]);
      insert.setBytes(6 + 2 * e, key.hash());
    }
  }

  /** Copies each row of the original, in the order of the runs. */
  private static void copyRows(Connection connection, String table) throws SQLException {
    execute(connection, "CREATE TEMP TABLE sample AS SELECT * FROM main." + table);
    var values = new ArrayList<String>();
    for (String column :
        column(connection, "SELECT name FROM pragma_table_info('" + table + "')")) {
      String copied = asInTheCopy("s." + column);
      boolean isTheSameInAll =
          column(
                  connection,
                  "SELECT 1 FROM original o, (SELECT * FROM copy LIMIT 1) c, sample s WHERE %s IS NOT s.%s"
                      .formatted(copied, column))
              .isEmpty();
      values.add(isTheSameInAll ? "s." + column : copied);
    }
    execute(
        connection,
        "INSERT INTO main.%s SELECT %s FROM original o CROSS JOIN copy c CROSS JOIN sample s"
            .formatted(table, String.join(",\n", values)));
    execute(connection, "DROP TABLE sample");
  }

  /** Returns the copy's value for each value that is specific to the original. */
  private static String asInTheCopy(String column) {
    return """
      CASE typeof(%1$s)
        WHEN 'integer' THEN CASE %1$s WHEN o.run THEN c.run WHEN o.e0 THEN c.e0 WHEN o.e1 THEN c.e1 WHEN o.e2 THEN c.e2
          ELSE %1$s END
        WHEN 'blob' THEN CASE %1$s WHEN o.id THEN c.id WHEN o.print THEN c.print ELSE %1$s END
        WHEN 'text' THEN replace(replace(replace(replace(%1$s, o.key, c.key), o.e0, c.e0), o.e1, c.e1), o.e2, c.e2)
        ELSE %1$s
      END"""
        .formatted(column);
  }

  private static void index(Connection connection) throws SQLException {
    execute(connection, "INSERT INTO run_key SELECT id, run FROM copy ORDER BY id");
    execute(
        connection,
        """
        INSERT INTO effect_key
        SELECT h0, e0 FROM copy UNION ALL SELECT h1, e1 FROM copy UNION ALL SELECT h2, e2 FROM copy ORDER BY 1
        """);
    // The original's keys too: otherwise an opening would read every row from there on again.
    execute(connection, "INSERT OR IGNORE INTO run_key SELECT id, run FROM original");
    execute(
        connection,
        """
        INSERT OR IGNORE INTO effect_key
        SELECT h0, e0 FROM original UNION ALL SELECT h1, e1 FROM original UNION ALL SELECT h2, e2 FROM original
        """);
    execute(
        connection,
        "UPDATE meta SET value = (SELECT max(e2) + 1 FROM copy) WHERE name LIKE '%_indexed_before'");
  }

  private static List<String> column(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Otherwise the machine would still be writing it while we measure. */
  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
