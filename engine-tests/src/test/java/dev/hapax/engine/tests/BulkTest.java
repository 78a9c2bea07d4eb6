package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Message;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.ReviewCause;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many runs, effects and messages are retried, canceled, settled and redelivered at once. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class BulkTest extends EngineTest {
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private final List<Integer> sent = new CopyOnWriteArrayList<>();

  private final Flow<Order, Receipt> shop = failing("shop");

  private Flow<Order, Receipt> failing(String name) {
    return orders(name)
        .body(
            (run, order) -> {
              run.step(
                  "pay",
                  () -> {
                    if (broken.contains(order.id())) {
                      throw new Rejected("card-declined", "no money");
                    }
                    return "paid";
                  },
                  String.class);
              return new Receipt(order.id(), "");
            });
  }

  private RunHandle<Receipt> failed(Hapax at, Flow<Order, Receipt> flow, String id) {
    broken.add(id);
    RunHandle<Receipt> run = at.start(flow, order(id));
    eventually(() -> at.run(run.id()).status() == RunStatus.FAILED);
    return run;
  }

  private Job await(Hapax at, Job job, JobState state) {
    moveUntil(Duration.ofMillis(500), () -> at.jobs().job(job.id()).state() == state);
    return at.jobs().job(job.id());
  }

  private Job finished(JobRequest request) {
    return await(hapax, hapax.jobs().start(request), JobState.DONE);
  }

  private List<JobItem> items(Job job) {
    return hapax.jobs().items(job.id(), null, 0, 100);
  }

  private static JobSelection failedShop() {
    return JobSelection.NONE.flow("shop").error("card-declined");
  }

  @Test
  void a_retry_touches_what_its_plan_found_and_no_run_that_fails_later() {
    register(shop);
    RunHandle<Receipt> first = failed(hapax, shop, "A-1");
    RunHandle<Receipt> second = failed(hapax, shop, "A-2");
    Job plan =
        await(hapax, hapax.jobs().plan(JobRequest.retry(failedShop(), "ann")), JobState.PLANNED);
    RunHandle<Receipt> later = failed(hapax, shop, "A-3");
    hapax.retry(first.id(), "bob"); // it fails again, and still fits
    awaitStatus(first, RunStatus.FAILED);
    broken.clear();

    hapax.jobs().apply(plan.id(), "ann", null);
    Job done = await(hapax, plan, JobState.DONE);

    awaitStatus(first, RunStatus.SUCCEEDED);
    awaitStatus(second, RunStatus.SUCCEEDED);
    assertThat(hapax.run(later.id()).status()).isEqualTo(RunStatus.FAILED);
    assertThat(done.done()).isEqualTo(2);
    assertThat(items(plan))
        .extracting(JobItem::key, JobItem::flow)
        .containsExactly(tuple("A-2", "shop"), tuple("A-1", "shop"));
    assertThat(String.valueOf(entry(second, "retried"))).contains("ann, job " + plan.id());
  }

  @Test
  void a_run_that_is_no_longer_failed_is_skipped_and_the_result_says_why() {
    register(shop);
    RunHandle<Receipt> run = failed(hapax, shop, "A-1");
    Job plan =
        await(
            hapax,
            hapax.jobs().plan(JobRequest.retry(JobSelection.of(run.id()), "ann")),
            JobState.PLANNED);
    broken.clear();
    hapax.retry(run.id(), "bob");
    awaitStatus(run, RunStatus.SUCCEEDED);

    hapax.jobs().apply(plan.id(), "ann", null);
    Job done = await(hapax, plan, JobState.DONE);

    assertThat(done.skipped()).isEqualTo(1);
    assertThat(items(plan).getFirst().problem())
        .contains("is succeeded; only a failed run can be retried");
  }

  @Test
  void filters_select_by_flow_status_error_key_and_time() {
    register(shop);
    var other = register(failing("other"));
    failed(hapax, shop, "A-1");
    Instant between = time.now();
    time.move(Duration.ofHours(1));
    failed(hapax, shop, "B-1");
    failed(hapax, other, "A-2");
    broken.remove("A-3");
    hapax.start(shop, order("A-3")).await();
    Instant since = between.plus(Duration.ofMinutes(1));

    assertThat(keys(JobSelection.everything())).containsExactly("A-2", "B-1", "A-1");
    assertThat(keys(JobSelection.NONE.flow("sh*"))).containsExactly("B-1", "A-1");
    assertThat(keys(JobSelection.NONE.flows(List.of("other")))).containsExactly("A-2");
    assertThat(keys(JobSelection.NONE.keyPrefix("A-"))).containsExactly("A-2", "A-1");
    assertThat(keys(JobSelection.NONE.key("B-1"))).containsExactly("B-1");
    assertThat(keys(JobSelection.NONE.since(since))).containsExactly("A-2", "B-1");
    assertThat(keys(JobSelection.NONE.until(since))).containsExactly("A-1");
    assertThat(keys(JobSelection.NONE.error("timeout"))).isEmpty();
    assertThat(keys(JobSelection.NONE.retryable(true))).isEmpty();
    assertThat(keys(JobSelection.NONE.retryable(false))).hasSize(3);
    assertThatThrownBy(() -> keys(JobSelection.NONE.status(RunStatus.RUNNING)))
        .hasMessageContaining("filter.status: a job 'retry' expects one of [failed, partial]");
    assertThatThrownBy(() -> keys(JobSelection.NONE.source("crm")))
        .hasMessageContaining("filter.source: a job 'retry' does not know it");
    assertThatThrownBy(() -> keys(JobSelection.of("nonsense")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<String> keys(JobSelection selection) {
    Job plan =
        await(hapax, hapax.jobs().plan(JobRequest.retry(selection, "ann")), JobState.PLANNED);
    List<String> keys = new ArrayList<>();
    items(plan).forEach(item -> keys.add(String.valueOf(item.key())));
    return keys;
  }

  @Test
  void a_job_touches_only_its_own_tenant_and_the_flows_that_it_is_limited_to() {
    register(shop);
    var other = register(failing("other"));
    Hapax neighbour = hapax.tenant("neighbour");
    RunHandle<Receipt> theirs = failed(neighbour, shop, "A-1");
    RunHandle<Receipt> ours = failed(hapax, shop, "A-1");
    RunHandle<Receipt> outside = failed(hapax, other, "A-2");
    broken.clear();

    Job all = finished(JobRequest.retry(JobSelection.everything(), "ann").within(List.of("sh*")));
    Job named =
        finished(
            JobRequest.retry(JobSelection.of(theirs.id(), outside.id()), "ann")
                .within(List.of("shop")));

    awaitStatus(ours, RunStatus.SUCCEEDED);
    assertThat(all.done()).isEqualTo(1);
    assertThat(named.skipped()).isEqualTo(2);
    assertThat(items(named)).extracting(JobItem::key).containsOnlyNulls();
    assertThat(items(named).getFirst().problem()).isEqualTo("there is no run " + theirs.id());
    assertThat(neighbour.run(theirs.id()).status()).isEqualTo(RunStatus.FAILED);
    assertThat(hapax.run(outside.id()).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void a_cancel_ends_all_runs_that_fit_but_not_the_one_that_works_on_it() {
    var sleeper = register(sleeping(Duration.ofDays(9)));
    RunHandle<Receipt> first = hapax.start(sleeper, order("A-1"));
    RunHandle<Receipt> second = hapax.start(sleeper, order("A-2"));
    awaitReleased(first);
    awaitReleased(second);

    Job done = finished(JobRequest.cancel(JobSelection.everything(), "ann", "wrong price"));

    awaitStatus(first, RunStatus.CANCELED);
    awaitStatus(second, RunStatus.CANCELED);
    assertThat(done.done()).isEqualTo(2);
    assertThat(cancel(first.id()).reason()).isEqualTo("wrong price");
    eventually(
        () ->
            hapax.runs(hapax.runs().flow("hapax/job")).getFirst().status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_settlement_is_bound_to_what_the_plan_saw() {
    var flow = register(mailer(Duration.ofDays(7)));
    RunHandle<Receipt> moved = hapax.start(flow, order("A-1"));
    RunHandle<Receipt> same = hapax.start(flow, order("A-2"));
    awaitStatus(moved, RunStatus.REVIEW);
    awaitStatus(same, RunStatus.REVIEW);
    var request =
        JobRequest.settle(
            JobSelection.NONE.flow("mailer").step("mail"),
            SettleDecision.HAPPENED,
            "seen at the provider",
            "ann");
    Job plan = await(hapax, hapax.jobs().plan(request), JobState.PLANNED);
    assertThat(plan.items()).isEqualTo(2);
    EffectRecord seen =
        hapax.effects(hapax.effects().state(EffectState.REVIEW).key("A-1")).getFirst();
    hapax.settle(seen.id(), Settlement.notHappened("not there", "bob").seen(seen));
    eventually(
        () ->
            hapax.effects(hapax.effects().state(EffectState.REVIEW).key("A-1")).stream()
                .anyMatch(row -> row.attempts() == 2));

    hapax.jobs().apply(plan.id(), "ann", null);
    Job done = await(hapax, plan, JobState.DONE);

    awaitStatus(same, RunStatus.SUCCEEDED);
    assertThat(done.done()).isEqualTo(1);
    JobItem skipped = hapax.jobs().items(plan.id(), JobItemState.SKIPPED, 0, 9).getFirst();
    assertThat(skipped.key()).isEqualTo("A-1");
    assertThat(skipped.problem()).startsWith("stale: ").contains("2 attempts");
    assertThat(effect(EffectState.REVIEW).attempts()).isEqualTo(2);
  }

  @Test
  void a_settlement_of_listed_effects_is_bound_to_what_was_there_at_its_request() {
    var flow = register(mailer(Duration.ofDays(7)));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);
    EffectRecord seen = effect(EffectState.REVIEW);
    var request =
        JobRequest.settle(
            JobSelection.of(seen.id()), SettleDecision.HAPPENED, "seen at the provider", "ann");

    Job done = settledAfterAnotherAttempt(request, seen);

    assertThat(done.skipped()).isEqualTo(1);
    assertThat(items(done).getFirst().problem()).startsWith("stale: ").contains("2 attempts");
    assertThat(effect(EffectState.REVIEW).attempts()).isEqualTo(2);
  }

  /** The run of the job begins its work only when the effect was sent once more. */
  private Job settledAfterAnotherAttempt(JobRequest request, EffectRecord seen) {
    var sentAgain = new CountDownLatch(1);
    Thread test = Thread.currentThread();
    process.beforeRead(
        method -> {
          if (method.equals("find") && !Thread.currentThread().equals(test)) {
            awaitUninterruptibly(sentAgain);
          }
        });
    Job job = hapax.jobs().start(request);
    hapax.settle(seen.id(), Settlement.notHappened("not there", "bob").seen(seen));
    eventually(
        () ->
            hapax.effects(hapax.effects().state(EffectState.REVIEW)).stream()
                .anyMatch(row -> row.attempts() == 2));
    sentAgain.countDown();
    return await(hapax, job, JobState.DONE);
  }

  @Test
  void a_settlement_can_name_what_the_person_saw_before_the_request() {
    var flow = register(mailer(Duration.ofDays(7)));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);
    EffectRecord seen = effect(EffectState.REVIEW);
    hapax.settle(seen.id(), Settlement.notHappened("not there", "bob").seen(seen));
    eventually(
        () ->
            hapax.effects(hapax.effects().state(EffectState.REVIEW)).stream()
                .anyMatch(row -> row.attempts() == 2));

    Job done =
        finished(JobRequest.settle(List.of(seen), SettleDecision.HAPPENED, "it is there", "ann"));

    assertThat(done.skipped()).isEqualTo(1);
    assertThat(effect(EffectState.REVIEW).attempts()).isEqualTo(2);
  }

  /** A run whose invoice is done, and whose corrected input wants another one. */
  private EffectRecord reworked() {
    Flow<Order, Receipt> flow =
        register(
            orders("billing")
                .body(
                    (run, order) -> {
                      String made =
                          run.effect(
                              "invoice",
                              Effect.create(order.id())
                                  .request(order.total())
                                  .onRework(OnRework.REVIEW)
                                  .keyed(),
                              (_, total) -> {
                                sent.add(total);
                                return "made";
                              },
                              String.class);
                      return new Receipt(order.id(), made);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("R-1"));
    run.await();
    ReplayWish wish = ReplayWish.ALL.withInput("{\"id\": \"R-1\", \"total\": 50}");
    hapax.replays().apply(hapax.replays().plan(run.id(), wish), "ann", "a wrong total");
    awaitStatus(run, RunStatus.REVIEW);
    return hapax.effects(hapax.effects().key("R-1")).getFirst();
  }

  @Test
  void a_settlement_of_doubts_does_not_answer_whether_other_content_is_sent() {
    EffectRecord question = reworked();
    RunHandle<Receipt> doubt = hapax.start(register(mailer(Duration.ofDays(7))), order("A-1"));
    awaitStatus(doubt, RunStatus.REVIEW);

    Job all =
        finished(
            JobRequest.settle(
                JobSelection.everything(), SettleDecision.NOT_HAPPENED, "all lost", "ann"));

    assertThat(items(all)).extracting(JobItem::key).containsExactly("A-1");
    assertThat(hapax.effect(question.id()).state()).isEqualTo(EffectState.REVIEW);
    assertThat(sent).containsExactly(40);
    String cause = ReviewCause.of(question, hapax.findRun(question.run())).id();
    Job asked =
        await(
            hapax,
            hapax
                .jobs()
                .plan(
                    JobRequest.settle(
                        JobSelection.NONE.cause(cause), SettleDecision.ABANDON, "keep it", "ann")),
            JobState.PLANNED);
    assertThat(asked.items()).isEqualTo(1);
    Job named =
        finished(
            JobRequest.settle(
                JobSelection.of(question.id()), SettleDecision.NOT_HAPPENED, "it is gone", "ann"));
    assertThat(named.done()).isEqualTo(1);
    assertThat(hapax.effect(question.id()).state()).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void a_long_list_of_effects_is_settled_by_a_plan_only() {
    List<String> ids = IntStream.range(0, 1_001).mapToObj(i -> "e-" + i).toList();
    var request =
        JobRequest.settle(JobSelection.of(ids), SettleDecision.ABANDON, "no one knows", "ann");

    assertThatThrownBy(() -> hapax.jobs().start(request))
        .hasMessageContaining("at most 1,000 of them. Make a plan");
    assertThat(hapax.jobs().plan(request).kind()).isEqualTo("settle");
  }

  @Test
  void a_settlement_without_a_reason_or_decision_is_refused() {
    assertThatThrownBy(
            () -> hapax.jobs().plan(JobRequest.of("settle", JobSelection.everything(), "ann")))
        .hasMessageContaining("decision: expected happened, not-happened or abandon");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .plan(
                        JobRequest.of("settle", JobSelection.everything(), "ann")
                            .with("decision", "abandon")))
        .hasMessageContaining("reason: expected");
  }

  @Test
  void dead_letters_are_delivered_again_under_the_same_id() {
    Set<String> arrived = ConcurrentHashMap.newKeySet();
    broken.add("yes");
    hapax
        .outbox()
        .courier(
            "shop",
            message -> {
              if (broken.contains("yes")) {
                throw new Rejected("gone", "no such shop");
              }
              arrived.add(message.id());
            });
    String one = hapax.outbox().publish("m-1", Message.to("shop").type("paid").data("1"));
    String two = hapax.outbox().publish("m-2", Message.to("shop").type("paid").data("2"));
    eventually(() -> hapax.outbox().deadLetters().size() == 2);
    broken.clear();

    Job done = finished(JobRequest.redeliver(JobSelection.NONE.destination("shop"), "ann"));

    eventually(() -> arrived.size() == 2);
    assertThat(arrived).containsExactlyInAnyOrder(one, two);
    assertThat(done.done()).isEqualTo(2);
    assertThatThrownBy(
            () -> hapax.jobs().plan(JobRequest.redeliver(JobSelection.everything(), "a")))
        .hasMessageContaining("filter: expected a destination");
  }

  @Test
  void events_that_were_not_accepted_are_tried_again() {
    broken.add("yes");
    hapax
        .inbox()
        .source(
            "crm",
            String.class,
            register(shop),
            payload -> {
              if (broken.contains("yes")) {
                throw new IllegalArgumentException("cannot read it");
              }
              return order(payload);
            });
    hapax.inbox().receive(Event.from("crm").id("e-1").payload("A-1"));
    hapax.inbox().receive(Event.from("crm").id("e-2").payload("A-2"));
    broken.clear();

    Job done = finished(JobRequest.redeliver(JobSelection.NONE.source("crm"), "ann"));
    Job again = finished(JobRequest.redeliver(JobSelection.NONE.source("crm"), "ann"));

    assertThat(done.done()).isEqualTo(2);
    assertThat(again.items()).isZero();
    assertThat(hapax.runs(hapax.runs().flow("shop"))).hasSize(2);
  }
}
