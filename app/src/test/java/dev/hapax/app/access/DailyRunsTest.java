package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The nodes together start no more runs a day than the quota allows. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DailyRunsTest {
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = new MemoryStore();
  private final Hapax hapax =
      Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(Duration.ZERO));
  private final Kv map = ServerMap.of(hapax);

  @AfterEach
  void close() {
    hapax.close();
  }

  private DailyRuns node() {
    return new DailyRuns(store, time.ports().clock());
  }

  @Test
  void two_nodes_with_many_threads_grant_exactly_the_quota() throws Exception {
    List<DailyRuns> nodes = List.of(node(), node());
    var granted = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      DailyRuns mine = nodes.get(i % 2);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int start = 0; start < 20; start++) {
                      int taken = mine.take(map, "acme", 1, 100);
                      granted.addAndGet(taken);
                      if (taken == 1 && start % 5 == 4) {
                        mine.giveBack("acme", 1); // it was a duplicate
                        granted.decrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (DailyRuns node : nodes) { // what was given back
      for (int taken = 1; taken == 1; ) {
        taken = node.take(map, "acme", 1, 100);
        granted.addAndGet(taken);
      }
    }
    assertThat(granted.get()).isEqualTo(100);
    assertThat(nodes.getFirst().today(map, "acme")).isEqualTo(100);
    assertThat(nodes.getFirst().take(map, "other", 7, 5)).isEqualTo(5);
  }

  @Test
  void a_restart_forgets_nothing_and_the_next_day_begins_anew() {
    assertThat(node().take(map, "acme", 3, 5)).isEqualTo(3);
    DailyRuns again = node();
    assertThat(again.take(map, "acme", 3, 5)).isEqualTo(2);
    assertThat(again.take(map, "acme", 1, 5)).isZero();
    assertThat(again.take(map, "acme", 1, 6)).isEqualTo(1);
    assertThat(again.take(map, "acme", 1, 4)).isZero();
    time.move(Duration.ofDays(1));
    assertThat(again.take(map, "acme", 3, 5)).isEqualTo(3);
    assertThat(again.today(map, "acme")).isEqualTo(3);
  }

  @Test
  void runs_of_the_day_before_the_quota_was_set_count() {
    Flow<String, String> flow =
        Flow.of("echo", String.class, String.class).body((_, input) -> input);
    hapax.register(flow);
    for (int i = 0; i < 3; i++) {
      hapax.tenant("acme").start(flow, "x", "key " + i).await();
    }
    assertThat(node().take(map, "acme", 3, 5)).isEqualTo(2);
  }
}
