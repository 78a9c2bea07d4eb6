package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows that a transaction of another program keeps locked, while other runs go on. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class BlockedRowTest {
  private static final Duration SLOW = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The lease's third, after which it is to be renewed. */
  private static final Duration LATE = Duration.ofSeconds(8);

  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final Flow<String, String> gated =
      Flow.of("gated", String.class, String.class)
          .key(name -> name)
          .concurrency(4)
          .body(
              (run, name) -> {
                mayEnd.await();
                return run.effect("send", Effect.create(name).keyed(), _ -> name, String.class);
              });
  private final Flow<String, String> unrelated =
      Flow.of("unrelated", String.class, String.class)
          .key(name -> name)
          .body(
              (run, name) ->
                  run.effect("send", Effect.create("u" + name).keyed(), _ -> name, String.class));
  private DataSource database;
  private Hapax one;
  private Hapax two;
  private Connection callers;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.empty(BlockedRowTest.class);
    one = node();
    two = node();
    callers = database.getConnection();
    callers.setAutoCommit(false);
  }

  private Hapax node() {
    Hapax node = Hapax.open(database, HapaxOptions.DEFAULT);
    node.register(gated);
    node.register(unrelated);
    return node;
  }

  @AfterEach
  void close() throws SQLException {
    if (callers != null) {
      callers.close();
      one.close();
      two.close();
    }
  }

  @Test
  void a_gate_that_a_callers_transaction_keeps_locked_stalls_no_other_flow() throws Exception {
    List<RunHandle<String>> inside = List.of(one.start(gated, "a"), two.start(gated, "b"));
    one.in(callers).start(gated, "in the caller's transaction");
    mayEnd.countDown();
    List<CompletableFuture<String>> outside = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String name = "outside " + i;
      Hapax node = i % 2 == 0 ? one : two;
      outside.add(
          CompletableFuture.supplyAsync(
              () -> node.start(gated, name).await(), Thread::startVirtualThread));
    }

    List<Duration> took = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(8); i++) {
      long before = System.nanoTime();
      (i % 2 == 0 ? one : two).start(unrelated, "" + i).await(PATIENCE);
      took.add(Duration.ofNanos(System.nanoTime() - before));
      assertThat(sinceRenewal()).isLessThan(LATE);
    }

    assertThat(took).allSatisfy(time -> assertThat(time).isLessThan(SLOW));
    assertThat(outside).noneMatch(CompletableFuture::isDone);
    callers.commit();
    for (RunHandle<String> run : inside) {
      run.await(PATIENCE);
    }
    for (CompletableFuture<String> start : outside) {
      start.get(30, TimeUnit.SECONDS);
    }
  }

  /** Of the lease that was renewed the longest ago. */
  private Duration sinceRenewal() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Duration.ofMillis(
          Long.parseLong(
              PostgresConnections.text(
                  connection,
                  "SELECT cast(extract(epoch FROM clock_timestamp() - min(renewed_at)) * 1000 AS bigint) FROM hapax.lease")));
    }
  }
}
