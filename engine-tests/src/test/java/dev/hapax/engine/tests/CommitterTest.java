package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.WaitingCaller;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Committer;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Obstacle;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryCluster;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitterTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long OWNER = 71;
  private static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));

  private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();
  private final MemoryCluster cluster = new MemoryCluster(() -> NOW);
  private final TroubledStore store = new TroubledStore(cluster.store());
  private final Committer committer =
      new Committer(
          store,
          Ports.system().threads(),
          Ports.system().clock(),
          new Committer.Listener() {
            @Override
            public void woken(List<Long> runs) {}

            @Override
            public void displaced(List<Long> runs) {}

            @Override
            public void wakeUpsMayBeMissing() {}

            @Override
            public void broken(RuntimeException cause) {
              broken.complete(cause);
            }
          });
  private long lastNumber = 1_900_000_000_000L << 20;

  /** Does something before each commit, and something after it has landed. */
  private static final class TroubledStore extends ForwardingStore {
    private final Store store;
    private volatile Consumer<Batch> before = _ -> {};
    private volatile Consumer<Batch> after = _ -> {};

    TroubledStore(Store store) {
      this.store = store;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      before.accept(batch);
      List<GroupAnswer> answers = store.commit(batch);
      after.accept(batch);
      return answers;
    }
  }

  @AfterEach
  void close() {
    committer.close();
  }

  @Test
  void callers_that_wait_when_it_closes_without_an_answer_get_store_broken() throws Exception {
    var asked = new CountDownLatch(1);
    var errand =
        CompletableFuture.runAsync(
            () ->
                committer.between(
                    _ -> {
                      asked.countDown();
                      throw new UnknownCommit("no answer", new IOException("io"));
                    }));
    asked.await();

    committer.close();

    assertThat(broken.join()).isInstanceOf(StoreBroken.class).hasMessageContaining("no answer");
    assertThatThrownBy(errand::join).hasCauseInstanceOf(StoreBroken.class);
  }

  // ---- locks of others

  @Test
  void a_group_that_needs_the_lock_of_another_waits_and_the_others_land() {
    NewRun blocked = newRun("A");
    NewRun free = newRun("B");
    Runnable unlock = cluster.lock(Obstacle.key(blocked.id()));

    Committer.Ticket first = committer.submit(insert(blocked));
    Committer.Ticket second = committer.submit(goOn(blocked, 1));
    Committer.Ticket third = committer.submit(goOn(blocked, 2));
    Committer.Ticket other = committer.submit(insert(free));
    Committer.Ticket next = committer.submit(goOn(free, 1));

    assertThat(other.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(next.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(store.run(blocked.number())).isNull();
    unlock.run();
    assertThat(List.of(third.await(), second.await(), first.await()))
        .hasOnlyElementsOfType(GroupAnswer.Landed.class);
    assertThat(store.journal(blocked.number())).hasSize(3);
  }

  @Test
  void all_who_wait_for_one_lock_go_on_in_their_order_and_only_the_first_was_tried() {
    NewRun first = newRun("A");
    Runnable unlock = cluster.lock(Obstacle.key(first.id()));
    var tried = new AtomicInteger();
    Committer.Ticket waiting = committer.submit(insert(first));
    Committer.Ticket sign = committer.submit(insert(newRun("B")));
    sign.await();
    store.before = batch -> tried.accumulateAndGet(batch.groups().size(), Math::max);
    List<Committer.Ticket> rivals =
        IntStream.range(0, 200).mapToObj(_ -> committer.submit(insert(newRun("A")))).toList();
    committer.submit(insert(newRun("C"))).await();

    assertThat(tried).hasValue(1);
    unlock.run();
    assertThat(waiting.await()).isInstanceOf(GroupAnswer.Landed.class);
    for (Committer.Ticket rival : rivals) {
      assertThat(rival.await())
          .isInstanceOfSatisfying(
              GroupAnswer.Exists.class,
              exists -> assertThat(exists.run().number()).isEqualTo(first.number()));
    }
  }

  @Test
  void a_caller_that_waits_for_a_lock_when_it_closes_gets_an_error() {
    NewRun blocked = newRun("A");
    cluster.lock(Obstacle.key(blocked.id()));
    Committer.Ticket ticket = committer.submit(insert(blocked));
    committer.submit(insert(newRun("B"))).await();

    committer.close();

    assertThatThrownBy(ticket::await).isInstanceOf(StoreClosed.class);
    assertThat(broken).isNotDone();
  }

  // ---- a full disk

  @Test
  void a_new_run_that_meets_a_full_disk_is_refused_at_once_and_never_lands() {
    NewRun accepted = newRun("A");
    committer.submit(insert(accepted)).await();
    var isFull = new AtomicBoolean();
    var atTheStore = new CountDownLatch(1);
    var gathered = new CountDownLatch(1);
    store.before =
        _ -> {
          if (isFull.get()) {
            throw new StoreFull("no space", null);
          }
          atTheStore.countDown();
          awaitUninterruptibly(gathered); // while the first one commits, the next ones gather
          isFull.set(true);
        };
    Committer.Ticket first = committer.submit(goOn(accepted, 1));
    awaitUninterruptibly(atTheStore);
    NewRun refused = newRun("B");
    Committer.Ticket insert = committer.submit(insert(refused));
    Committer.Ticket second = committer.submit(goOn(refused, 1));
    Committer.Ticket stays = committer.submit(goOn(accepted, 2));
    gathered.countDown();

    assertThat(first.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(insert.await()).isInstanceOf(GroupAnswer.NoSpace.class);
    assertThat(second.await()).isNotInstanceOf(GroupAnswer.Landed.class);
    assertThat(committer.isFull()).isTrue();
    assertThat(committer.submit(insert(newRun("C"))).await())
        .isInstanceOf(GroupAnswer.NoSpace.class);
    // A lease is renewed though what was accepted waits for space.
    assertThat(committer.<String>between(_ -> "renewed")).isEqualTo("renewed");
    store.before = _ -> {};
    assertThat(stays.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(store.run(refused.number())).isNull();
  }

  @Test
  void a_start_alone_on_a_full_disk_is_refused() {
    store.before =
        _ -> {
          throw new StoreFull("no space", null);
        };
    NewRun refused = newRun("A");

    assertThat(committer.submit(insert(refused)).await()).isInstanceOf(GroupAnswer.NoSpace.class);
    assertThat(committer.isFull()).isTrue();
    store.before = _ -> {};
    committer.submit(insert(newRun("B"))).await();
    assertThat(committer.isFull()).isFalse();
    assertThat(store.run(refused.number())).isNull();
  }

  @Test
  void a_caller_outside_is_refused_by_a_full_disk_and_all_else_waits() {
    NewRun accepted = newRun("A");
    committer.submit(insert(accepted)).await();
    store.before =
        _ -> {
          throw new StoreFull("no space", null);
        };
    Group asked = goOn(accepted, 5);

    Committer.Ticket stays = committer.submit(goOn(accepted, 1));
    assertThatThrownBy(() -> WaitingCaller.waitsFor(() -> committer.commit(asked)))
        .isInstanceOf(StoreFull.class);
    assertThatThrownBy(() -> WaitingCaller.waitsFor(() -> committer.commit(asked)))
        .isInstanceOf(StoreFull.class);
    Committer.Ticket behind = committer.submit(goOn(accepted, 2));
    store.before = _ -> {};

    assertThat(stays.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(behind.await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(store.journal(accepted.number())).noneMatch(asked::wrote);
  }

  @Test
  void a_caller_outside_is_refused_while_another_question_waits_for_space() throws Exception {
    var isFull = new AtomicBoolean(true);
    var asks = new CountDownLatch(1);
    Thread lease =
        Thread.startVirtualThread(
            () ->
                committer.<String>between(
                    _ -> {
                      asks.countDown();
                      if (isFull.get()) {
                        throw new StoreFull("no space", null);
                      }
                      return "renewed";
                    }));
    awaitUninterruptibly(asks);

    assertThatThrownBy(() -> WaitingCaller.waitsFor(() -> committer.commit(insert(newRun("A")))))
        .isInstanceOf(StoreFull.class);

    isFull.set(false);
    lease.join();
  }

  @Test
  void what_a_caller_outside_asked_for_is_not_refused_if_it_may_have_landed() {
    NewRun accepted = newRun("A");
    committer.submit(insert(accepted)).await();
    var commits = new AtomicInteger();
    store.before =
        _ -> {
          if (commits.incrementAndGet() == 2) {
            throw new StoreFull("no space", null);
          }
        };
    store.after =
        _ -> {
          if (commits.get() == 1) {
            throw new UnknownCommit("no answer", new IOException("io"));
          }
        };

    assertThat(WaitingCaller.waitsFor(() -> committer.commit(goOn(accepted, 1))))
        .isInstanceOf(GroupAnswer.Landed.class);
    assertThat(commits).hasValue(3);
  }

  @Test
  void a_new_run_that_may_have_landed_is_not_refused_when_the_disk_is_full_then() {
    var commits = new AtomicInteger();
    store.before =
        _ -> {
          if (commits.incrementAndGet() == 2) {
            throw new StoreFull("no space", null);
          }
        };
    store.after =
        _ -> {
          if (commits.get() == 1) {
            throw new UnknownCommit("no answer", new IOException("io"));
          }
        };

    assertThat(committer.submit(insert(newRun("A"))).await())
        .isInstanceOf(GroupAnswer.Landed.class);
    assertThat(commits).hasValue(3);
  }

  @Test
  void a_new_run_that_may_have_landed_is_not_refused_after_it_has_waited_for_a_lock() {
    NewRun run = newRun("A");
    var commits = new AtomicInteger();
    var unlock = new AtomicReference<Runnable>(() -> {});
    store.before =
        _ -> {
          switch (commits.incrementAndGet()) {
            case 2 -> unlock.set(cluster.lock(Obstacle.key(run.id())));
            case 3 -> {
              unlock.get().run();
              throw new StoreFull("no space", null);
            }
            default -> {}
          }
        };
    store.after =
        _ -> {
          if (commits.get() == 1) {
            throw new UnknownCommit("no answer", new IOException("io"));
          }
        };

    assertThat(committer.submit(insert(run)).await()).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(commits).hasValue(4);
  }

  // ---- set-up

  private Group insert(NewRun run) {
    return group(new Head.Insert(run, OWNER));
  }

  private Group goOn(NewRun run, long seq) {
    return group(new Head.Owned(run.number(), OWNER, seq));
  }

  private Group group(Head head) {
    return new Group(++lastNumber, NOW, head, List.of(), ENTRIES);
  }

  private NewRun newRun(String key) {
    return new NewRun(
        ++lastNumber,
        RunId.of("acme", "charge", key, null),
        "acme",
        "charge",
        1,
        key,
        Fingerprint.of("{}"),
        "{}",
        null);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
