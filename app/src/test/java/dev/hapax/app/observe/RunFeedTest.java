package dev.hapax.app.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.run.NewRun;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many readers, of several tenants, of one feed. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunFeedTest {
  private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");
  private static final Duration LONG = Duration.ofSeconds(50);

  private final AtomicInteger reads = new AtomicInteger();
  private final RunFeed feed = new RunFeed(Ports.system().clock(), this::read);
  private int next;

  /** The store: runs of tenant a have even numbers, those of b odd ones, and 99 is gone. */
  private @Nullable Run read(long number) {
    reads.incrementAndGet();
    NewRun run = run(number);
    return number == 99
        ? null
        : new Run(
            number,
            run.id(),
            run.tenant(),
            run.flow(),
            1,
            run.key(),
            RunStatus.RUNNING,
            List.of(run.fingerprint()),
            "{}",
            null,
            null,
            null,
            null,
            null,
            null,
            NOW,
            null,
            0,
            null,
            0,
            null,
            SearchFields.NONE);
  }

  private static NewRun run(long number) {
    String tenant = number % 2 == 0 ? "a" : "b";
    String key = "key-" + number;
    return new NewRun(
        number,
        RunId.of(tenant, "order", key, null),
        tenant,
        "order",
        1,
        key,
        Fingerprint.of("{}"),
        "{}",
        null);
  }

  private void begins(long number) {
    commit(new Head.Insert(run(number), 1L), List.of());
  }

  private void ends(long number) {
    commit(new Head.Owned(number, 1, 1), List.of(new Change.End(RunStatus.SUCCEEDED, "{}", null)));
  }

  private void commit(Head head, List<Change> changes) {
    feed.committed(
        new Batch(List.of(new Group(++next, NOW, head, changes, null)), Batch.USUAL_PATIENCE),
        List.of(new GroupAnswer.Landed(List.of(), List.of())));
  }

  private List<String> keys(RunFeed.Part part, String tenant) {
    return part.entries().stream()
        .map(feed::nameOf)
        .filter(name -> name != null && name.tenant().equals(tenant))
        .map(RunName::key)
        .toList();
  }

  @Test
  void many_readers_of_runs_that_began_here_read_nothing() throws Exception {
    long from = feed.newest();
    for (int i = 0; i < 100; i++) {
      begins(i);
      ends(i);
    }

    for (int reader = 0; reader < 50; reader++) {
      RunFeed.Part part = feed.after("a", from, LONG);
      assertThat(part.isComplete()).isTrue();
      assertThat(part.entries()).hasSize(100);
      assertThat(keys(part, "a")).hasSize(100).startsWith("key-0", "key-0", "key-2", "key-2");
    }
    assertThat(reads).hasValue(0);
  }

  @Test
  void a_run_from_before_is_read_once() throws Exception {
    long from = feed.newest();
    ends(2);
    ends(3);
    ends(99);

    for (int reader = 0; reader < 50; reader++) {
      RunFeed.Part part = feed.after("a", from, LONG);
      assertThat(keys(part, "a")).containsExactly("key-2");
      assertThat(keys(part, "b")).containsExactly("key-3");
    }
    assertThat(reads.get()).isEqualTo(2 + 100); // those that are gone are not remembered
  }

  /** More changes of others than the feed holds are no gap for a reader that waits. */
  @Test
  void a_reader_waits_through_the_changes_of_others() throws Exception {
    begins(0);
    begins(1);
    long from = feed.newest();
    var reader = new FutureTask<>(() -> feed.after("a", from, LONG));
    Thread.ofVirtual().start(reader);
    awaitSleep();
    int asleep = 0;
    for (int i = 1; i <= 25_000; i++) {
      ends(1);
      asleep += feed.asleep("a");
      if (i % 1_000 == 0) {
        awaitSleep();
      }
    }
    assertThat(asleep).as("it is woken seldom").isGreaterThan(10_000);
    assertThat(reader.isDone()).isFalse();

    ends(0);

    RunFeed.Part part = reader.get();
    assertThat(part.isComplete()).isTrue();
    assertThat(keys(part, "a")).containsExactly("key-0");
    assertThat(part.entries()).hasSize(1);
    assertThat(reads).hasValue(0);
  }

  private void awaitSleep() {
    while (feed.asleep("a") == 0) {
      LockSupport.parkNanos(100_000); // the test's own time limit ends this
    }
  }

  @Test
  void a_reader_that_was_away_for_too_long_learns_that_something_is_missing() throws Exception {
    begins(0);
    long from = feed.newest();
    for (int i = 0; i < 10_001; i++) {
      ends(0);
    }

    assertThat(feed.after("a", from, LONG).isComplete()).isFalse();
    assertThat(feed.after("b", from, LONG).isComplete()).isFalse();
    assertThat(feed.after("a", feed.newest() + 7, LONG).isComplete()).isFalse();
  }

  @Test
  void the_end_of_the_feed_ends_all_waits() throws Exception {
    long from = feed.newest();
    var reader = new FutureTask<>(() -> feed.after("a", from, LONG));
    Thread.ofVirtual().start(reader);
    awaitSleep();

    feed.close();

    assertThat(reader.get().entries()).isEmpty();
  }
}
