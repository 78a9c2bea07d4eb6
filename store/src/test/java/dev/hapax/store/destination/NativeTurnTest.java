package dev.hapax.store.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Runs that wait for a SQLite database do not stop other runs. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeTurnTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @TempDir Path folder;
  private final ExecutorService runs = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void writers_of_one_file_go_on_one_after_the_other_while_others_run() throws Exception {
    JdbcDestination destination = JdbcDestination.of(source("shop.db"));
    destination.once("table", connection -> create(connection));
    var asked = new SynchronousQueue<Integer>();
    var answered = new SynchronousQueue<Integer>();
    Future<?> other =
        runs.submit(
            () -> {
              for (int i = 0; i < 20 * CORES; i++) {
                answered.put(asked.take());
              }
              return null;
            });

    List<Future<String>> writes = new ArrayList<>();
    for (int i = 0; i < 20 * CORES; i++) {
      int number = i;
      writes.add(
          runs.submit(
              () ->
                  destination.once(
                      "m-" + number,
                      connection -> {
                        insert(connection, number);
                        asked.put(number); // another run has to go on while this one writes
                        return "\"" + answered.take() + "\"";
                      })));
    }

    for (int i = 0; i < writes.size(); i++) {
      assertThat(writes.get(i).get(30, TimeUnit.SECONDS)).isEqualTo("\"" + i + "\"");
    }
    other.get(30, TimeUnit.SECONDS);
  }

  @Test
  void a_file_that_another_program_keeps_locked_keeps_no_other_run_waiting() throws Exception {
    List<Connection> programs = new ArrayList<>();
    List<Future<String>> writes = new ArrayList<>();
    for (int i = 0; i < 2 * CORES; i++) {
      SQLiteDataSource source = source("shop-" + i + ".db");
      JdbcDestination destination = JdbcDestination.of(source);
      destination.once("table", connection -> create(connection));
      Connection program = DriverManager.getConnection(source.getUrl());
      programs.add(program);
      run(program, "BEGIN IMMEDIATE");
      var begun = new CountDownLatch(1);
      writes.add(
          runs.submit(
              () -> {
                begun.countDown();
                return destination.once("m", connection -> insert(connection, 1));
              }));
      begun.await();
    }

    // Two runs that talk to one another: each needs a thread that carries it.
    var asked = new SynchronousQueue<Integer>();
    Future<Integer> listening = runs.submit(() -> asked.take());
    Future<?> telling =
        runs.submit(
            () -> {
              asked.put(7);
              return null;
            });
    assertThat(listening.get(8, TimeUnit.SECONDS)).isEqualTo(7);
    telling.get(8, TimeUnit.SECONDS);
    assertThat(writes).noneMatch(Future::isDone);

    for (Connection program : programs) {
      run(program, "COMMIT");
      program.close();
    }
    for (Future<String> write : writes) {
      assertThat(write.get(30, TimeUnit.SECONDS)).isEqualTo("1");
    }
  }

  @Test
  void a_writer_that_is_interrupted_before_its_turn_has_written_nothing() throws Exception {
    JdbcDestination destination = JdbcDestination.of(source("shop.db"));
    destination.once("table", connection -> create(connection));
    var inside = new CountDownLatch(1);
    var mayGo = new CountDownLatch(1);
    Future<String> first =
        runs.submit(
            () ->
                destination.once(
                    "m-1",
                    _ -> {
                      inside.countDown();
                      mayGo.await();
                      return "1";
                    }));
    inside.await();
    var heard = new CompletableFuture<Void>();
    Thread second =
        Thread.startVirtualThread(
            () -> {
              try {
                destination.once("m-2", connection -> insert(connection, 2));
                heard.complete(null);
              } catch (Exception e) {
                heard.completeExceptionally(e);
              }
            });

    second.interrupt();

    assertThatThrownBy(() -> heard.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(NotApplied.class);
    mayGo.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("1");
  }

  private SQLiteDataSource source(String name) {
    var config = new SQLiteConfig();
    config.setBusyTimeout(20_000);
    var source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + folder.resolve(name));
    return source;
  }

  private static String create(Connection connection) throws SQLException {
    run(connection, "CREATE TABLE invoice (id INTEGER PRIMARY KEY)");
    return "null";
  }

  private static String insert(Connection connection, int number) throws SQLException {
    run(connection, "INSERT INTO invoice VALUES (" + number + ")");
    return "" + number;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
