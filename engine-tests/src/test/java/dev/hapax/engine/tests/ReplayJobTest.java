package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StalePlan;
import dev.hapax.flow.Undo;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many runs are replayed as one is: by a plan, and each exactly by its own. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayJobTest extends EngineTest {
  private static final int FAST = 10_000;

  private final World world = new World();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  private final Flow<Order, Receipt> shop =
      orders("shop")
          .searchable("customer", order -> "c-" + order.id().charAt(0))
          .body(
              (run, order) -> {
                run.effect(
                    "charge",
                    Effect.create(order.id()).request(order.total()).keyed().name("charge"),
                    (key, _) -> {
                      arrive("charge-" + order.id(), key);
                    });
                run.effect(
                    "mail",
                    Effect.notify(order.id()).request("hello").keyed().name("mail"),
                    (key, _) -> {
                      if (broken.contains(order.id())) {
                        throw new Rejected("bounced", "no such mailbox");
                      }
                      arrive("mail-" + order.id(), key);
                    });
                return new Receipt(order.id(), "");
              });

  /** The destination removes duplicates by the key: a kill in flight sends the same one again. */
  private void arrive(String what, String key) {
    if (keys.add(key)) {
      world.apply(what);
    }
  }

  private RunHandle<Receipt> failed(String id) {
    broken.add(id);
    RunHandle<Receipt> run = hapax.start(shop, order(id));
    awaitStatus(run, RunStatus.FAILED);
    return run;
  }

  private RunHandle<Receipt> succeeded(String id) {
    RunHandle<Receipt> run = hapax.start(shop, order(id));
    run.await();
    return run;
  }

  private static JobRequest failedShop() {
    return request(JobSelection.NONE.flow("shop").error("bounced"), ReplayWish.from("mail"));
  }

  private static JobRequest request(JobSelection selection, ReplayWish wish) {
    return JobRequest.replay(selection, wish, "ann").rate(FAST);
  }

  private Job await(Job job, JobState state) {
    moveUntil(Duration.ofMillis(500), () -> hapax.jobs().job(job.id()).state() == state);
    return hapax.jobs().job(job.id());
  }

  private Job planned(JobRequest request) {
    return await(hapax.jobs().plan(request), JobState.PLANNED);
  }

  private Job applied(Job plan) {
    hapax.jobs().apply(plan.id(), "bob", null, "mailboxes are repaired");
    return await(plan, JobState.DONE);
  }

  private List<PlannedReplay> runs(Job plan) {
    return hapax.replays().planned(plan.id(), null, 0, 1_000);
  }

  private long arrivals(String what) {
    return world.arrivals().stream().filter(what::equals).count();
  }

  private void crashInside() {
    process.die();
    revived();
    reopen(shop);
  }

  @Test
  void a_plan_over_a_filter_says_what_each_run_would_do_and_apply_does_exactly_that() {
    register(shop);
    List<RunHandle<Receipt>> broke = IntStream.range(0, 3).mapToObj(i -> failed("A" + i)).toList();
    RunHandle<Receipt> fine = succeeded("B");

    Job plan = planned(failedShop());

    assertThat(plan.totals())
        .containsEntry("items", 3L)
        .containsEntry("keep", 3L)
        .containsEntry("send", 3L)
        .containsEntry("doubt", 0L);
    assertThat(runs(plan))
        .extracting(PlannedReplay::key)
        .containsExactly("A2", "A1", "A0"); // the newest first
    PlannedReplay first = runs(plan).getFirst();
    assertThat(first.totals()).isEqualTo(new ReplayPlan.Totals(1, 0, 1, 0, 0));
    assertThat(first.effects().getLast().request()).isEqualTo("\"hello\"");
    assertThat(first.effects().getLast().revision()).isEqualTo(2);
    assertThat(world.count()).as("a plan sends nothing").isEqualTo(5);

    broken.clear();
    Job done = applied(plan);

    assertThat(done.done()).isEqualTo(3);
    broke.forEach(run -> awaitStatus(run, RunStatus.SUCCEEDED));
    assertThat(world.arrivals()).contains("mail-A0", "mail-A1", "mail-A2").hasSize(8);
    assertThat(types(fine)).doesNotContain("replayed");
    assertThat(hapax.history(broke.getFirst().id()).toString())
        .contains("bob, job " + plan.id(), "mailboxes are repaired");
  }

  @Test
  void runs_are_selected_by_status_error_time_key_and_searchable_field() {
    register(shop);
    failed("A");
    Instant between = time.now().plusSeconds(5);
    time.move(Duration.ofSeconds(10));
    succeeded("B");

    assertThat(found(JobSelection.NONE.status(RunStatus.SUCCEEDED))).containsExactly("B");
    assertThat(found(JobSelection.NONE.error("bounced"))).containsExactly("A");
    assertThat(found(JobSelection.NONE.since(between))).containsExactly("B");
    assertThat(found(JobSelection.NONE.until(between))).containsExactly("A");
    assertThat(found(JobSelection.NONE.keyPrefix("B"))).containsExactly("B");
    assertThat(found(JobSelection.NONE.field("customer", "c-A"))).containsExactly("A");
    assertThat(found(JobSelection.NONE.flow("shop"))).containsExactly("B", "A");
  }

  private List<String> found(JobSelection selection) {
    return runs(planned(request(selection, ReplayWish.ALL))).stream()
        .map(run -> Objects.requireNonNull(run.key()))
        .toList();
  }

  @Test
  void nothing_is_replayed_without_a_plan_and_mistakes_are_refused_at_once() {
    register(shop);
    RunHandle<Receipt> run = succeeded("A");

    assertThatThrownBy(() -> hapax.jobs().start(failedShop()))
        .hasMessageContaining("acts only by a plan");
    assertThatThrownBy(() -> hapax.jobs().plan(request(JobSelection.NONE, ReplayWish.ALL)))
        .hasMessageContaining("filter: expected at least one");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .plan(request(JobSelection.NONE.status(RunStatus.COMPENSATED), ReplayWish.ALL)))
        .hasMessageContaining("filter.status: a job 'replay' expects one of");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .plan(
                        request(
                            JobSelection.NONE.flow("shop"),
                            ReplayWish.ALL.withInput("{\"id\":\"A\",\"total\":1}"))))
        .hasMessageContaining("it fits one run only");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .plan(request(JobSelection.of(run.id()), ReplayWish.ALL.forcing("e-1", "x"))))
        .hasMessageContaining("there is no effect e-1");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .plan(
                        request(JobSelection.of(run.id()), ReplayWish.ALL).with("release", "live")))
        .hasMessageContaining("knows no live one");
  }

  @Test
  void a_filter_that_fits_nothing_gives_an_empty_plan_which_ends_at_once() {
    register(shop);

    Job plan = planned(failedShop());
    assertThat(plan.items()).isZero();
    Job done = applied(plan);

    assertThat(done.done()).isZero();
  }

  @Test
  void an_effect_that_only_another_run_has_claimed_is_found_when_many_runs_are_planned() {
    Flow<Order, Receipt> gated =
        orders("gated")
            .body(
                (run, order) -> {
                  run.effect(
                      "gate",
                      Effect.create(order.id()).keyed().name("gate"),
                      key -> {
                        throw new Rejected("bounced", "closed");
                      });
                  run.effect(
                      "mail",
                      Effect.notify(order.id()).request("hello").keyed().name("mail"),
                      (key, _) -> arrive("mail-" + order.id(), key));
                  return new Receipt(order.id(), "");
                });
    register(shop);
    register(gated);
    for (int i = 0; i < 12; i++) {
      RunHandle<Receipt> run = hapax.start(gated, order("G" + i));
      awaitStatus(run, RunStatus.FAILED);
    }
    List<RunHandle<Receipt>> others =
        IntStream.range(0, 4).mapToObj(i -> succeeded("G" + (3 * i))).toList();

    Job plan = planned(request(JobSelection.NONE.flow("gated"), ReplayWish.from("gate")));

    assertThat(plan.totals()).containsEntry("reuse", 4L).containsEntry("send", 12L + 8L);
    List<String> reusing =
        runs(plan).stream()
            .filter(run -> run.totals().reuse() == 1)
            .map(PlannedReplay::key)
            .toList();
    assertThat(reusing).containsExactlyInAnyOrder("G0", "G3", "G6", "G9");
    assertThat(runs(plan).stream().filter(run -> "G9".equals(run.key())).toList().getFirst())
        .satisfies(
            run -> assertThat(run.effects().getLast().firstRun()).isEqualTo(others.getLast().id()));
  }

  @Test
  void a_run_whose_plan_is_stale_is_skipped_with_what_changed_and_the_others_go_on() {
    register(shop);
    RunHandle<Receipt> changed = failed("A");
    RunHandle<Receipt> other = failed("B");
    Job plan = planned(failedShop());
    broken.clear();
    hapax.retry(changed.id(), "carl");
    awaitStatus(changed, RunStatus.SUCCEEDED);

    Job done = applied(plan);

    assertThat(done.done()).isEqualTo(1);
    assertThat(done.skipped()).isEqualTo(1);
    PlannedReplay skipped =
        hapax.replays().planned(plan.id(), JobItemState.SKIPPED, 0, 10).getFirst();
    assertThat(skipped.key()).isEqualTo("A");
    assertThat(skipped.problem())
        .contains("stale", "step 'mail' (mail 'A') was send and is reuse now");
    awaitStatus(other, RunStatus.SUCCEEDED);
    assertThat(arrivals("mail-A")).isEqualTo(1);
    assertThat(types(changed)).doesNotContain("replayed");
  }

  @Test
  void a_plan_of_which_nothing_holds_any_more_is_refused() {
    register(shop);
    RunHandle<Receipt> run = failed("A");
    Job plan = planned(failedShop());
    broken.clear();
    hapax.retry(run.id(), "carl");
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThatThrownBy(() -> hapax.jobs().apply(plan.id(), "bob", null))
        .isInstanceOf(StalePlan.class)
        .hasMessageContaining("was send and is reuse now");
    assertThat(hapax.jobs().job(plan.id()).state()).isEqualTo(JobState.PLANNED);
  }

  @Test
  void of_two_people_who_apply_the_same_plan_one_does_and_each_run_goes_on_once() {
    register(shop);
    RunHandle<Receipt> run = failed("A");
    Job plan = planned(failedShop());
    Job twin = planned(failedShop());
    broken.clear();

    hapax.jobs().apply(plan.id(), "bob", null);
    Job second = hapax.jobs().apply(plan.id(), "carl", null);
    Job done = await(plan, JobState.DONE);

    assertThat(second.appliedBy()).isEqualTo("bob");
    assertThat(done.done()).isEqualTo(1);
    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThatThrownBy(() -> hapax.jobs().apply(twin.id(), "dora", null))
        .isInstanceOf(StalePlan.class);
    assertThat(types(run)).filteredOn("replayed"::equals).hasSize(1);
    assertThat(arrivals("mail-A")).isEqualTo(1);
  }

  @Test
  void a_run_that_cannot_be_replayed_is_in_the_plan_with_the_reason() {
    register(shop);
    var sleeper = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> waits = hapax.start(sleeper, order("S"));
    RunHandle<Receipt> fine = succeeded("B");
    RunHandle<Receipt> old = succeeded("C");
    hapax.forget(shop, "C", "ann", "a test");
    String gone = hapax.id("shop", "never");

    Job plan =
        planned(
            request(
                JobSelection.of(waits.id(), fine.id(), old.id(), gone), ReplayWish.from("charge")));

    assertThat(plan.items()).isEqualTo(4);
    assertThat(plan.skipped()).isEqualTo(3);
    assertThat(runs(plan))
        .extracting(run -> run.state().word() + " " + run.problem())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("skipped").contains("Cancel it first"),
            second -> assertThat(second).isEqualTo("open null"),
            third -> assertThat(third).startsWith("skipped").contains("start the flow again"),
            fourth -> assertThat(fourth).startsWith("skipped").contains("there is no run"));
    Job done = applied(plan);
    assertThat(done.done()).isEqualTo(1);
    assertThat(done.skipped()).isEqualTo(3);
  }

  @Test
  void an_effect_is_forced_only_in_the_run_that_owns_it() {
    register(shop);
    RunHandle<Receipt> one = succeeded("A");
    RunHandle<Receipt> other = succeeded("B");
    String charge = hapax.effects(hapax.effects().name("charge").key("A")).getFirst().id();

    Job plan =
        planned(
            request(
                JobSelection.NONE.flow("shop"),
                ReplayWish.ALL.forcing(charge, "the bank lost it")));

    assertThat(plan.totals()).containsEntry("send", 1L).containsEntry("reuse", 3L);
    applied(plan);
    List.of(one, other).forEach(run -> awaitStatus(run, RunStatus.SUCCEEDED));
    eventually(() -> arrivals("charge-A") == 2);
    assertThat(arrivals("charge-B")).isEqualTo(1);
    assertThat(hapax.history(one.id()).toString()).contains("the bank lost it");
    assertThat(hapax.history(other.id()).toString()).doesNotContain("the bank lost it");
  }

  @Test
  void live_is_the_release_at_the_time_of_the_plan() {
    register(shop);
    register(orders("shop").release(2).body((_, order) -> new Receipt(order.id(), "r2")));
    RunHandle<Receipt> run = succeeded("A");
    var live = new AtomicInteger(2);
    hapax.replays().liveReleases((_, flow) -> flow.equals("shop") ? live.get() : null);

    Job plan =
        planned(request(JobSelection.NONE.flow("shop"), ReplayWish.ALL).with("release", "live"));
    live.set(3);

    assertThat(runs(plan).getFirst().release()).isEqualTo(2);
    assertThat(applied(plan).done()).isEqualTo(1);
    eventually(() -> hapax.run(run.id()).release() == 2);
  }

  @Test
  void a_plan_that_is_killed_while_it_is_made_and_while_it_is_applied_goes_on() {
    register(shop);
    int runs = 450; // three pages
    for (int i = 0; i < runs; i++) {
      broken.add("A" + i);
      hapax.start(shop, order("A" + i));
    }
    eventually(() -> hapax.runs(hapax.runs().status(RunStatus.FAILED).limit(runs)).size() == runs);
    Job plan = hapax.jobs().plan(failedShop());
    eventually(() -> hapax.jobs().job(plan.id()).items() > 0);
    crashInside();
    assertThat(await(plan, JobState.PLANNED).items()).isEqualTo(runs);
    broken.clear();
    var acts = new AtomicInteger();
    MortalStore mortal = process;
    mortal.beforeCommit(batch -> dieAfter(batch, acts, mortal));
    hapax.jobs().apply(plan.id(), "bob", null);
    moveUntil(Duration.ofMillis(500), () -> acts.get() >= 100);

    crashInside();
    Job done = await(plan, JobState.DONE);

    assertThat(done.done()).isEqualTo(runs);
    moveUntil(
        Duration.ofMillis(500),
        () ->
            hapax.runs(hapax.runs().status(RunStatus.SUCCEEDED).flow("shop").limit(runs)).size()
                == runs);
    for (int i = 0; i < runs; i++) {
      assertThat(arrivals("mail-A" + i)).isEqualTo(1);
      assertThat(arrivals("charge-A" + i)).isEqualTo(1);
    }
  }

  @Test
  void a_job_that_goes_on_before_its_flow_is_registered_waits_for_it() {
    register(shop);
    for (int i = 0; i < 3; i++) {
      failed("A" + i);
    }
    Job plan = planned(failedShop());
    broken.clear();
    hapax.jobs().apply(plan.id(), "bob", null);
    process.die();
    revived();
    reopen();
    moveSteps(20, Duration.ofSeconds(1));

    hapax.register(shop);
    Job done = await(plan, JobState.DONE);

    assertThat(done.done()).isEqualTo(3);
  }

  /** Right after a run is reopened, before its result is recorded. */
  private static void dieAfter(Batch batch, AtomicInteger acts, MortalStore mortal) {
    boolean reopens =
        batch.groups().stream()
            .flatMap(group -> group.changes().stream())
            .anyMatch(Change.Reopen.class::isInstance);
    boolean records =
        batch.groups().stream()
            .flatMap(group -> group.changes().stream())
            .anyMatch(Change.PutJobItems.class::isInstance);
    if (reopens) {
      acts.incrementAndGet();
    } else if (records && acts.get() >= 100) {
      mortal.die();
    }
  }

  @Test
  void a_job_of_another_tenant_sees_no_runs_of_this_one() {
    register(shop);
    RunHandle<Receipt> run = succeeded("A");
    var stranger = hapax.tenant("stranger");

    Job all = stranger.jobs().plan(request(JobSelection.NONE.flow("shop"), ReplayWish.ALL));
    Job named = stranger.jobs().planNow(request(JobSelection.of(run.id()), ReplayWish.ALL));
    moveUntil(
        Duration.ofMillis(500), () -> stranger.jobs().job(all.id()).state() == JobState.PLANNED);

    assertThat(stranger.jobs().job(all.id()).items()).isZero();
    assertThat(named.skipped()).isEqualTo(1);
    assertThat(stranger.replays().planned(named.id(), null, 0, 1).getFirst().problem())
        .isEqualTo("there is no run " + run.id());
    Job limited =
        hapax
            .jobs()
            .planNow(request(JobSelection.of(run.id()), ReplayWish.ALL).within(List.of("other*")));
    assertThat(hapax.replays().planned(limited.id(), null, 0, 1).getFirst().problem())
        .isEqualTo("there is no run " + run.id());
  }

  @Test
  void a_run_that_has_expired_since_the_plan_is_skipped_and_says_so() {
    Flow<Order, Receipt> brief =
        register(
            orders("brief")
                .retention(Duration.ofDays(1))
                .body((_, order) -> new Receipt(order.id(), "")));
    RunHandle<Receipt> run = hapax.start(brief, order("A"));
    RunHandle<Receipt> other = hapax.start(brief, order("B"));
    run.await();
    other.await();
    var both = new ArrayList<>(List.of(run.id(), other.id()));
    Job plan = planned(request(JobSelection.of(both), ReplayWish.ALL));
    Job twin = planned(request(JobSelection.of(run.id()), ReplayWish.ALL));

    moveAndAwait(Duration.ofDays(2), () -> hapax.retention().deleted().runs() >= 2);
    eventually(() -> hapax.runs(hapax.runs().flow("brief").limit(2)).isEmpty());

    assertThatThrownBy(() -> hapax.jobs().apply(plan.id(), "bob", null))
        .isInstanceOf(StalePlan.class)
        .hasMessageContaining("has expired")
        .hasMessageContaining("Start its flow under another key");
    Job late = planned(request(JobSelection.of(run.id()), ReplayWish.ALL));
    assertThat(runs(late).getFirst().problem()).contains("has expired");
    assertThat(hapax.jobs().job(twin.id()).state()).isEqualTo(JobState.PLANNED);
  }

  @Test
  void a_compensated_run_and_one_that_failed_to_undo_say_what_to_do() {
    var refuses = ConcurrentHashMap.<String>newKeySet();
    Flow<Order, Receipt> flow =
        register(
            orders("trip")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.effect(
                          "book",
                          Effect.create(order.id())
                              .keyed()
                              .name("book")
                              .compensate(
                                  Undo.keyed(
                                      _ -> {
                                        if (refuses.contains(order.id())) {
                                          throw new Rejected("closed", "too late");
                                        }
                                      })),
                          _ -> {});
                      throw new Rejected("full", "no room");
                    }));
    refuses.add("B");
    RunHandle<Receipt> undone = hapax.start(flow, order("A"));
    RunHandle<Receipt> stuck = hapax.start(flow, order("B"));
    awaitStatus(undone, RunStatus.COMPENSATED);
    awaitStatus(stuck, RunStatus.FAILED);

    Job plan = planned(request(JobSelection.of(undone.id(), stuck.id()), ReplayWish.ALL));

    assertThat(runs(plan))
        .extracting(PlannedReplay::problem)
        .satisfiesExactly(
            first -> assertThat(first).contains("is compensated", "under another key"),
            second -> assertThat(second).contains("has begun to undo its effects", "retry it"));
  }

  @Test
  void a_rerun_from_inside_a_branch_sends_only_what_failed_there() {
    Flow<Order, Receipt> flow =
        register(
            orders("both")
                .body(
                    (run, order) -> {
                      run.parallel(
                          List.of(
                              left -> {
                                send(left, "left", order);
                                return "l";
                              },
                              right -> {
                                right.step("look", () -> 1, Integer.class);
                                send(right, "right", order);
                                return "r";
                              }));
                      send(run, "after", order);
                      return new Receipt(order.id(), "");
                    }));
    broken.add("right-A");
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);
    broken.clear();

    Job plan = planned(request(JobSelection.NONE.flow("both"), ReplayWish.from("look")));

    PlannedReplay planned = runs(plan).getFirst();
    assertThat(planned.problem()).isNull();
    assertThat(planned.effects())
        .extracting(effect -> effect.step() + " " + effect.decision().word())
        .contains("right send", "after send")
        .doesNotContain("left send");
    applied(plan);
    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(arrivals("left-A")).isEqualTo(1);
    assertThat(arrivals("right-A")).isEqualTo(1);
    assertThat(arrivals("after-A")).isEqualTo(1);
  }

  private void send(RunContext run, String step, Order order) {
    run.effect(
        step,
        Effect.create(step + "-" + order.id()).keyed().name(step),
        _ -> {
          if (broken.contains(step + "-" + order.id())) {
            throw new Rejected("broken", "not now");
          }
          world.apply(step + "-" + order.id());
        });
  }

  @Test
  void a_rerun_from_inside_a_loop_needs_an_item_that_each_run_has() {
    Flow<Order, Receipt> flow =
        register(
            orders("lines")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "all",
                          Each.of(List.of("x", "y-" + order.id()), one -> one),
                          (item, line) -> {
                            send(item, "ship", new Order(order.id() + line, 1));
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> one = hapax.start(flow, order("A"));
    RunHandle<Receipt> other = hapax.start(flow, order("B"));
    one.await();
    other.await();

    Job without = planned(request(JobSelection.NONE.flow("lines"), ReplayWish.from("ship")));
    Job some = planned(request(JobSelection.NONE.flow("lines"), ReplayWish.from("ship", "y-A")));
    Job all = planned(request(JobSelection.NONE.flow("lines"), ReplayWish.from("ship", "x")));

    assertThat(runs(without)).allMatch(run -> run.problem() != null);
    assertThat(runs(without).getFirst().problem()).contains("name the item too", "x", "y-B");
    assertThat(some.skipped()).isEqualTo(1);
    assertThat(all.totals()).containsEntry("reuse", 2L).containsEntry("keep", 2L);
    assertThat(applied(all).done()).isEqualTo(2);
    assertThat(world.count()).isEqualTo(4);
  }

  @Test
  void a_paused_job_replays_nothing_more_until_it_is_resumed() {
    register(shop);
    for (int i = 0; i < 6; i++) {
      failed("A" + i);
    }
    Job plan = planned(failedShop());
    broken.clear();
    hapax.jobs().apply(plan.id(), "bob", 2);
    moveUntil(Duration.ofMillis(100), () -> hapax.jobs().job(plan.id()).done() >= 2);
    hapax.jobs().pause(plan.id());
    long before = hapax.jobs().job(plan.id()).done();
    moveSteps(20, Duration.ofSeconds(1));
    long after = hapax.jobs().job(plan.id()).done();

    hapax.jobs().resume(plan.id(), FAST);
    Job done = await(plan, JobState.DONE);

    assertThat(after).isLessThanOrEqualTo(before + 1).isLessThan(6);
    assertThat(done.done()).isEqualTo(6);
  }
}
