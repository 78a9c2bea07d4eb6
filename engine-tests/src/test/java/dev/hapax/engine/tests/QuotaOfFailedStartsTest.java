package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.BatchedEvent;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Schedule;
import dev.hapax.Source;
import dev.hapax.flow.Flow;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.TenantLimits;
import dev.hapax.flow.WaitingCaller;
import dev.hapax.run.KeyHolder;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start that the store has certainly not written costs nothing of its tenant's quota. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuotaOfFailedStartsTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger left = new AtomicInteger(10);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean isFull = new AtomicBoolean();
  private final AtomicBoolean goesAway = new AtomicBoolean();
  private final AtomicBoolean isAway = new AtomicBoolean();
  private final Hapax hapax =
      Hapax.open(
          new Troubled(),
          HapaxOptions.DEFAULT
              .ports(time.ports())
              .tenantLimits(new Counted())
              .closeWithin(Duration.ZERO));
  private final Hapax acme = hapax.tenant("acme");
  private final Flow<String, String> flow =
      Flow.of("echo", String.class, String.class).body((_, input) -> input);
  private final Source<String, String> source = new Source<>(String.class, flow, text -> text);

  private final class Troubled extends ForwardingStore {
    private final Store store = new MemoryStore();

    @Override
    protected Store to() {
      return store;
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      if (isFull.get()) {
        throw new StoreFull("no space", null);
      }
      return store.commit(batch);
    }

    @Override
    public @Nullable KeyHolder holder(RunId id) {
      if (isAway.get()) {
        throw new StoreUnavailable("away", null);
      }
      return store.holder(id);
    }
  }

  private final class Counted implements TenantLimits {
    @Override
    public Grant takeStarts(String tenant, int wanted, long bytes) {
      asked.incrementAndGet();
      isAway.set(goesAway.get());
      int granted = Math.min(wanted, left.getAndUpdate(free -> Math.max(0, free - wanted)));
      QuotaExceeded refusal = new QuotaExceeded("runsPerDay", 10, Duration.ofHours(1), "used up");
      return new Grant(granted, granted == wanted ? null : refusal);
    }

    @Override
    public void giveBackStarts(String tenant, int runs) {
      left.addAndGet(runs);
    }
  }

  @AfterEach
  void close() {
    isFull.set(false);
    hapax.close();
  }

  /** Nothing has tried the store for a while, so that the next one tries again. */
  private void fill() {
    time.move(Duration.ofSeconds(3));
    isFull.set(true);
  }

  private BatchedEvent event(String id) {
    return new BatchedEvent(Event.from("shop").id(id).payload(id), source, null);
  }

  @Test
  void an_event_without_space_gives_its_right_back() {
    hapax.register(flow);
    fill();
    assertThatThrownBy(() -> acme.inbox().receive(Event.from("shop").id("1").payload("a"), source))
        .isInstanceOf(StoreFull.class);
    assertThat(left).hasValue(10);

    fill();
    assertThatThrownBy(() -> acme.inbox().receiveAll(List.of(event("1"), event("2"))))
        .isInstanceOf(StoreFull.class);
    assertThat(left).hasValue(10);
    assertThat(asked).hasValue(2);
  }

  @Test
  void events_whose_runs_cannot_be_looked_up_give_their_rights_back() {
    hapax.register(flow);
    left.set(1);
    goesAway.set(true); // after the right was taken

    assertThatThrownBy(() -> acme.inbox().receiveAll(List.of(event("1"), event("2"))))
        .isInstanceOf(StoreUnavailable.class);

    assertThat(asked).hasValue(1);
    assertThat(left).hasValue(1);
  }

  @Test
  void a_backfill_without_space_gives_its_rights_back() {
    hapax.register(flow);
    Instant begin = time.ports().clock().now();
    acme.schedules()
        .add(
            Schedule.named("each-minute")
                .flow(flow)
                .input(Instant::toString)
                .at(after -> Instant.ofEpochSecond((after.getEpochSecond() / 60 + 1) * 60)));
    acme.schedules().pause("each-minute");
    time.move(Duration.ofMinutes(3));
    fill();

    assertThatThrownBy(
            () ->
                WaitingCaller.waitsFor(
                    () ->
                        acme.schedules()
                            .backfill("each-minute", begin, time.ports().clock().now())))
        .isInstanceOf(StoreFull.class);

    assertThat(left).hasValue(10);
    assertThat(asked.get()).isPositive();
  }

  @Test
  void a_start_that_meets_a_full_store_does_not_ask_for_its_right() {
    hapax.register(flow);
    fill();
    assertThatThrownBy(() -> acme.start(flow, "a", "1")).isInstanceOf(StoreFull.class);
    int before = asked.get();

    assertThatThrownBy(() -> acme.start(flow, "a", "1")).isInstanceOf(StoreFull.class);

    assertThat(asked).hasValue(before); // the count of the day is in the store
    assertThat(left).hasValue(10);
  }
}
