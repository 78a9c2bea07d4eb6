package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.StoreBroken;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Refused;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import dev.hapax.time.Ports;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How the SQLite store behaves around its file: errors, keys on their way into the index, backup,
 * close.
 */
class SqliteStoreTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("orders.db");
  }

  @Test
  void a_group_whose_data_is_refused_takes_no_other_group_with_it() {
    try (Store store = Orders.open(file())) {

      List<GroupAnswer> answers =
          Orders.commit(
              store,
              Orders.start(1, "A-1"),
              Orders.start(2, "A-\0"),
              Orders.start(3, "A-3"),
              Orders.start(3, "A-4")); // the number of another run

      assertThat(answers.get(0)).isInstanceOf(Landed.class);
      assertThat(answers.get(1)).isInstanceOf(Refused.class);
      assertThat(answers.get(2)).isInstanceOf(Landed.class);
      assertThat(answers.get(3)).isInstanceOf(Refused.class);
      assertThat(store.runs(RunFilter.of("acme")))
          .extracting(Run::key)
          .containsExactly("A-3", "A-1");
      assertThat(store.effect(Orders.effectKey("A-4"))).isNull();
    }
  }

  @Test
  void a_key_stays_taken_wherever_it_is_kept() {
    try (Store store = Orders.openWithSmallGenerations(file())) {
      for (long number = 1; number <= 50; number++) {
        Orders.commit(store, Orders.start(number, "A-" + number));
      }

      for (long number = 1; number <= 50; number++) {
        GroupAnswer again =
            Orders.commit(store, Orders.start(1000 + number, "A-" + number)).getFirst();

        assertThat(again).isInstanceOf(GroupAnswer.Exists.class);
      }
      assertThat(store.runs(RunFilter.of("acme"))).hasSize(50);
    }
  }

  @Test
  void a_key_stays_taken_when_the_store_is_opened_again() {
    for (long number = 1; number <= 30; number++) {
      try (Store store = Orders.openWithSmallGenerations(file())) {
        Orders.commit(store, Orders.start(number, "A-" + number));
      }
    }

    try (Store store = Orders.openWithSmallGenerations(file())) {

      for (long number = 1; number <= 30; number++) {
        Run run = store.find(Orders.id("A-" + number));
        assertThat(run).isNotNull().extracting(Run::number).isEqualTo(number);
        assertThat(store.effect(Orders.effectKey("A-" + number))).isNotNull();
      }
    }
  }

  @Test
  void a_run_that_comes_late_with_an_old_number_is_found_after_opening_again() {
    try (Store store = Orders.openWithSmallGenerations(file())) {
      for (long number = 1001; number <= 1100; number++) {
        Orders.commit(store, Orders.start(number, "A-" + number));
      }

      Orders.commit(store, Orders.start(7, "late"));
    }

    try (Store store = Orders.openWithSmallGenerations(file())) {
      assertThat(store.find(Orders.id("late"))).isNotNull();
      assertThat(store.effect(Orders.effectKey("late"))).isNotNull();
    }
  }

  @Test
  void a_key_of_a_group_that_was_rolled_back_is_free() {
    try (Store store = Orders.openWithSmallGenerations(file())) {
      Group good = Orders.start(1, "A-1");
      Group bad = Orders.start(2, "A-2", "{\"text\":\"\0\"}");
      Orders.commit(store, good, bad);

      GroupAnswer corrected = Orders.commit(store, Orders.start(3, "A-2")).getFirst();

      assertThat(corrected)
          .isEqualTo(new Landed(List.of(new ClaimAnswer.Granted(3, 1)), List.of()));
    }
  }

  @Test
  void what_was_acknowledged_is_found_while_its_key_moves_into_the_index() throws Exception {
    try (Store store = Orders.openWithSmallGenerations(file())) {
      var acknowledged = new AtomicLong();
      var stopped = new AtomicBoolean();
      var missed = new AtomicReference<String>();
      var readersEnded = new CountDownLatch(4);
      for (int reader = 0; reader < 4; reader++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!stopped.get()) {
                    long newest = acknowledged.get();
                    for (long number = Math.max(1, newest - 20); number <= newest; number++) {
                      if (store.find(Orders.id("A-" + number)) == null) {
                        missed.set("A-" + number);
                      }
                    }
                  }
                  readersEnded.countDown();
                });
      }

      for (long number = 1; number <= 1000; number++) {
        Orders.commit(store, Orders.start(number, "A-" + number));
        acknowledged.set(number);
      }
      stopped.set(true);
      readersEnded.await();

      assertThat(missed).hasValue(null);
    }
  }

  @Test
  void a_backup_of_a_live_store_is_a_store() {
    Path backup = folder.resolve("backup.db");
    try (Store store = Orders.openWithSmallGenerations(file())) {
      for (long number = 1; number <= 20; number++) {
        Orders.commit(store, Orders.start(number, "A-" + number));
      }

      store.backup(backup, Orders.AT);

      Orders.commit(store, Orders.start(21, "A-21"));
    }
    try (Store copy = Orders.openWithSmallGenerations(backup)) {
      assertThat(copy.find(Orders.id("A-20"))).isNotNull();
      assertThat(copy.find(Orders.id("A-21"))).isNull();
      assertThat(Orders.commit(copy, Orders.start(22, "A-1")).getFirst())
          .isInstanceOf(GroupAnswer.Exists.class);
    }
  }

  @Test
  void a_backup_replaces_no_file() throws Exception {
    Path backup = Files.writeString(folder.resolve("backup.db"), "precious");
    try (Store store = Orders.open(file())) {

      assertThatThrownBy(() -> store.backup(backup, Orders.AT))
          .hasRootCauseInstanceOf(FileAlreadyExistsException.class);

      assertThat(backup).hasContent("precious");
    }
  }

  @Test
  void a_damaged_page_breaks_the_store_for_good() throws Exception {
    try (Store store = Orders.open(file())) {
      List<Group> groups = new ArrayList<>();
      for (long number = 1; number <= 2000; number++) {
        groups.add(Orders.start(number, "A-" + number));
      }
      store.commit(new Batch(groups));
    }
    try (Store store = Orders.open(file())) {
      try (var content = new RandomAccessFile(file().toFile(), "rw")) {
        content.seek(4096 * 40);
        content.write(new byte[(int) content.length() - 4096 * 40]);
      }

      assertThatThrownBy(() -> store.runs(RunFilter.of("acme"))).isInstanceOf(StoreBroken.class);
      assertThatThrownBy(() -> store.find(Orders.id("A-1"))).isInstanceOf(StoreBroken.class);
      assertThatThrownBy(() -> Orders.commit(store, Orders.start(5000, "A-5000")))
          .isInstanceOf(StoreBroken.class);
    }
  }

  @Test
  void the_newest_time_survives_give_or_take_ten_seconds() {
    try (Store store = Orders.open(file())) {
      Orders.commit(store, Orders.start(1, "A-1"));
      assertThat(store.newestAt()).isEqualTo(Orders.AT);
    }

    try (Store store = Orders.open(file())) {
      assertThat(store.newestAt()).isEqualTo(Orders.AT);
    }
  }

  @Test
  void the_newest_time_is_not_before_that_of_any_number_so_that_none_is_made_twice() {
    Instant later = Orders.AT.plusSeconds(3);
    long number = new IdSource(Ports.system().clock(), later, 0).next();
    try (Store store = Orders.open(file())) {
      Orders.commit(store, Orders.start(1, "A-1"), Orders.start(number, "A-2"));
    }

    try (Store store = Orders.open(file())) {
      assertThat(store.newestAt()).isAfterOrEqualTo(IdSource.timeOf(number));
    }
  }

  @Test
  void a_closed_store_says_so_and_can_be_closed_again() {
    Store store = Orders.open(file());
    store.close();
    store.close();

    assertThatThrownBy(() -> store.find(Orders.id("A-1"))).hasMessageContaining("closed");
    assertThatThrownBy(() -> Orders.commit(store, Orders.start(1, "A-1")))
        .hasMessageContaining("closed");
  }
}
