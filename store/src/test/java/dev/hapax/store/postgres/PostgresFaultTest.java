package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.fault.FaultProxy;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that fail at any byte of a commit, and nodes that are in each other's way. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresFaultTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long OWNER = 71;
  private static final int REQUEST_STEP_BYTES = 61;
  private static final int ANSWER_STEP_BYTES = 13;
  private static final int LONGEST_COMMIT_BYTES = 6_000;
  private static final int KEYS = 200;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));

  private long lastNumber = 1_900_000_000_000L << 20;

  @ParameterizedTest
  @EnumSource
  void a_batch_lands_once_at_whichever_byte_its_connection_fails(FaultProxy.Fault fault)
      throws IOException {
    String url = TestDatabase.freshUrl();
    int port = PostgresServer.shared().port();
    try (FaultProxy proxy = FaultProxy.before(port);
        Store store = open(url.replace(":" + port + "/", ":" + proxy.port() + "/"))) {
      int fired = 0;
      int unknown = 0;
      int step = fault.isOfRequest() ? REQUEST_STEP_BYTES : ANSWER_STEP_BYTES;
      for (int at = 0; at < LONGEST_COMMIT_BYTES; at += step) {
        NewRun run = newRun("A-" + at);
        Group first = insert(run, claim(run, "A-" + at));
        proxy.failAfter(fault, at);

        unknown += commitUntilKnown(store, new Batch(List.of(first)));
        boolean isOver = proxy.disarm();

        fired += isOver ? 0 : 1;
        assertThat(store.journal(run.number())).as("cut at byte %d", at).hasSize(1);
        assertThat(store.find(run.id())).isNotNull().returns(run.number(), found -> found.number());
        if (isOver) {
          break;
        }
      }
      assertThat(fired).as("faults that happened").isGreaterThan(5);
      assertThat(unknown > 5)
          .as("some of %d commits had to be submitted again: %d", fired, unknown)
          .isEqualTo(fault.isEnd());
    }
  }

  @Test
  void a_server_that_falls_silent_is_given_up_in_time_and_nothing_lands_twice() throws IOException {
    String url = TestDatabase.freshUrl();
    int port = PostgresServer.shared().port();
    var patience = new Patience(SHORT, SHORT, SHORT);
    try (FaultProxy proxy = FaultProxy.before(port)) {
      String there = url.replace(":" + port + "/", ":" + proxy.port() + "/") + "&socketTimeout=1";
      try (Store store = open(there, patience)) {
        NewRun before = newRun("before");
        store.commit(new Batch(List.of(insert(before, claim(before, "before")))));
        NewRun run = newRun("meanwhile");
        var batch = new Batch(List.of(insert(run, claim(run, "meanwhile"))));

        proxy.fallSilent();

        assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(UnknownCommit.class);
        assertThatThrownBy(() -> store.run(before.number())).isInstanceOf(StoreUnavailable.class);
        assertThatThrownBy(() -> store.find(before.id())).isInstanceOf(StoreUnavailable.class);

        proxy.speakAgain();

        commitUntilKnown(store, batch);
        assertThat(store.journal(run.number())).hasSize(1);
        assertThat(store.find(before.id())).isNotNull();
      }
    }
  }

  @Test
  void of_two_nodes_that_insert_the_same_keys_one_wins_each()
      throws ExecutionException, InterruptedException {
    String url = TestDatabase.freshUrl();
    try (Store one = open(url);
        Store other = open(url);
        var threads = Executors.newFixedThreadPool(2)) {
      List<Group> forOne = new ArrayList<>();
      List<Group> forOther = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        forOne.add(withEffect("K-" + key));
        forOther.add(withEffect("K-" + key));
      }
      Collections.reverse(forOther); // so that they lock rows in opposite order
      var start = new CountDownLatch(1);
      Future<List<GroupAnswer>> first = threads.submit(() -> commitAll(one, forOne, start));
      Future<List<GroupAnswer>> second = threads.submit(() -> commitAll(other, forOther, start));
      start.countDown();

      List<GroupAnswer> toOne = first.get();
      List<GroupAnswer> toOther = new ArrayList<>(second.get());
      Collections.reverse(toOther);

      for (int key = 0; key < KEYS; key++) {
        assertThat(List.of(toOne.get(key), toOther.get(key)))
            .as("key %d", key)
            .satisfiesOnlyOnce(answer -> assertThat(answer).isInstanceOf(GroupAnswer.Landed.class))
            .satisfiesOnlyOnce(answer -> assertThat(answer).isInstanceOf(GroupAnswer.Exists.class));
      }
    }
  }

  // ---- set-up

  private Group withEffect(String key) {
    NewRun run = newRun(key);
    return insert(run, claim(run, key));
  }

  /** In batches of several sizes, so that they meet in the middle of each other's. */
  private static List<GroupAnswer> commitAll(Store store, List<Group> groups, CountDownLatch start)
      throws InterruptedException {
    start.await();
    List<GroupAnswer> answers = new ArrayList<>();
    for (int from = 0, size = 1; from < groups.size(); from += size, size = size % 7 + 1) {
      var batch = new Batch(groups.subList(from, Math.min(groups.size(), from + size)));
      answers.addAll(store.commit(batch));
    }
    return answers;
  }

  private static Store open(String url) {
    return open(url, Patience.DEFAULT);
  }

  private static Store open(String url, Patience patience) {
    return new PostgresStore(
        () -> DriverManager.getConnection(url), Ports.system().threads(), patience);
  }

  private NewRun newRun(String key) {
    return TestRuns.newRun(++lastNumber, key);
  }

  private Group insert(NewRun run, Change... changes) {
    return new Group(++lastNumber, NOW, new Head.Insert(run, OWNER), List.of(changes), ENTRIES);
  }

  private Change.Claim claim(NewRun run, String key) {
    return new Change.Claim(
        new EffectClaim(
            ++lastNumber,
            new EffectKey("acme", "charge", key, null),
            Kind.CREATE,
            "keyed",
            run.number(),
            new Step("charge", null),
            null,
            null,
            null,
            null,
            NOW));
  }

  /** How often the outcome was unknown. */
  private static int commitUntilKnown(Store store, Batch batch) {
    for (int tries = 0; ; tries++) {
      try {
        assertThat(store.commit(batch))
            .allSatisfy(answer -> assertThat(answer).isInstanceOf(GroupAnswer.Landed.class));
        return tries;
      } catch (UnknownCommit e) {
        assertThat(tries).isLessThan(100);
      }
    }
  }
}
