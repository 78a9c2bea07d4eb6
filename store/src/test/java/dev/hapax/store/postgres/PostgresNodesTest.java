package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.hapax.Acknowledgement;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.NodeLease;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.time.Ports;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes on one real server at the same moment; and that the tests here notice a node that does
 * it wrong.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresNodesTest {
  private static final int CALLERS = 64;
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long OWNER = 71;
  private static final long OTHER_OWNER = 72;
  private static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));
  private static final UnaryOperator<String> AS_THEY_ARE = UnaryOperator.identity();

  private long lastNumber = 1_900_000_000_000L << 20;

  record Order(String id, int total) {}

  // ---- one key

  @Test
  void the_same_start_by_64_threads_at_two_nodes_is_one_run_and_one_effect() throws Exception {
    var sent = new AtomicInteger();

    Told told = startAtOnce(sent, _ -> 40);

    assertThat(told.runs()).hasSize(CALLERS).containsOnly(told.runs().getFirst());
    assertThat(told.refused()).isZero();
    assertThat(sent).hasValue(1);
  }

  @Test
  void the_nodes_of_a_store_are_listed_with_their_leases_and_runs() throws Exception {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    var connections = BrokenConnections.of(database, AS_THEY_ARE, BrokenConnections.AS_IT_IS);
    try (Store one = open(connections);
        Store other = open(connections)) {
      one.heartbeat(NodeReport.of(OWNER));
      other.heartbeat(NodeReport.of(OTHER_OWNER));
      commit(one, group(new Head.Insert(newRun("A-1"), OWNER)));

      List<NodeLease> nodes = other.nodes();

      assertThat(nodes)
          .extracting(NodeLease::mark)
          .containsExactlyInAnyOrder(one.mark(), other.mark());
      assertThat(nodes)
          .allSatisfy(node -> assertThat(node.expiresAt()).isAfter(node.renewedAt()))
          .filteredOn(node -> node.mark() == one.mark())
          .extracting(NodeLease::runs)
          .containsExactly(1L);
    }
  }

  @Test
  void other_inputs_under_the_same_key_are_refused() throws Exception {
    var sent = new AtomicInteger();

    Told told = startAtOnce(sent, caller -> caller);

    assertThat(told.runs()).hasSize(1);
    assertThat(told.refused()).isEqualTo(CALLERS - 1);
    assertThat(sent).hasValue(1);
  }

  private record Told(List<String> runs, int refused) {}

  private static Told startAtOnce(AtomicInteger sent, IntUnaryOperator total) throws Exception {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    Flow<Order, String> flow =
        Flow.of("charge", Order.class, String.class)
            .key(Order::id)
            .body(
                (run, order) ->
                    run.effect(
                        "charge",
                        Effect.create(order.id()).keyed(),
                        _ -> "charge-" + sent.incrementAndGet(),
                        String.class));
    List<String> runs = new ArrayList<>();
    int refused = 0;
    try (Hapax one = Hapax.open(database, HapaxOptions.DEFAULT);
        Hapax two = Hapax.open(database, HapaxOptions.DEFAULT);
        var callers = Executors.newFixedThreadPool(CALLERS)) {
      one.register(flow);
      two.register(flow);
      var together = new CyclicBarrier(CALLERS);
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        answers.add(
            callers.submit(
                () -> {
                  together.await();
                  var order = new Order("A-1", total.applyAsInt(caller));
                  var run = (caller % 2 == 0 ? one : two).start(flow, order);
                  run.await();
                  return run.id();
                }));
      }
      for (Future<String> answer : answers) {
        try {
          runs.add(answer.get());
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(KeyReused.class);
          refused++;
        }
      }
    }
    return new Told(runs, refused);
  }

  // ---- one version of an object

  @Test
  void events_with_one_version_at_two_nodes_start_a_run_for_each_content() throws Exception {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    Flow<Order, String> flow =
        Flow.of("keep", Order.class, String.class).body((run, order) -> order.id());
    List<Acknowledgement> told = new ArrayList<>();
    try (Hapax one = Hapax.open(database, HapaxOptions.DEFAULT);
        Hapax two = Hapax.open(database, HapaxOptions.DEFAULT);
        var senders = Executors.newFixedThreadPool(CALLERS)) {
      for (Hapax node : List.of(one, two)) {
        node.register(flow);
        node.inbox().source("shop", Order.class, flow, order -> order);
      }
      var together = new CyclicBarrier(CALLERS);
      List<Future<Acknowledgement>> answers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int sender = i;
        Event event =
            Event.from("shop")
                .id("evt-" + sender)
                .about("order/7", 3)
                .payload(new Order("A-1", sender / 2 % 2));
        answers.add(
            senders.submit(
                () -> {
                  together.await();
                  return (sender % 2 == 0 ? one : two).inbox().receive(event);
                }));
      }
      for (Future<Acknowledgement> answer : answers) {
        told.add(answer.get());
      }
    }

    assertThat(told).filteredOn(answer -> answer.outcome() == InboxOutcome.ACCEPTED).hasSize(2);
    assertThat(told)
        .filteredOn(answer -> answer.outcome() == InboxOutcome.DUPLICATE)
        .hasSize(CALLERS - 2);
    assertThat(told.stream().map(Acknowledgement::run).distinct()).hasSize(2);
  }

  // ---- one entry of the durable map

  @Test
  void each_request_to_one_entry_at_two_nodes_meets_the_entry_that_the_last_one_left()
      throws Exception {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    int callers = 16;
    int rounds = 20;
    try (Hapax one = Hapax.open(database, HapaxOptions.DEFAULT);
        Hapax two = Hapax.open(database, HapaxOptions.DEFAULT);
        var threads = Executors.newFixedThreadPool(callers)) {
      one.kv().put("state", "a");
      var together = new CyclicBarrier(callers);
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        var kv = (i % 2 == 0 ? one : two).kv();
        String next = i % 4 < 2 ? "a" : "b";
        answers.add(
            threads.submit(
                () -> {
                  together.await();
                  int right = 0;
                  for (int round = 0; round < rounds; round++) {
                    kv.add("counter", 1);
                    boolean written =
                        kv.transition("state", List.of("a", "b"), next).written()
                            && kv.get("state").isPresent();
                    right += written ? 1 : 0;
                  }
                  return right;
                }));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(rounds);
      }
      assertThat(one.kv().get("counter").value(Integer.class)).isEqualTo(callers * rounds);
    }
  }

  // ---- the fence

  @Test
  void no_node_takes_over_while_a_transaction_is_open() throws Exception {
    assertThat(writesAfterTakeOver(AS_THEY_ARE)).isFalse();
  }

  @Test
  void a_fence_without_for_share_would_be_noticed() throws Exception {
    assertThat(writesAfterTakeOver(sql -> sql.replace(" FOR SHARE", ""))).isTrue();
  }

  /** Whether a node has written something after another one had taken its runs over. */
  private boolean writesAfterTakeOver(UnaryOperator<String> statements) throws Exception {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    var atCommit = new CountDownLatch(1);
    var tried = new CountDownLatch(1);
    var holds = new AtomicBoolean();
    BrokenConnections.Commit held =
        connection -> {
          if (holds.get()) {
            atCommit.countDown();
            awaitUninterruptibly(tried);
          }
          connection.commit();
        };
    // The server would end a transaction that hangs for longer than the lease, here within 50 ms.
    UnaryOperator<String> patient =
        sql -> sql.replace("idle_in_transaction_session_timeout", "test.ignored");
    var broken = BrokenConnections.of(database, sql -> statements.apply(patient.apply(sql)), held);
    var whole = BrokenConnections.of(database, patient, BrokenConnections.AS_IT_IS);
    try (Store zombie = open(broken);
        Store other = open(whole)) {
      zombie.heartbeat(NodeReport.of(OWNER));
      commit(zombie, group(new Head.Insert(newRun("A-1"), OWNER)));
      NewRun late = newRun("A-2");
      // Without entries, so that its transaction and its commit are two trips.
      var write = new Group(++lastNumber, NOW, new Head.Insert(late, OWNER), List.of(), null);
      zombie.heartbeat(report(OWNER));
      holds.set(true);
      var writing =
          CompletableFuture.supplyAsync(() -> catchThrowable(() -> commit(zombie, write)));
      atCommit.await();
      boolean isTakenOver = false;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      while (!isTakenOver && System.nanoTime() < end) {
        isTakenOver = !other.heartbeat(report(OTHER_OWNER)).adopted().isEmpty();
      }
      tried.countDown();
      writing.join();
      return isTakenOver && other.run(late.number()) != null;
    }
  }

  // ---- unknown commits

  @Test
  void a_commit_that_landed_without_an_answer_is_found_again() {
    assertThat(startWithLostAnswer(false)).isEqualTo(UNDISTURBED);
  }

  @Test
  void a_commit_error_taken_as_a_rollback_would_be_noticed() {
    assertThat(startWithLostAnswer(true)).isNotEqualTo(UNDISTURBED);
  }

  private static final List<String> UNDISTURBED = List.of("accepted", "intent", "done", "ended");

  /** What the history says about a run whose insert lands while the answer to it is lost. */
  private static List<String> startWithLostAnswer(boolean isTakenAsRollback) {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    var connection = new LosesAnswer();
    Store store = open(BrokenConnections.of(database, AS_THEY_ARE, connection));
    Store used = new LosesAnswerToInsert(store, connection, isTakenAsRollback);
    Flow<String, String> flow =
        Flow.of("greet", String.class, String.class)
            .key(name -> name)
            .concurrency(10) // so that its start and the commit are two trips
            .body(
                (run, name) ->
                    run.effect("greet", Effect.create(name).keyed(), _ -> "hi", String.class));
    try (Hapax hapax = Hapax.open(used, HapaxOptions.DEFAULT.closeWithin(Duration.ofMillis(100)))) {
      hapax.register(flow);
      RunHandle<String> run = hapax.start(flow, "Ann");
      run.await();
      assertThat(connection.lost).as("answers that were lost").hasValue(1);
      return hapax.history(run.id()).stream().map(HistoryEntry::type).toList();
    }
  }

  /** Commits, and says once that it does not know whether it has. */
  private static final class LosesAnswer implements BrokenConnections.Commit {
    final AtomicBoolean isNext = new AtomicBoolean();
    final AtomicInteger lost = new AtomicInteger();

    @Override
    public void of(Connection connection) throws SQLException {
      connection.commit();
      if (isNext.getAndSet(false)) {
        lost.incrementAndGet();
        throw new SQLException("the connection was reset", "08006");
      }
    }
  }

  /**
   * Aims at the one commit that matters: a connection commits for other reasons too, among them
   * when it is new.
   */
  private static final class LosesAnswerToInsert extends ForwardingStore {
    private final Store store;
    private final LosesAnswer connection;
    private final boolean isTakenAsRollback;

    LosesAnswerToInsert(Store store, LosesAnswer connection, boolean isTakenAsRollback) {
      this.store = store;
      this.connection = connection;
      this.isTakenAsRollback = isTakenAsRollback;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      boolean inserts =
          batch.groups().stream().anyMatch(group -> group.head() instanceof Head.Insert);
      connection.isNext.set(inserts && connection.lost.get() == 0);
      try {
        return store.commit(batch);
      } catch (UnknownCommit e) {
        if (!isTakenAsRollback) {
          throw e;
        }
        return batch.groups().stream().<GroupAnswer>map(_ -> new GroupAnswer.Lost()).toList();
      }
    }
  }

  // ---- a rival's row

  @Test
  void a_rivals_row_is_read_by_a_statement_of_its_own() {
    assertThat(answerToSecondInsert(AS_THEY_ARE)).isInstanceOf(GroupAnswer.Exists.class);
  }

  /** In one statement with the insert the look sees what was there before: nothing. */
  @Test
  void on_conflict_and_the_look_in_one_statement_would_be_noticed() {
    UnaryOperator<String> asOne =
        sql ->
            sql.startsWith("SELECT number FROM run WHERE id = ")
                ? "SELECT number FROM (" + sql + ") AS seen WHERE false"
                : sql;

    assertThat(answerToSecondInsert(asOne)).isNotInstanceOf(GroupAnswer.Exists.class);
  }

  private GroupAnswer answerToSecondInsert(UnaryOperator<String> statements) {
    DataSource database = TestDatabase.empty(PostgresNodesTest.class);
    try (Store one = open(database::getConnection);
        Store two = open(BrokenConnections.of(database, statements, BrokenConnections.AS_IT_IS))) {
      commit(one, group(new Head.Insert(newRun("A-1"), OWNER)));
      return commit(two, group(new Head.Insert(newRun("A-1"), OTHER_OWNER)));
    }
  }

  // ---- set-up

  private static Store open(PostgresConnections.Source source) {
    return new PostgresStore(source, Ports.system().threads());
  }

  private static NodeReport report(long owner) {
    return new NodeReport(owner, Duration.ofMillis(50), 10, false);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private NewRun newRun(String key) {
    return TestRuns.newRun(++lastNumber, key);
  }

  private Group group(Head head) {
    return new Group(++lastNumber, NOW, head, List.of(), ENTRIES);
  }

  private static GroupAnswer commit(Store store, Group group) {
    return store.commit(new Batch(List.of(group))).getFirst();
  }
}
