package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Kv;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.store.UnknownCommit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The durable map, in bodies and from outside. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class KvTest extends EngineTest {

  @Test
  void a_body_puts_and_another_run_gets() {
    Flow<Order, Receipt> writer = asking("writer", run -> run.kv().put("remember", "last", "A-1"));
    Flow<Order, Receipt> reader = asking("reader", run -> run.kv().get("recall", "last"));
    register(writer);
    register(reader);

    hapax.start(writer, order("A-1")).await();
    RunHandle<Receipt> read = hapax.start(reader, order("A-2"));

    assertThat(read.await().key()).startsWith("\"A-1\" ").endsWith(" false");
    assertThat(hapax.kv().get("last").value(String.class)).isEqualTo("A-1");
  }

  @Test
  void entries_that_are_written_together_are_all_there_or_none_is() {
    long version = hapax.kv().put("a", 1).version();

    boolean late =
        hapax
            .kv()
            .compareAndSetAll(
                List.of(
                    new Kv.Replacement("b", 0, "x".repeat(100_000)),
                    new Kv.Replacement("a", version + 1, 2)));
    boolean written =
        hapax
            .kv()
            .compareAndSetAll(
                List.of(
                    new Kv.Replacement("b", 0, "x".repeat(100_000)),
                    new Kv.Replacement("a", version, 2)));

    assertThat(late).isFalse();
    assertThat(written).isTrue();
    assertThat(hapax.kv().get("a").value(Integer.class)).isEqualTo(2);
    assertThat(hapax.kv().get("b").value(String.class)).hasSize(100_000);
    var twice = new Kv.Replacement("a", 0, 1);
    assertThatThrownBy(() -> hapax.kv().compareAndSetAll(List.of(twice, twice)))
        .hasMessageContaining("twice");
  }

  @Test
  void a_replay_hears_the_same_answer_though_the_entry_has_changed() {
    var heard = new CopyOnWriteArrayList<KvResult>();
    Flow<Order, Receipt> flow =
        orders("first-wins")
            .body(
                (run, order) -> {
                  heard.add(run.kv().putIfAbsent("claim", "slot", order.id()));
                  heard.add(run.kv().get("look", "slot"));
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), "awake");
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);
    hapax.kv().put("slot", "somebody else");

    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(heard).hasSize(4);
    assertThat(heard.get(0).written()).isTrue();
    assertThat(heard.subList(2, 4)).isEqualTo(heard.subList(0, 2));
    assertThat(hapax.kv().get("slot").value(String.class)).isEqualTo("somebody else");
  }

  @Test
  void a_counter_survives_a_crash_before_and_after_each_of_its_commits() {
    for (boolean afterLanding : new boolean[] {false, true}) {
      String key = "counter-" + afterLanding;
      Flow<Order, Receipt> flow = counting("count-" + afterLanding, key);
      register(flow);
      var crashed = new AtomicBoolean();
      process.beforeCommit(
          batch -> {
            if (MortalStore.writes(batch, "\"compare-and-set\"")
                && crashed.compareAndSet(false, true)) {
              process.failNextCommit(new UnknownCommit("lost", new Exception()), afterLanding);
            }
          });

      RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
      moveUntil(Duration.ofMillis(100), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

      assertThat(crashed).isTrue();
      assertThat(hapax.kv().get(key).value(Integer.class)).isEqualTo(1);
    }
  }

  @Test
  void many_runs_count_to_their_number() {
    Flow<Order, Receipt> flow = counting("count", "counter");
    register(flow);
    List<RunHandle<Receipt>> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(hapax.start(flow, order("A-" + i)));
    }

    runs.forEach(RunHandle::await);

    assertThat(hapax.kv().get("counter").value(Integer.class)).isEqualTo(20);
  }

  @Test
  void an_addition_is_made_once_despite_a_crash_and_a_retry_with_corrected_input() {
    Flow<Order, Receipt> flow =
        orders("add")
            .body(
                (run, order) -> {
                  KvResult sum = run.kv().add("add", "total", order.total());
                  var status =
                      run.kv().transition("move", "status", Arrays.asList(null, "old"), "new");
                  run.sleep("pause", Duration.ofHours(1));
                  if (order.total() == 1) {
                    throw new IllegalStateException("no");
                  }
                  return new Receipt(order.id(), sum.value(Integer.class) + " " + status.written());
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, new Order("A-1", 1));
    awaitReleased(run);
    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    hapax.retry(run.id(), "ann", flow, new Order("A-1", 5));
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(hapax.kv().get("total").value(Integer.class)).isEqualTo(1);
    assertThat(hapax.run(run.id()).output()).contains("1 true");
    assertThat(hapax.history(run.id()))
        .anyMatch(entry -> String.valueOf(entry.decision()).startsWith("add: written as version"))
        .anyMatch(entry -> String.valueOf(entry.decision()).startsWith("transition: written as"));
  }

  @Test
  void an_addition_to_another_value_fails_its_step_and_leaves_the_value() {
    hapax.kv().put("total", "much");
    Flow<Order, Receipt> flow =
        orders("add-to-text")
            .body(
                (run, order) -> {
                  run.kv().add("add", "total", 1);
                  return new Receipt(order.id(), "done");
                });
    register(flow);

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    assertThatThrownBy(run::await).hasMessageContaining("'total': its value is no number");
    assertThat(hapax.kv().get("total").value(String.class)).isEqualTo("much");
    assertThatThrownBy(() -> hapax.kv().add("total", 1)).hasMessageContaining("no number");
  }

  @Test
  void a_refused_addition_is_tried_again_when_the_entry_was_corrected_and_the_run_retried() {
    hapax.kv().put("total", "abc");
    Flow<Order, Receipt> flow = asking("add-again", run -> run.kv().add("add", "total", 1));
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    assertFails(run, "not-a-number");
    hapax.kv().put("total", 5);

    hapax.retry(run.id(), "ada");

    assertThat(run.await().key()).startsWith("6 ").endsWith(" true");
    assertThat(hapax.kv().get("total").value(Integer.class)).isEqualTo(6);
  }

  @Test
  void a_refused_addition_that_was_settled_by_hand_has_the_given_value_and_adds_nothing() {
    hapax.kv().put("total", "abc");
    Flow<Order, Receipt> flow = asking("add-settled", run -> run.kv().add("add", "total", 1));
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    assertFails(run, "not-a-number");
    hapax.kv().put("total", 5);

    hapax.settleStep(run.id(), "add", null, 7, "counted by hand", "ada");

    assertThat(run.await().key()).isEqualTo("7 0 false");
    assertThat(hapax.kv().get("total").value(Integer.class)).isEqualTo(5);
  }

  @Test
  void a_refused_addition_that_the_body_caught_is_refused_in_the_same_words_after_a_crash() {
    hapax.kv().put("total", "abc");
    var heard = new CopyOnWriteArrayList<String>();
    Flow<Order, Receipt> flow =
        orders("add-caught")
            .body(
                (run, order) -> {
                  try {
                    run.kv().add("add", "total", 1);
                  } catch (StepFailed e) {
                    heard.add(e.code() + " " + e.getMessage());
                  }
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), "done");
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);
    hapax.kv().put("total", 5);

    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(heard).hasSize(2);
    assertThat(heard.get(1)).isEqualTo(heard.get(0)).startsWith("not-a-number ");
    assertThat(hapax.kv().get("total").value(Integer.class)).isEqualTo(5);
  }

  @Test
  void a_sum_can_be_added_to_again_or_is_refused() {
    hapax.kv().put("large", new BigDecimal("5e99"));

    assertThatThrownBy(() -> hapax.kv().add("large", new BigDecimal("5e99")))
        .hasMessageContaining("more than 100 digits");
    assertThatThrownBy(() -> hapax.kv().add("other", new BigDecimal("1e100")))
        .hasMessageContaining("at most 100 digits");
    hapax.kv().add("large", new BigDecimal("4e99"));
    assertThat(hapax.kv().add("large", 1).value(BigDecimal.class))
        .isEqualByComparingTo(new BigDecimal("9e99").add(BigDecimal.ONE));
    assertThat(hapax.kv().get("other").isPresent()).isFalse();
  }

  @Test
  void values_that_cannot_be_compared_or_added_are_refused() {
    assertThatThrownBy(() -> hapax.kv().transition("a", List.of(), 1))
        .hasMessageContaining("expected 1 to 100 values");
    assertThatThrownBy(() -> hapax.kv().transition("a", List.of("x".repeat(2_000)), 1))
        .hasMessageContaining("at most 1,000 characters");
    assertThatThrownBy(() -> hapax.kv().add("a", new BigDecimal("1e999999999")))
        .hasMessageContaining("at most 100 digits");
    assertThat(hapax.kv().get("a").isPresent()).isFalse();
  }

  @Test
  void from_outside_a_commit_with_unknown_outcome_writes_once() {
    long version = hapax.kv().put("a", 1).version();
    process.failNextCommit(new UnknownCommit("lost", new Exception()), true);
    var result = new CopyOnWriteArrayList<KvResult>();
    Thread caller =
        Thread.startVirtualThread(() -> result.add(hapax.kv().compareAndSet("a", version, 2)));

    moveUntil(Duration.ofMillis(100), () -> !caller.isAlive());

    assertThat(result.getFirst().written()).isTrue();
    assertThat(hapax.kv().get("a").version()).isEqualTo(result.getFirst().version());
  }

  @Test
  void an_entry_with_a_ttl_is_absent_when_it_is_over() {
    hapax.kv().put("session/1", "ada", Duration.ofMinutes(10));
    hapax.kv().put("session/2", "bob");
    time.move(Duration.ofMinutes(10));

    assertThat(hapax.kv().get("session/1").isPresent()).isFalse();
    assertThat(hapax.kv().list("session/", null, 10))
        .extracting(KvEntry::key)
        .containsExactly("session/2");
    assertThat(hapax.kv().putIfAbsent("session/1", "eve").written()).isTrue();
  }

  @Test
  void what_a_run_has_put_itself_is_not_in_its_way_after_a_corrected_input() {
    var fails = new AtomicBoolean(true);
    Flow<Order, Receipt> flow =
        orders("corrected")
            .body(
                (run, order) -> {
                  boolean first = run.kv().putIfAbsent("claim", "order/" + order.id(), 1).written();
                  run.kv().put("note", "total/" + order.id(), order.total());
                  if (fails.get()) {
                    throw new IllegalStateException("not yet");
                  }
                  return new Receipt(order.id(), String.valueOf(first));
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, new Order("A-1", 40));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    fails.set(false);

    hapax.retry(run.id(), "ada", flow, new Order("A-1", 45));

    assertThat(run.await().key()).isEqualTo("true");
    assertThat(hapax.kv().get("total/A-1").value(Integer.class)).isEqualTo(45);
  }

  @Test
  void the_history_shows_what_was_asked_and_answered() {
    hapax.kv().put("slot", "taken");
    Flow<Order, Receipt> flow = asking("late", run -> run.kv().putIfAbsent("claim", "slot", 1));
    register(flow);

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    run.await();

    HistoryEntry line = entry(run, "kv");
    assertThat(line.step()).isEqualTo("claim");
    assertThat(line.key()).isEqualTo("slot");
    assertThat(line.decision()).startsWith("put-if-absent: not written: version ");
    assertThat(line.output()).isEqualTo("\"taken\"");
  }

  @Test
  void bad_input_is_refused_in_words() {
    assertThatThrownBy(() -> hapax.kv().put("", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key of a kv entry");
    assertThatThrownBy(() -> hapax.kv().get("k".repeat(1025)))
        .hasMessageContaining("at most 1024 bytes");
    assertThatThrownBy(() -> hapax.kv().put("nul\0", 1)).hasMessageContaining("U+0000");
    assertThatThrownBy(() -> hapax.kv().put("a", 1, Duration.ZERO)).hasMessageContaining("ttl");
    assertThatThrownBy(() -> hapax.kv().compareAndSet("a", -1, 1)).hasMessageContaining("version");
    assertThatThrownBy(() -> hapax.kv().put("a", "\uD800")).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> hapax.kv().list("", null, 0)).hasMessageContaining("limit");
    assertThat(hapax.kv().get("a").isPresent()).isFalse();
  }

  @Test
  void entries_of_hapax_itself_can_be_read_and_not_written() {
    Flow<Order, Receipt> put =
        asking("put", run -> run.kv().put("put", "hapax/alerts/leads/x", "closed"));
    Flow<Order, Receipt> delete =
        asking("delete", run -> run.kv().delete("delete", "hapax/alerts/leads/x"));
    Flow<Order, Receipt> get = asking("get", run -> run.kv().get("get", "hapax/alerts/leads/x"));
    List.of(put, delete, get).forEach(this::register);

    assertFails(hapax.start(put, order("A-1")), "reserved-key");
    assertFails(hapax.start(delete, order("A-1")), "reserved-key");
    assertThat(hapax.start(get, order("A-1")).await().key()).startsWith("null ");
    assertThatThrownBy(() -> hapax.kv().put("hapax/x", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keys that begin with 'hapax/' are reserved for Hapax");
    assertThatThrownBy(() -> hapax.kv().delete("hapax/x")).hasMessageContaining("reserved");
    assertThat(hapax.kv().get("hapax/x").isPresent()).isFalse();
    assertThat(hapax.kv().put("hapaxes/x", 1).written()).isTrue();
  }

  @Test
  void a_value_that_cannot_be_stored_fails_its_step() {
    Flow<Order, Receipt> flow = asking("bad", run -> run.kv().put("bad", "a", "\uD800"));
    register(flow);

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    assertFails(run, "not-serializable");
  }

  @Test
  void a_step_that_was_something_else_does_not_fit_the_journal() {
    var changed = new AtomicBoolean();
    Flow<Order, Receipt> flow =
        orders("changed")
            .body(
                (run, order) -> {
                  if (changed.get()) {
                    run.step("x", () -> 1, Integer.class);
                  } else {
                    run.kv().get("x", "a");
                  }
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), "");
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);
    changed.set(true);

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThat(String.valueOf(hapax.run(run.id()).error()))
        .contains("'x' as a call of the durable map, but");
  }

  /** A flow of one call, whose answer is the receipt's key. */
  private static Flow<Order, Receipt> asking(String name, Function<RunContext, KvResult> call) {
    return orders(name)
        .body(
            (run, order) -> {
              KvResult result = call.apply(run);
              return new Receipt(
                  order.id(), result.json() + " " + result.version() + " " + result.written());
            });
  }

  /** Counts up in the durable map, in parallel with others. */
  private static Flow<Order, Receipt> counting(String name, String key) {
    return orders(name)
        .body(
            (run, order) -> {
              for (int tries = 0; ; tries++) {
                RunContext round = run.item(tries);
                KvResult now = round.kv().get("look", key);
                Integer count = now.value(Integer.class);
                int next = count == null ? 1 : count + 1;
                if (round.kv().compareAndSet("count", key, now.version(), next).written()) {
                  return new Receipt(order.id(), String.valueOf(next));
                }
              }
            });
  }
}
