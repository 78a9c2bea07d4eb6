package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Loops whose items have a state of their own. */
class ForEachTest extends EngineTest {
  private final World world = new World();
  private final Set<String> poisoned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger handled = new AtomicInteger();

  record Parcel(String id) {}

  private static List<Parcel> parcels(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Parcel("p" + i)).toList();
  }

  /** Ships every parcel; the receipt says how many went out and how many did not. */
  private Flow<Order, Receipt> shipping(Each<Parcel> parcels, RunContext.ItemBody<Parcel> body) {
    return register(
        orders("ship")
            .body(
                (run, order) -> {
                  var items = run.forEach("parcels", parcels, body);
                  run.effect("mail", Effect.notify(order.id()).keyed(), _ -> world.apply("mail"));
                  return new Receipt(order.id(), items.succeeded() + "/" + items.failed());
                }));
  }

  private void ship(RunContext run, Parcel parcel) {
    handled.incrementAndGet();
    run.effect(
        "ship",
        Effect.create(parcel.id()).keyed(),
        _ -> {
          if (poisoned.contains(parcel.id())) {
            throw new Rejected("no-such-street", "nobody lives there");
          }
          return world.apply(parcel.id());
        },
        String.class);
  }

  @Test
  void every_item_is_handled_once() {
    var flow = shipping(Each.of(parcels(300), Parcel::id), this::ship);

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("300/0");

    assertThat(world.arrivals()).hasSize(301).doesNotHaveDuplicates();
  }

  @Test
  void a_bad_item_does_not_stop_the_others_and_a_retry_touches_only_what_failed() {
    poisoned.addAll(List.of("p3", "p7"));
    var flow = shipping(Each.of(parcels(20), Parcel::id), this::ship);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertFails(run, "partial").hasMessageContaining("2 of 20 items failed");
    assertThat(run.run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run.run().output()).contains("18/2");
    assertThat(handled).hasValue(20);

    poisoned.clear();
    hapax.retry(run.id(), "ann");
    assertThat(run.await().key()).isEqualTo("20/0");

    assertThat(handled).hasValue(22);
    assertThat(world.arrivals()).hasSize(21).doesNotHaveDuplicates();
  }

  @Test
  void items_that_share_an_effect_key_do_not_count_as_sent_unless_they_say_the_same() {
    var flow =
        shipping(
            Each.of(parcels(3), Parcel::id),
            (run, parcel) ->
                run.effect(
                    "label",
                    Effect.create("always the same").request(parcel).keyed(),
                    (RunContext.RequestAction<Parcel>) (_, sent) -> world.apply(sent.id())));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertFails(run, "partial")
        .hasMessageContaining("2 of 3 items failed")
        .hasMessageContaining("effect-key-reused");
    assertThat(world.arrivals()).hasSize(2).contains("mail");
  }

  @Test
  void items_that_share_an_effect_key_and_its_content_send_once() {
    var flow =
        shipping(
            Each.of(parcels(3), Parcel::id),
            (run, parcel) ->
                run.effect(
                    "label",
                    Effect.create("always the same").request("the same").keyed(),
                    (RunContext.RequestAction<String>) (_, sent) -> world.apply(sent)));

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("3/0");

    assertThat(world.arrivals()).containsExactly("the same", "mail");
  }

  @Test
  void an_item_may_have_a_step_of_the_name_of_its_loop() {
    var flow =
        shipping(
            Each.of(parcels(3), Parcel::id),
            (run, parcel) -> {
              run.step("parcels", () -> parcel.id(), String.class);
              run.sleep("pause", Duration.ofHours(1));
              ship(run, parcel);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    time.move(Duration.ofHours(2));

    assertThat(run.await().key()).isEqualTo("3/0");
    assertThat(world.arrivals()).containsExactlyInAnyOrder("p0", "p1", "p2", "mail");
  }

  @Test
  void items_are_not_nested_where_their_keys_would_read_the_same() {
    var flow =
        shipping(
            Each.of(List.of(new Parcel("a"), new Parcel("a/")), Parcel::id),
            (run, parcel) ->
                run.forEach(
                    "inner",
                    Each.of(List.of(parcel.id().equals("a") ? "/b" : "b"), key -> key),
                    (item, key) ->
                        item.effect(
                            "ship",
                            Effect.create(parcel.id() + key).keyed(),
                            _ -> world.apply(key))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.PARTIAL);

    assertThat(world.arrivals()).containsExactlyInAnyOrder("/b", "mail");
    assertThat(run.run().error()).asString().contains("ambiguous-item");
  }

  @Test
  void a_failed_item_is_done_by_hand() {
    poisoned.add("p1");
    var flow = shipping(Each.of(parcels(3), Parcel::id), this::ship);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.PARTIAL);

    hapax.settleStep(run.id(), "ship", "p1", "carried there", "by foot", "ann");

    assertThat(run.await().key()).isEqualTo("3/0");
    assertThat(world.arrivals()).containsExactlyInAnyOrder("p0", "p2", "mail");
  }

  @Test
  void items_that_wait_leave_their_place_to_others_and_the_run_leaves_memory() {
    var flow =
        shipping(
            Each.of(parcels(40), Parcel::id).atOnce(2),
            (run, parcel) -> {
              run.sleep("packing", Duration.ofHours(1));
              ship(run, parcel);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    crash(flow);

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(world.arrivals()).hasSize(41).doesNotHaveDuplicates();
  }

  @Test
  void a_crash_in_the_middle_goes_on_with_what_is_left() {
    var flow =
        shipping(
            Each.of(parcels(50), Parcel::id).atOnce(4),
            (run, parcel) -> {
              if (parcel.id().equals("p30")) {
                run.effect("hold", Effect.create("hold").upsert(), _ -> world.applyAndHang("hold"));
              }
              ship(run, parcel);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.arrivals().contains("hold") && world.count() == 50);
    crash();
    world.answerLate("hold");
    handled.set(0);
    hapax.register(flow);

    eventually(() -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(handled.get()).isLessThan(10);
    assertThat(Collections.frequency(world.arrivals(), "hold")).isEqualTo(2);
    assertThat(Set.copyOf(world.arrivals())).hasSize(52);
  }

  @Test
  void what_was_said_about_an_item_of_one_loop_does_not_concern_the_next_loop() {
    var flow =
        register(
            orders("ship")
                .body(
                    (run, order) -> {
                      var each = Each.of(parcels(1), Parcel::id);
                      run.forEach("pack", each, (item, parcel) -> pack(item, parcel));
                      run.forEach("parcels", each, this::ship);
                      return new Receipt(order.id(), "");
                    }));
    poisoned.add("table");
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    poisoned.clear();

    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.notHappened("looked at the table", "ann"));

    run.await();
    assertThat(world.arrivals()).containsExactly("packed-p0", "p0");
  }

  private void pack(RunContext run, Parcel parcel) {
    run.effect(
        "pack",
        Effect.create(parcel.id()).unguarded(),
        _ -> {
          if (poisoned.contains("table")) {
            throw new IOException("nobody answers");
          }
          world.apply("packed-" + parcel.id());
        });
  }

  @Test
  void an_item_in_review_is_settled_by_a_person_while_the_others_are_done() {
    var flow =
        shipping(
            Each.of(parcels(5), Parcel::id),
            (run, parcel) ->
                run.effect(
                    "ship",
                    Effect.create(parcel.id()).unguarded(),
                    _ -> {
                      world.apply(parcel.id());
                      if (parcel.id().equals("p2")) {
                        throw new IOException("connection reset");
                      }
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    crash(flow);

    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.happened(null, "seen on the truck", "ann"));

    eventually(() -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void a_cancel_lets_the_doubt_of_an_item_settle_first() {
    var flow =
        shipping(
            Each.of(parcels(5), Parcel::id),
            (run, parcel) -> {
              if (parcel.id().equals("p2")) {
                run.effect(
                    "ship",
                    Effect.create("p2").keyed(),
                    _ -> world.loseFirstAnswer("p2"),
                    String.class);
              }
              run.sleep("packing", Duration.ofDays(1));
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ann", "wrong order");
    moveUntil(Duration.ofMillis(20), () -> hapax.run(run.id()).status().isEnd());

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(effect(EffectState.DONE).key().key()).isEqualTo("p2");
  }

  @Test
  void loops_lie_in_loops() {
    var flow =
        shipping(
            Each.of(parcels(3), Parcel::id),
            (run, parcel) -> {
              run.forEach(
                  "labels",
                  Each.of(List.of("x", "y"), Function.identity()),
                  (inner, label) -> {
                    inner.sleep("drying", Duration.ofHours(1));
                    inner.effect(
                        "label",
                        Effect.create(parcel.id() + label).keyed(),
                        _ -> world.apply(parcel.id() + label),
                        String.class);
                  });
              ship(run, parcel);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).hasSize(3 * 2 + 3 + 1).doesNotHaveDuplicates();
  }

  @Test
  void an_item_whose_inner_loop_is_partial_has_failed_with_it_and_is_retried_with_it() {
    poisoned.add("p1");
    var flow =
        shipping(
            Each.of(List.of(new Parcel("left"), new Parcel("right")), Parcel::id),
            (run, side) -> {
              if (side.id().equals("left")) {
                run.forEach("inner", Each.of(parcels(3), Parcel::id), this::ship);
              } else {
                run.sleep("later", Duration.ofHours(1)); // the left one has ended in another pass
              }
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.PARTIAL);
    poisoned.clear();
    hapax.retry(run.id(), "ann");

    eventually(() -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactlyInAnyOrder("p0", "p1", "p2", "mail");
  }

  @Test
  void too_many_items_and_repeated_keys_are_refused_with_words() {
    var tooMany =
        shipping(Each.of(Collections.nCopies(1_000_000, new Parcel("p")), Parcel::id), this::ship);
    assertThatThrownBy(() -> hapax.start(tooMany, order("A")).await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("too-many-items"))
        .hasMessageContaining("at most 100,000");
  }

  @Test
  void a_key_that_occurs_twice_is_refused_with_a_message() {
    var twice =
        shipping(Each.of(List.of(new Parcel("p"), new Parcel("p")), Parcel::id), this::ship);
    assertThatThrownBy(() -> hapax.start(twice, order("B")).await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("duplicate-item"));
    assertThat(world.count()).isZero();
  }

  @Test
  void code_that_forgets_a_loop_whose_item_is_in_doubt_does_not_end_the_run() {
    var flow =
        shipping(
            Each.of(parcels(2), Parcel::id),
            (run, parcel) ->
                run.effect(
                    "ship", Effect.create(parcel.id()).upsert(), _ -> world.applyAndHang("p")));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 2);
    crash();
    hapax.register(orders("ship").body((_, order) -> new Receipt(order.id(), "nothing to do")));

    awaitStatus(run, RunStatus.REVIEW);
    world.answerLate("p");
    List<EffectRecord> inReview = hapax.effects(hapax.effects().state(EffectState.REVIEW));
    assertThat(inReview).hasSize(2);

    crash(flow); // and the code is as it was again
    for (EffectRecord effect : inReview) {
      hapax.settle(effect.id(), Settlement.happened(null, "seen there", "ann"));
    }
    eventually(() -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void the_history_shows_every_item() {
    poisoned.add("p1");
    var flow = shipping(Each.of(parcels(2), Parcel::id), this::ship);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.PARTIAL);

    assertThat(types(run)).contains("loop", "item-done", "item-failed", "loop-ended");
    HistoryEntry failed = entry(run, "item-failed");
    assertThat(failed.item()).isEqualTo("p1");
    assertThat(entry(run, "loop-ended").decision()).isEqualTo("1 items succeeded, 1 failed");
  }
}
