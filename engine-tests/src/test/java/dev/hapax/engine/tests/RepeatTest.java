package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.Undo;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rounds that follow each other, each with its own section of the journal. */
class RepeatTest extends EngineTest {
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  private volatile String refused = "";

  record Cursor(int next, String seen) {}

  /** Sends one page per round and waits in between. */
  private Flow<Order, Receipt> pages(int pages, int maxRounds) {
    return orders("pages")
        .body(
            (run, order) -> {
              Cursor end =
                  run.repeat(
                      "pages",
                      maxRounds,
                      (round, index, before) -> {
                        String page = order.id() + index;
                        round.effect(
                            "send",
                            Effect.create(page).keyed(),
                            _ -> {
                              if (refused.equals(page)) {
                                throw new Rejected("refused", "not this one");
                              }
                              sent.add(page);
                            });
                        round.sleep("pause", Duration.ofMinutes(1));
                        String seen = before == null ? "" : before.seen();
                        var cursor = new Cursor(index + 1, index % 100 == 0 ? seen + page : seen);
                        return new Repetition<>(cursor, index + 1 == pages);
                      },
                      Cursor.class);
              run.sleep("later", Duration.ofMinutes(1));
              return new Receipt(order.id(), end == null ? "" : end.next() + end.seen());
            });
  }

