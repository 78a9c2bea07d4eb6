package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.ErasureWish;
import dev.hapax.RunHandle;
import dev.hapax.SubjectErasure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.subject.SubjectFinder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A request to erase ends when all is erased, whatever comes between. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ErasureTest extends EngineTest {

  @Test
  void a_run_that_was_found_by_its_key_is_erased_after_a_restart_too() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofHours(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("ann"));
    awaitStatus(run, RunStatus.WAITING);
    SubjectErasure erasure = erase("ann");
    eventually(() -> hapax.run(erasure.run()).status() == RunStatus.WAITING);

    hapax.close();
    reopen(flow);

    assertThat(isDone(erasure)).isFalse();
    moveUntil(Duration.ofMinutes(10), () -> isDone(erasure));
    assertThat(hapax.run(run.id()).isErased()).isTrue();
  }

  @Test
  void a_request_that_cannot_be_carried_out_stops_neither_the_opening_nor_the_others() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofHours(1)));
    RunHandle<Receipt> ann = hapax.start(flow, order("ann"));
    RunHandle<Receipt> ben = hapax.start(flow, order("ben"));
    awaitStatus(ann, RunStatus.WAITING);
    awaitStatus(ben, RunStatus.WAITING);
    SubjectErasure first = erase("ann");
    SubjectErasure second = erase("ben");
    eventually(() -> hapax.run(second.run()).status() == RunStatus.WAITING);
    hapax.cancel(ben.id(), "bob", "ends it");
    awaitStatus(ben, RunStatus.CANCELED);
    hapax.close();
    var looks = new AtomicInteger();
    process.beforeRead(
        method -> {
          if (method.equals("runs") && looks.getAndIncrement() == 0) {
            throw new IllegalStateException("cannot be read");
          }
        });

    reopen(flow);

    assertThat(looks.get()).isPositive();
    assertThat(isDone(first)).isFalse();
    assertThat(isDone(second)).isTrue();
    assertThat(hapax.run(ben.id()).isErased()).isTrue();
  }

  @Test
  void a_run_that_was_started_after_the_request_stays() {
    Flow<Order, Receipt> later =
        register(orders("later").body((run, order) -> new Receipt(order.id(), "")));
    Flow<Order, Receipt> flow =
        register(
            orders("first")
                .body(
                    (run, order) -> {
                      run.spawn("early", later, order("early"));
                      run.sleep("pause", Duration.ofHours(1));
                      run.spawn("late", later, order("late"));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("ann"));
    awaitStatus(run, RunStatus.WAITING);
    SubjectErasure erasure = erase("ann");

    moveUntil(Duration.ofMinutes(10), () -> isDone(erasure));

    assertThat(hapax.run(run.id()).isErased()).isTrue();
    assertThat(hapax.run(hapax.id("later", "early")).isErased()).isTrue();
    assertThat(hapax.run(hapax.id("later", "late")).isErased()).isFalse();
  }

  @Test
  void the_run_of_a_request_cannot_be_canceled_and_counts_what_all_its_rounds_erased() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofHours(1)));
    Flow<Order, Receipt> quick =
        register(orders("quick").body((run, order) -> new Receipt(order.id(), "")));
    hapax.start(quick, order("ann")).await();
    RunHandle<Receipt> run = hapax.start(flow, order("ann"));
    awaitStatus(run, RunStatus.WAITING);
    SubjectErasure erasure = erase("ann");
    eventually(() -> hapax.run(erasure.run()).status() == RunStatus.WAITING);
    assertThat(hapax.run(hapax.id("quick", "ann")).isErased()).isTrue();

    assertThatThrownBy(() -> hapax.cancel(erasure.run(), "bob", "no"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("request to erase");

    moveUntil(Duration.ofMinutes(10), () -> isDone(erasure));
    assertThat(hapax.subjects().erasure(erasure.id()).runs()).isEqualTo(2);
  }

  @Test
  void a_value_that_very_many_runs_have_names_no_person() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofHours(1)));
    Run run = hapax.start(flow, order("ann")).run();
    var pages = new AtomicInteger();
    var many =
        new ForwardingStore() {
          @Override
          protected Store to() {
            return process;
          }

          @Override
          public List<Run> runs(RunFilter filter) {
            return pages.incrementAndGet() <= 51 ? Collections.nCopies(200, run) : List.of();
          }
        };

    assertThatThrownBy(() -> new SubjectFinder(many).byText(run.tenant(), "ann", Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 10,000 runs");
  }

  @Test
  void a_round_that_erases_nothing_does_not_scrub_the_store() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofHours(1)));
    awaitStatus(hapax.start(flow, order("ann")), RunStatus.WAITING);
    var scrubs = new AtomicInteger();
    process.beforeRead(method -> scrubs.addAndGet(method.equals("scrub") ? 1 : 0));

    SubjectErasure erasure = erase("ann");
    eventually(() -> hapax.run(erasure.run()).status() == RunStatus.WAITING);

    assertThat(scrubs.get()).isZero();
    moveUntil(Duration.ofMinutes(10), () -> isDone(erasure));
    assertThat(scrubs.get()).isEqualTo(1);
  }

  private SubjectErasure erase(String person) {
    return hapax.subjects().erase(person, "bob", "asked", ErasureWish.DEFAULT);
  }

  private boolean isDone(SubjectErasure erasure) {
    return hapax.subjects().erasure(erasure.id()).isDone();
  }
}
