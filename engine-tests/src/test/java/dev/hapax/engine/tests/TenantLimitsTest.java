package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.Schedule;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TenantLimits;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tenant that is held back waits, loses nothing, and delays no other. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TenantLimitsTest {
  private final ManualTime time = new ManualTime();
  private final Store store = new MemoryStore();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final AtomicInteger most = new AtomicInteger(Integer.MAX_VALUE);
  private final TenantLimits limits =
      new TenantLimits() {
        @Override
        public boolean isHeld(String tenant) {
          return held.contains(tenant);
        }

        @Override
        public int mostInMemory(String tenant) {
          return tenant.equals("acme") ? most.get() : Integer.MAX_VALUE;
        }
      };
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final Flow<String, String> twoSteps =
      Flow.of("two", String.class, String.class)
          .body(
              (run, input) -> {
                run.step(
                    "one",
                    () -> {
                      first.countDown();
                      go.await();
                      return "";
                    },
                    String.class);
                return run.step("two", () -> input, String.class);
              });
  private MortalStore process = new MortalStore(store);
  private Hapax hapax = open();

  private Hapax open() {
    return Hapax.open(
        process,
        HapaxOptions.DEFAULT.ports(time.ports()).tenantLimits(limits).closeWithin(Duration.ZERO));
  }

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

  /** Returns a run of the tenant acme that is in its first step, until {@link #go}. */
  private RunHandle<String> runInItsFirstStep() throws InterruptedException {
    hapax.register(twoSteps);
    RunHandle<String> run = hapax.tenant("acme").start(twoSteps, "x", "key");
    first.await();
    return run;
  }

  private RunStatus status(RunHandle<?> run, String tenant) {
    return hapax.tenant(tenant).run(run.id()).status();
  }

  @Test
  void a_run_ends_its_step_and_waits_until_its_tenant_goes_on() throws Exception {
    RunHandle<String> run = runInItsFirstStep();

    held.add("acme");
    go.countDown();

    eventually(() -> status(run, "acme") == RunStatus.WAITING);
    assertThat(hapax.tenant("other").start(twoSteps, "y", "key").await()).isEqualTo("y");
    assertThat(status(run, "acme")).isEqualTo(RunStatus.WAITING);
    held.clear();
    eventually(() -> status(run, "acme") == RunStatus.SUCCEEDED);
    assertThat(run.await()).isEqualTo("x");
  }

  @Test
  void a_crash_takes_up_nothing_of_a_tenant_that_is_held() throws Exception {
    RunHandle<String> run = runInItsFirstStep();

    held.add("acme");
    process.die();
    go.countDown();
    process = new MortalStore(store);
    hapax = open();
    hapax.register(twoSteps);

    eventually(() -> status(run, "acme") == RunStatus.WAITING);
    RunHandle<String> second = hapax.tenant("acme").start(twoSteps, "z", "key 2");
    assertThat(status(second, "acme")).isEqualTo(RunStatus.QUEUED);
    held.clear();
    eventually(
        () ->
            status(run, "acme") == RunStatus.SUCCEEDED
                && status(second, "acme") == RunStatus.SUCCEEDED);
  }

  @Test
  void a_schedule_starts_nothing_while_its_tenant_is_held_and_then_catches_up() {
    Flow<String, String> flow =
        Flow.of("nightly", String.class, String.class).body((_, input) -> input);
    Hapax acme = hapax.tenant("acme");
    acme.register(flow);
    held.add("acme");
    Instant begin = time.ports().clock().now();
    acme.schedules()
        .add(
            Schedule.named("each-minute")
                .flow(flow)
                .input(Instant::toString)
                .at(after -> Instant.ofEpochSecond((after.getEpochSecond() / 60 + 1) * 60)));
    eventually(() -> time.ports().clock().now().isAfter(begin.plusSeconds(600)));
    assertThat(acme.runs(acme.runs())).isEmpty();

    held.clear();

    eventually(() -> !acme.runs(acme.runs()).isEmpty());
  }

  @Test
  void a_tenant_has_no_more_runs_in_memory_than_it_may_have() throws Exception {
    most.set(2);
    var inside = new AtomicInteger();
    var highest = new AtomicInteger();
    Flow<String, String> flow =
        Flow.of("slow", String.class, String.class)
            .body(
                (run, input) -> {
                  highest.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  run.step(
                      "one",
                      () -> {
                        go.await();
                        return "";
                      },
                      String.class);
                  inside.decrementAndGet();
                  return input;
                });
    hapax.register(flow);
    List<RunHandle<String>> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(hapax.tenant("acme").start(flow, "x", "key " + i));
    }

    go.countDown();

    assertThat(hapax.tenant("other").start(flow, "y", "key").await()).isEqualTo("y");
    eventually(() -> runs.stream().allMatch(run -> status(run, "acme") == RunStatus.SUCCEEDED));
    assertThat(highest.get()).isLessThanOrEqualTo(3); // two of acme, one of the other
  }
}