  private RunStatus end(RunHandle<?> run) {
    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status().isEnd());
    return hapax.run(run.id()).status();
  }

  @Test
  void each_round_gets_the_state_of_the_one_before_also_after_a_crash() {
    var flow = register(pages(40, 40));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    moveUntil(Duration.ofMinutes(1), () -> sent.size() > 20);
    crash(flow);

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).output()).contains("40A0");
    assertThat(new HashSet<>(sent)).hasSize(40); // the crash may have come before an answer
    assertThat(hapax.history(run.id()))
        .filteredOn(entry -> entry.type().startsWith("loop"))
        .extracting(HistoryEntry::decision)
        .containsExactly(
            "at most 40 rounds", "16 rounds have ended", "32 rounds have ended", "40 rounds");
  }

  @Test
  void a_retry_repeats_only_the_round_that_failed() {
    refused = "A18";
    RunHandle<Receipt> run = hapax.start(register(pages(20, 20)), order("A"));
    assertThat(end(run)).isEqualTo(RunStatus.FAILED);
    assertThat(sent).hasSize(18);
    refused = "";
    hapax.retry(run.id(), "ann");

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(sent).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void more_rounds_than_allowed_fail_the_step() {
    RunHandle<Receipt> run = hapax.start(register(pages(6, 5)), order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.FAILED);
    assertFails(run, "too-many-rounds").hasMessageContaining("5 rounds");
    assertThat(sent).hasSize(5);
  }

  @Test
  void what_rounds_did_is_undone_beginning_with_the_last() {
    var flow =
        register(
            orders("undone")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.repeat(
                          "pages",
                          3,
                          (round, index, _) -> {
                            round.effect(
                                "send",
                                Effect.create(order.id() + index)
                                    .keyed()
                                    .compensate(
                                        Object.class,
                                        _ -> Undo.upsert(_ -> sent.add("undo " + index))),
                                _ -> sent.add("send " + index));
                            round.sleep("pause", Duration.ofMinutes(1));
                            return new Repetition<>("", index == 2);
                          },
                          String.class);
                      throw new IllegalStateException("enough");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.COMPENSATED);
    assertThat(sent).containsExactly("send 0", "send 1", "send 2", "undo 2", "undo 1", "undo 0");
  }

  @Test
  void rounds_inside_items_and_loops_inside_rounds_are_apart() {
    var flow =
        register(
            orders("nested")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "items",
                          Each.of(List.of("a", "b"), item -> item),
                          (item, key) ->
                              item.repeat(
                                  "rounds",
                                  3,
                                  (round, index, _) -> {
                                    round.sleep("pause", Duration.ofMinutes(1));
                                    round.forEach(
                                        "inner",
                                        Each.of(List.of("x", "y"), inner -> inner),
                                        (inner, name) ->
                                            inner.effect(
                                                "send",
                                                Effect.create(key + index + name).keyed(),
                                                _ -> sent.add(key + index + name)));
                                    return new Repetition<>(key, index == 2);
                                  },
                                  String.class));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(sent).hasSize(12).doesNotHaveDuplicates();
  }

  /** Counts the rows that wake-ups read. */
  private static final class CountingStore extends ForwardingStore {
    private final Store store = new MemoryStore();
    private final AtomicInteger rows = new AtomicInteger();

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      T answer = call.get();
      switch (answer) {
        case dev.hapax.store.StoredRun run -> rows.addAndGet(run.journal().size());
        case List<?> list when !list.isEmpty() && list.getFirst() instanceof JournalRow ->
            rows.addAndGet(list.size());
        case null, default -> {}
      }
      return answer;
    }
  }

  @Test
  void a_late_round_reads_at_most_twice_as_much_as_one_of_the_first() {
    var store = new CountingStore();
    var flow = pages(500, 500);
    try (Hapax counted = Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()))) {
      counted.register(flow);
      RunHandle<Receipt> run = counted.start(flow, order("A"));
      int first = rowsOfRounds(store, 1, 17);
      moveUntil(Duration.ofMinutes(1), () -> sent.size() > 480);
      int late = rowsOfRounds(store, 481, 497);

      assertThat(late).isLessThanOrEqualTo(2 * first);
      assertThat(counted.run(run.id()).status().isEnd()).isFalse();
    }
  }

  private int rowsOfRounds(CountingStore store, int from, int to) {
    moveUntil(Duration.ofMinutes(1), () -> sent.size() >= from);
    int before = store.rows.get();
    moveUntil(Duration.ofMinutes(1), () -> sent.size() >= to);
    return store.rows.get() - before;
  }

  /** Its commits take until so many rounds have begun, or for a moment. */
  private static final class SlowStore extends ForwardingStore {
    private final Store store = new MemoryStore();
    private final CountDownLatch far = new CountDownLatch(200);
    private final AtomicInteger most = new AtomicInteger(200);
    private volatile boolean isSlow;

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      if (isSlow && method.equals("commit")) {
        isSlow = false;
        try {
          var _ = far.await(1, TimeUnit.SECONDS);
          most.set((int) (200 - far.getCount()));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return call.get();
    }
  }

  @Test
  void rounds_do_not_run_far_ahead_of_the_store() {
    var store = new SlowStore();
    var flow =
        orders("ahead")
            .body(
                (run, order) -> {
                  run.repeat(
                      "rounds",
                      300,
                      (_, index, _) -> {
                        if (index == 20) {
                          store.isSlow = true;
                        }
                        store.far.countDown();
                        return new Repetition<>("state", index == 299);
                      },
                      String.class);
                  return new Receipt(order.id(), "");
                });
    try (Hapax slow = Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()))) {
      slow.register(flow);
      assertThat(slow.start(flow, order("A")).await().order()).isEqualTo("A");
    }
    assertThat(store.most.get()).isLessThan(100);
  }

  @Test
  void how_a_round_ended_is_not_asked_again_when_it_is_undone() {
    var isOver = new AtomicBoolean();
    var flow =
        register(
            orders("moment")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.repeat(
                          "pages",
                          3,
                          (round, index, _) -> {
                            send(round, order.id() + index);
                            return new Repetition<>("", index == 2 || isOver.get());
                          },
                          String.class);
                      isOver.set(true);
                      throw new IllegalStateException("enough");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.COMPENSATED);
    assertThat(sent).containsExactly("A0", "A1", "A2", "undo A2", "undo A1", "undo A0");
  }

  @Test
  void what_follows_too_many_rounds_is_undone() {
    var flow =
        register(
            orders("passed-over")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      try {
                        run.repeat(
                            "pages",
                            2,
                            (round, index, _) -> {
                              send(round, order.id() + index);
                              return new Repetition<>("", false);
                            },
                            String.class);
                      } catch (StepFailed e) {
                        send(run, e.code());
                      }
                      throw new IllegalStateException("enough");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.COMPENSATED);
    assertThat(sent)
        .containsExactly(
            "A0", "A1", "too-many-rounds", "undo too-many-rounds", "undo A1", "undo A0");
  }

  @Test
  void a_round_is_not_settled_by_hand_because_its_end_holds_the_state() {
    refused = "A2";
    RunHandle<Receipt> run = hapax.start(register(pages(4, 4)), order("A"));
    assertThat(end(run)).isEqualTo(RunStatus.FAILED);

    assertThatThrownBy(() -> hapax.settleStep(run.id(), "pages", "2", "x", "why", "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Settle the step that failed in the round");
    hapax.settleStep(run.id(), "send", "2", "by hand", "why", "ann");
    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).output()).contains("4A0");
  }

  private void send(RunContext run, String what) {
    run.effect(
        "send",
        Effect.create(what)
            .keyed()
            .compensate(Object.class, _ -> Undo.upsert(_ -> sent.add("undo " + what))),
        _ -> sent.add(what));
  }
}
