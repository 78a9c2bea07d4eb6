package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import dev.hapax.flow.WaitState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What must not work, on a store in a file and with real time: each ends in a defined state with
 * words that say what to do, and is as it was when the file is opened again.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadInputTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;
  private Hapax hapax;

  @BeforeEach
  void open() {
    hapax = Hapax.open(directory.resolve("bad.db"));
  }

  @AfterEach
  void close() {
    hapax.close();
  }

  private void openAgain(Flow<?, ?>... flows) {
    close();
    open();
    List.of(flows).forEach(hapax::register);
  }

  private static Flow.Builder<String, String> flow(String name) {
    return Flow.of(name, String.class, String.class).key(key -> key);
  }

  private void failsWith(RunHandle<?> run, String code, String words) {
    assertThatThrownBy(() -> run.await(LONG))
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(words);
    openAgain();
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void child_runs_that_wait_for_each_other_fail_with_the_circle_in_words() {
    var first = new AtomicReference<Flow<String, String>>();
    Flow<String, String> second =
        flow("second").body((run, key) -> run.call("next", first.get(), key));
    first.set(flow("first").body((run, key) -> run.call("next", second, key)));
    hapax.register(first.get());
    hapax.register(second);

    RunHandle<String> run = hapax.start(first.get(), "A");

    failsWith(run, "child-cycle", hapax.id("first", "A"));
    assertThat(hapax.runs(hapax.runs())).allMatch(each -> each.status() == RunStatus.FAILED);
  }

  @Test
  void a_million_items_are_refused_before_the_first_is_handled() {
    var handled = new ConcurrentLinkedQueue<Integer>();
    List<Integer> million = IntStream.range(0, 1_000_000).boxed().toList();
    Flow<String, String> loop =
        flow("loop")
            .body(
                (run, key) -> {
                  run.forEach("each", Each.of(million, String::valueOf), (_, n) -> handled.add(n));
                  return key;
                });
    hapax.register(loop);

    RunHandle<String> run = hapax.start(loop, "A");

    failsWith(run, "too-many-items", "at most 100,000");
    assertThat(handled).isEmpty();
  }

  @Test
  void of_many_who_decide_an_approval_at_once_one_decides_and_all_hear_it() throws Exception {
    Flow<String, String> asking =
        flow("asking")
            .body(
                (run, _) ->
                    run.approval(
                            "ask", Approval.ask("Send it?").onReject(Approval.OnReject.CONTINUE))
                        .by());
    hapax.register(asking);
    RunHandle<String> run = hapax.start(asking, "A");
    eventually(() -> !open(hapax).isEmpty());
    String id = open(hapax).getFirst().id();
    var receipts = Collections.synchronizedList(new ArrayList<Approvals.Receipt>());

    allAtOnce(
        8,
        person -> {
          String actor = "person-" + person;
          Verdict verdict = person % 2 == 0 ? Verdict.approve(actor) : Verdict.reject(actor);
          receipts.add(hapax.approvals().decide(id, verdict));
        });

    assertThat(receipts).hasSize(8).filteredOn(Approvals.Receipt::isFirst).hasSize(1);
    assertThat(receipts).extracting(Approvals.Receipt::decision).containsOnly(first(receipts));
    assertThat(run.await(LONG)).isEqualTo(first(receipts).by());
    openAgain(asking);
    assertThat(hapax.approvals().decide(id, Verdict.reject("late")).decision())
        .isEqualTo(first(receipts));
  }

  private static List<Approvals.Item> open(Hapax hapax) {
    return hapax.approvals().list(hapax.approvals().open());
  }

  private static Decision first(List<Approvals.Receipt> receipts) {
    return receipts.stream()
        .filter(Approvals.Receipt::isFirst)
        .map(Approvals.Receipt::decision)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_token_that_was_never_issued_answers_nothing() {
    var token = new AtomicReference<>("");
    Flow<String, String> waiting =
        flow("waiting")
            .body(
                (run, _) -> {
                  String mine = run.callback("paid");
                  run.effect("hand-out", Effect.create("A").keyed(), _ -> token.set(mine));
                  return run.awaitCallback("paid", String.class);
                });
    hapax.register(waiting);
    RunHandle<String> run = hapax.start(waiting, "A");
    eventually(() -> !token.get().isEmpty());
    String mine = token.get();

    for (String foreign :
        List.of(mine + "x", mine.substring(1), mine.toUpperCase(Locale.ROOT), "", "w-1")) {
      assertThatThrownBy(() -> hapax.callbacks().answer(foreign, "stolen"))
          .as(foreign)
          .isInstanceOf(NotFound.class);
    }
    openAgain(waiting);
    Callbacks.Receipt receipt = hapax.callbacks().answer(mine, "paid");

    assertThat(receipt.isFirst()).isTrue();
    assertThat(receipt.state()).isEqualTo(WaitState.DECIDED);
    assertThat(hapax.handle(run.id(), String.class).await(LONG)).isEqualTo("paid");
  }

  @Test
  void a_lock_whose_holder_has_lost_its_code_is_listed_and_free_when_the_holder_is_canceled() {
    Flow<String, String> dead = locking("dead", Duration.ofDays(1));
    Flow<String, String> next = locking("next", Duration.ofMillis(1));
    hapax.register(dead);
    RunHandle<String> holder = hapax.start(dead, "A");
    eventually(() -> hapax.run(holder.id()).status() == RunStatus.WAITING);
    openAgain(next); // without the code of the holder

    RunHandle<String> waiting = hapax.start(next, "B");
    eventually(() -> hapax.locks().size() == 2);
    assertThat(hapax.locks().getFirst().run()).isEqualTo(hapax.run(holder.id()).number());
    assertThat(hapax.locks().getFirst().isHeld()).isTrue();
    hapax.cancel(holder.id(), "ann", "its code is gone");
    openAgain(next);
    assertThat(hapax.run(holder.id()).cancel()).isNotNull();
    assertThat(hapax.locks()).hasSize(2);
    hapax.register(dead); // what a run has sent can only be settled by its code

    assertThat(hapax.handle(waiting.id(), String.class).await(LONG)).isEqualTo("B");
    assertThatThrownBy(() -> hapax.handle(holder.id(), String.class).await(LONG))
        .isInstanceOf(RunCanceled.class);
    assertThat(hapax.locks()).isEmpty();
  }

  private static Flow<String, String> locking(String name, Duration inside) {
    return flow(name)
        .body(
            (run, key) ->
                run.locked(
                    "hold",
                    "stock",
                    _ -> {
                      run.sleep("inside", inside);
                      return key;
                    }));
  }

  @Test
  void a_compensation_that_fails_for_ever_says_what_is_still_done_and_can_be_settled_by_hand() {
    var quick = RetryPolicy.DEFAULT.attempts(3).delay(Duration.ofMillis(1));
    Undo never =
        Undo.keyed(
                _ -> {
                  throw new NotApplied("closed for ever");
                })
            .retry(quick);
    Flow<String, String> trip =
        flow("trip")
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(
                (run, key) -> {
                  run.effect("hotel", Effect.create(key).keyed().compensate(never), _ -> {});
                  run.effect(
                      "pay",
                      Effect.create(key).keyed(),
                      _ -> {
                        throw new Rejected("no-money", "the card is refused");
                      });
                  return key;
                });
    hapax.register(trip);
    RunHandle<String> run = hapax.start(trip, "A");

    failsWith(run, "compensation-failed", "'trip/hotel' 'A'");
    assertThat(hapax.effects(hapax.effects())).anyMatch(one -> one.state() == EffectState.DONE);
    hapax.register(trip);
    hapax.retry(run.id(), "ann");
    eventually(() -> hapax.run(run.id()).status() == RunStatus.FAILED);
    hapax.settleStep(run.id(), "hotel.undo", null, null, "called them", "ann");

    eventually(() -> hapax.run(run.id()).status() == RunStatus.COMPENSATED);
  }

  private interface Work {
    void of(int person) throws Exception;
  }

  private static void allAtOnce(int people, Work work) throws InterruptedException {
    var begin = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < people; i++) {
      int person = i;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  begin.await();
                  work.of(person);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void eventually(BooleanSupplier claim) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!claim.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
