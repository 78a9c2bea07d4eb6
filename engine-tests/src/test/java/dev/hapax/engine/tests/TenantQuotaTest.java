package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Acknowledgement;
import dev.hapax.BatchedEvent;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Schedule;
import dev.hapax.Source;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TenantLimits;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tenant starts and calls no more than its quotas allow, through every door. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TenantQuotaTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
  private final AtomicInteger calls = new AtomicInteger(Integer.MAX_VALUE);
  private final AtomicBoolean isFull = new AtomicBoolean();
  private final TenantLimits limits =
      new TenantLimits() {
        @Override
        public Grant takeStarts(String tenant, int wanted, long bytes) {
          if (!tenant.equals("acme")) {
            return new Grant(wanted, null);
          }
          int before = left.getAndUpdate(free -> Math.max(0, free - wanted));
          int granted = Math.min(wanted, before);
          return new Grant(
              granted,
              granted == wanted
                  ? null
                  : new QuotaExceeded("runsPerDay", 2, Duration.ofHours(1), "used up"));
        }

        @Override
        public @Nullable QuotaExceeded refusalToKeep(String tenant, long bytes) {
          return tenant.equals("acme") && isFull.get()
              ? new QuotaExceeded("storeBytes", 1_000, null, "full")
              : null;
        }

        @Override
        public void giveBackStarts(String tenant, int runs) {
          if (tenant.equals("acme")) {
            left.addAndGet(runs);
          }
        }

        @Override
        public int mostCalls(String tenant) {
          return tenant.equals("acme") ? calls.get() : Integer.MAX_VALUE;
        }
      };
  private final Hapax hapax =
      Hapax.open(
          new MemoryStore(),
          HapaxOptions.DEFAULT.ports(time.ports()).tenantLimits(limits).closeWithin(Duration.ZERO));
  private final Hapax acme = hapax.tenant("acme");
  private final Flow<String, String> flow =
      Flow.of("echo", String.class, String.class).body((_, input) -> input);

  @AfterEach
  void close() {
    hapax.close();
  }

  private void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      time.move(Duration.ofSeconds(1));
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void a_start_beyond_the_quota_is_refused_and_a_duplicate_is_not() {
    hapax.register(flow);
    left.set(2);
    acme.start(flow, "a", "1").await();
    acme.start(flow, "b", "2").await();

    assertThatThrownBy(() -> acme.start(flow, "c", "3"))
        .isInstanceOfSatisfying(
            QuotaExceeded.class, refusal -> assertThat(refusal.quota()).isEqualTo("runsPerDay"));

    assertThat(acme.start(flow, "a", "1").isDuplicate()).isTrue();
    assertThat(hapax.tenant("other").start(flow, "c", "3").await()).isEqualTo("c");
    left.set(1);
    assertThat(acme.start(flow, "c", "3").await()).isEqualTo("c");
    assertThat(left.get()).isZero();
  }

  @Test
  void starts_of_one_key_at_once_take_one_right() throws Exception {
    hapax.register(flow);
    left.set(100);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      threads.add(Thread.ofVirtual().start(() -> acme.start(flow, "same", "key").await()));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(left.get()).isEqualTo(99);
  }

  @Test
  void an_event_beyond_the_quota_is_not_received_until_it_is_delivered_again() {
    hapax.register(flow);
    acme.inbox().source("shop", String.class, flow, text -> text);
    left.set(1);
    assertThat(acme.inbox().receive(Event.from("shop").id("1").payload("a")).outcome())
        .isEqualTo(InboxOutcome.ACCEPTED);

    assertThatThrownBy(() -> acme.inbox().receive(Event.from("shop").id("2").payload("b")))
        .isInstanceOf(QuotaExceeded.class);

    assertThat(acme.inbox().receive(Event.from("shop").id("1").payload("a")).outcome())
        .isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(acme.inbox().events(acme.inbox().events())).hasSize(1);
    left.set(1);
    assertThat(acme.inbox().receive(Event.from("shop").id("2").payload("b")).outcome())
        .isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(acme.inbox().receive(Event.from("shop").id("2").payload("b")).outcome())
        .isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(left.get()).isZero();
  }

  @Test
  void an_event_without_a_run_is_kept_only_while_there_is_room_for_it() {
    hapax.register(flow);
    acme.inbox().source("shop", String.class, flow, text -> text);
    Event known = Event.from("shop").id("1").payload(Map.of("not", "a text"));
    assertThat(acme.inbox().receive(known).outcome()).isEqualTo(InboxOutcome.INVALID);
    Event fresh = Event.from("shop").id("2").payload(Map.of("not", "a text"));
    isFull.set(true);

    assertThatThrownBy(() -> acme.inbox().receive(fresh)).isInstanceOf(QuotaExceeded.class);

    assertThat(acme.inbox().receive(known).outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(hapax.tenant("other").inbox().events(hapax.tenant("other").inbox().events()))
        .isEmpty();
    var source = new Source<String, String>(String.class, flow, text -> text);
    List<Acknowledgement> some =
        acme.inbox()
            .receiveAll(
                List.of(
                    new BatchedEvent(known, source, null),
                    new BatchedEvent(Event.from("shop").id("3").payload("a run"), source, null),
                    new BatchedEvent(fresh, source, null),
                    new BatchedEvent(
                        Event.from("shop").id("4").payload("behind it"), source, null)));
    assertThat(some)
        .extracting(Acknowledgement::outcome)
        .containsExactly(InboxOutcome.DUPLICATE, InboxOutcome.ACCEPTED);
    assertThat(acme.inbox().events(acme.inbox().events())).hasSize(2);
    isFull.set(false);
    assertThat(acme.inbox().receive(fresh).outcome()).isEqualTo(InboxOutcome.INVALID);
  }

  @Test
  void a_refused_instant_is_noted_and_a_backfill_starts_it_later() {
    hapax.register(flow);
    left.set(2);
    Instant begin = time.ports().clock().now();
    acme.schedules()
        .add(
            Schedule.named("each-minute")
                .flow(flow)
                .input(Instant::toString)
                .at(after -> Instant.ofEpochSecond((after.getEpochSecond() / 60 + 1) * 60)));

    eventually(
        () -> {
          String note = acme.schedules().list().getFirst().note();
          return note != null && note.contains("refused") && note.contains("runsPerDay");
        });

    assertThat(acme.runs(acme.runs())).hasSize(2);
    eventually(() -> acme.schedules().missed().containsKey("each-minute")); // after its commit
    assertThat(acme.schedules().missed().get("each-minute")).isPositive();
    acme.schedules().pause("each-minute");
    Instant end = time.ports().clock().now();
    assertThatThrownBy(() -> acme.schedules().backfill("each-minute", begin, end))
        .isInstanceOf(QuotaExceeded.class);
    left.set(10_000);
    int started = acme.schedules().backfill("each-minute", begin, end);
    assertThat(started).isPositive();
    assertThat(left.get()).isEqualTo(10_000 - started);
    assertThat(acme.schedules().backfill("each-minute", begin, end)).isZero();
    assertThat(left.get()).isEqualTo(10_000 - started);
  }

  @Test
  void calls_beyond_the_quota_wait_and_none_fails() {
    calls.set(2);
    var inside = new AtomicInteger();
    var highest = new AtomicInteger();
    var go = new CountDownLatch(1);
    Flow<String, String> calling =
        Flow.of("calling", String.class, String.class)
            .body(
                (run, input) -> {
                  run.effect(
                      "call",
                      Effect.create(input).keyed().to(input.substring(0, 1)),
                      _ -> {
                        highest.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        go.await();
                        inside.decrementAndGet();
                      });
                  return input;
                });
    hapax.register(calling);
    for (int i = 0; i < 12; i++) {
      String order = i + " order";
      Thread.ofVirtual().start(() -> acme.start(calling, order, order)); // until its turn is near
    }
    eventually(() -> inside.get() == 2);
    assertThat(acme.tenancy().load().calls()).isEqualTo(2);
    assertThat(hapax.tenant("other").tenancy().load().calls()).isZero();
    time.move(Duration.ofSeconds(2));

    go.countDown();

    eventually(
        () ->
            acme.runs(acme.runs()).stream()
                    .filter(run -> run.status() == RunStatus.SUCCEEDED)
                    .count()
                == 12);
    assertThat(highest.get()).isLessThanOrEqualTo(2);
    assertThat(acme.tenancy().load().calls()).isZero();
  }

  @Test
  void a_lifted_limit_lets_waiting_calls_go() {
    calls.set(1);
    var inside = new AtomicInteger();
    var go = new CountDownLatch(1);
    Flow<String, String> calling =
        Flow.of("calling", String.class, String.class)
            .body(
                (run, input) -> {
                  run.effect(
                      "call",
                      Effect.create(input).keyed(),
                      _ -> {
                        inside.incrementAndGet();
                        go.await();
                      });
                  return input;
                });
    hapax.register(calling);
    for (int i = 0; i < 4; i++) {
      String order = "order " + i;
      Thread.ofVirtual().start(() -> acme.start(calling, order, order));
    }
    eventually(() -> inside.get() == 1);

    calls.set(Integer.MAX_VALUE);

    eventually(() -> inside.get() == 4);
    go.countDown();
  }
}
