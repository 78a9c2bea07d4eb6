package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreRestored;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that was restored or copied knows it, shows everything and sends nothing until a person
 * says what it is; and then nothing is done twice that was done since the copy.
 */
class RestoredStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;
  private final ManualTime time = new ManualTime();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private Path file;
  private Path backup;

  /** Sleeps, then sends a mail without a guard and two charges under a key. */
  private final Flow<String, String> order =
      Flow.of("order", String.class, String.class)
          .key(id -> id)
          .body(
              (run, id) -> {
                run.sleep("pause", Duration.ofMinutes(1));
                run.effect(
                    "late",
                    Effect.create(id).keyed(Duration.ofDays(7)),
                    _ -> send("late"),
                    String.class);
                run.effect(
                    "charge", Effect.create(id).keyed(HOUR), _ -> send("charge"), String.class);
                return run.effect(
                    "mail", Effect.notify(id).unguarded(), _ -> send("mail"), String.class);
              });

  private long sendsInCopy;

  private String send(String what) {
    sent.add(what);
    return what;
  }

  @BeforeEach
  void nameTheFiles() {
    file = folder.resolve("orders.db");
    backup = folder.resolve("backup.db");
  }

  private Hapax open(Path store) {
    Hapax hapax =
        Hapax.open(
            store,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(PATIENCE)
                .sendsInCopy(sendsInCopy));
    hapax.register(order);
    return hapax;
  }

  /** A backup with a run in its sleep; afterwards the run sends everything and ends. */
  private void backUpAndGoOn() {
    try (Hapax hapax = open(file)) {
      RunHandle<String> run = hapax.start(order, "A-1");
      eventually(() -> run.run().status() == RunStatus.WAITING);
      hapax.backup(backup);
      moveUntil(() -> run.run().status() == RunStatus.SUCCEEDED);
      assertThat(sent).containsExactly("late", "charge", "mail");
      sent.clear();
    }
    time.move(Duration.ofHours(2)); // the window of the charge is over
  }

  private void restoreBackup() throws IOException {
    Files.copy(backup, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void a_backup_in_the_place_of_its_store_is_read_and_sends_nothing() throws Exception {
    backUpAndGoOn();
    restoreBackup();

    for (int openings = 0; openings < 3; openings++) {
      try (Hapax hapax = open(file)) {
        assertThat(why(hapax)).isEqualTo(Restored.Why.BACKUP);
        assertThat(hapax.run(hapax.id("order", "A-1")).status()).isEqualTo(RunStatus.WAITING);
        assertThat(hapax.history(hapax.id("order", "A-1"))).isNotEmpty();
        hapax.inbox().source("shop", String.class, order, id -> id);
        assertThatThrownBy(() -> hapax.start(order, "A-2"))
            .isInstanceOf(StoreRestored.class)
            .hasMessageContaining("hapax restore --as production");
        assertThatThrownBy(() -> hapax.inbox().receive(Event.from("shop").id("evt").payload("A-3")))
            .isInstanceOf(StoreRestored.class);
        assertThatThrownBy(() -> hapax.cancel(hapax.id("order", "A-1"), "ann", null))
            .isInstanceOf(StoreRestored.class);
        for (int i = 0; i < 5; i++) {
          time.move(HOUR);
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        assertThat(sent).isEmpty();
      }
    }
  }

  @Test
  void as_production_what_was_sent_since_the_backup_is_in_doubt() throws Exception {
    backUpAndGoOn();
    restoreBackup();
    try (Hapax hapax = open(file)) {
      long id = storeId(hapax);

      hapax.restore(Restoration.PRODUCTION);

      String run = hapax.id("order", "A-1");
      moveUntil(() -> hapax.run(run).status() == RunStatus.REVIEW);
      assertThat(sent).containsExactly("late"); // its window is open, so the destination knows it
      var review = hapax.effects(hapax.effects().state(EffectState.REVIEW));
      assertThat(review).extracting(one -> one.key().name()).containsExactly("order/charge");
      assertThat(hapax.history(run))
          .anySatisfy(
              entry -> assertThat(entry.evidence()).isNotNull().contains("the store was restored"));
      assertThat(hapax.restored()).isNull();
      assertThat(storeId(hapax)).isEqualTo(id);
      assertThatThrownBy(() -> hapax.restore(Restoration.COPY))
          .isInstanceOf(IllegalStateException.class);
    }
    try (Hapax hapax = open(file)) {
      assertThat(hapax.restored()).isNull();
    }
  }

  @Test
  void a_run_that_is_started_long_after_is_in_no_doubt() throws Exception {
    backUpAndGoOn();
    restoreBackup();
    try (Hapax hapax = open(file)) {
      hapax.restore(Restoration.PRODUCTION);
      time.move(HOUR);

      RunHandle<String> fresh = hapax.start(order, "A-9");

      moveUntil(() -> fresh.run().status() == RunStatus.SUCCEEDED);
    }
  }

  @Test
  void a_scheduled_run_that_is_made_up_for_later_counts_by_its_own_time() throws Exception {
    Instant begin = time.now();
    backUpAndGoOn();
    restoreBackup();
    Flow<String, String> nightly =
        Flow.of("nightly", String.class, String.class)
            .body(
                (run, id) ->
                    run.effect(
                        "mail",
                        Effect.notify(run.key()).unguarded(),
                        _ -> send("nightly"),
                        String.class));
    try (Hapax hapax = open(file)) {
      hapax.register(nightly);
      hapax.restore(Restoration.PRODUCTION);
      time.move(HOUR);
      Instant lost = begin.plus(Duration.ofMinutes(30));

      RunHandle<String> missed = hapax.start(nightly, "x", "schedule/nightly/" + lost);
      RunHandle<String> next = hapax.start(nightly, "x", "schedule/nightly/" + time.now());

      eventually(() -> missed.run().status() == RunStatus.REVIEW);
      eventually(() -> next.run().status() == RunStatus.SUCCEEDED);
    }
  }

  @Test
  void a_copy_beside_its_original_is_another_store_once_it_is_said() throws Exception {
    backUpAndGoOn();
    Path staging = folder.resolve("staging.db");
    Files.copy(file, staging);
    try (Hapax original = open(file);
        Hapax copy = open(staging)) {
      assertThat(original.restored()).isNull();
      assertThat(why(copy)).isEqualTo(Restored.Why.MOVED);

      copy.restore(Restoration.COPY);

      assertThat(storeId(copy)).isNotEqualTo(storeId(original));
    }
    try (Hapax copy = open(staging)) {
      assertThat(copy.restored()).isNull();
    }
  }

  @Test
  void a_copy_sends_nothing_until_a_person_has_named_it() throws Exception {
    backUpAndGoOn();
    Path staging = folder.resolve("staging.db");
    Files.copy(backup, staging);
    Flow<String, String> put =
        Flow.of("put", String.class, String.class)
            .key(id -> id)
            .body(
                (run, id) ->
                    run.effect("put", Effect.create(id).upsert(), _ -> send(id), String.class));
    long id;
    try (Hapax copy = open(staging)) {
      copy.register(put);
      copy.restore(Restoration.COPY);
      id = storeId(copy);
      time.move(Duration.ofMinutes(10)); // what starts right after it is in doubt
      RunHandle<String> run = copy.start(put, "B-1");
      moveUntil(() -> run.run().status() == RunStatus.FAILED);
      assertThat(sent).isEmpty();
      Failure why = Objects.requireNonNull(run.run().error(), "why it failed");
      assertThat(why.code()).isEqualTo("not-applied");
      assertThat(why.message())
          .contains("this store is a copy of another", "sendsInCopy(%dL)".formatted(id));
    }
    sendsInCopy = id + 1; // of another copy
    try (Hapax copy = open(staging)) {
      copy.register(put);
      RunHandle<String> run = copy.start(put, "B-2");
      moveUntil(() -> run.run().status() == RunStatus.FAILED);
      assertThat(sent).isEmpty();
    }
    sendsInCopy = id;
    try (Hapax copy = open(staging)) {
      copy.register(put);
      copy.retry(copy.id("put", "B-1"), "ann");
      moveUntil(() -> copy.run(copy.id("put", "B-1")).status() == RunStatus.SUCCEEDED);
      assertThat(sent).contains("B-1");
    }
  }

  @Test
  void an_older_file_in_the_place_of_its_store_is_noticed() throws Exception {
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-1");
    }
    Files.copy(file, backup);
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-2");
    }
    restoreBackup();

    for (int openings = 0; openings < 5; openings++) {
      try (Hapax hapax = open(file)) {
        assertThat(why(hapax)).isEqualTo(Restored.Why.BEHIND);
      }
    }
  }

  @Test
  void an_older_file_is_noticed_also_if_the_store_was_never_closed_between() throws Exception {
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-1");
      for (String suffix : List.of("", "-wal")) {
        Files.copy(folder.resolve("orders.db" + suffix), folder.resolve("backup.db" + suffix));
      }
      time.move(Duration.ofMinutes(1));
      hapax.start(order, "A-2");
    }
    restoreBackup();
    Files.copy(
        folder.resolve("backup.db-wal"),
        folder.resolve("orders.db-wal"),
        StandardCopyOption.REPLACE_EXISTING);

    try (Hapax hapax = open(file)) {
      assertThat(hapax.restored()).isNotNull();
    }
  }

  @Test
  void another_store_in_its_place_is_noticed() throws Exception {
    Path other = folder.resolve("other.db");
    try (Hapax one = open(file);
        Hapax two = open(other)) {
      one.start(order, "A-1");
      two.start(order, "A-2");
    }
    Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);

    try (Hapax hapax = open(file)) {
      assertThat(why(hapax)).isEqualTo(Restored.Why.OTHER);
    }
  }

  @Test
  void a_new_store_where_another_was_is_new() throws Exception {
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-1");
    }
    Files.delete(file);

    try (Hapax hapax = open(file)) {
      assertThat(hapax.restored()).isNull();
      hapax.start(order, "A-2");
    }
    try (Hapax hapax = open(file)) {
      assertThat(hapax.restored()).isNull();
    }
  }

  @Test
  void a_crash_between_the_commit_and_the_epoch_file_is_no_restore() throws Exception {
    Path epoch = folder.resolve("orders.db.epoch");
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-1");
    }
    String before = Files.readString(epoch);
    try (Hapax hapax = open(file)) {
      hapax.start(order, "A-2");
      hapax.backup(backup);
    }
    Files.writeString(epoch, before);

    try (Hapax hapax = open(file)) {
      assertThat(hapax.restored()).isNull();
    }
  }

  private static Restored.Why why(Hapax hapax) {
    return Objects.requireNonNull(hapax.restored(), "it was not noticed").why();
  }

  private static long storeId(Hapax hapax) {
    return hapax.storeId();
  }

  /** Moves time when the engine is idle, so that no attempt under way runs into its timeout. */
  private void moveUntil(BooleanSupplier holds) {
    var looks = new AtomicInteger();
    eventually(
        () -> {
          int look = looks.getAndIncrement();
          boolean isIdle = look % 10 == 0 && time.isIdle();
          if (isIdle || look % 100 == 99) {
            time.move(Duration.ofSeconds(10));
          }
          return holds.getAsBoolean();
        });
  }

  private static void eventually(BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come within %s", PATIENCE).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }
}
