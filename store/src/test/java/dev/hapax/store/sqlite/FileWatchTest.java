package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00.5Z");

  @TempDir Path folder;
  private Path database;
  private Path wal;

  @BeforeEach
  void writeFiles() throws IOException {
    database = Files.writeString(folder.resolve("orders.db"), "database");
    wal = Files.writeString(folder.resolve("orders.db-wal"), "wal");
  }

  private FileWatch watch() {
    var watch = new FileWatch(database);
    watch.begin();
    return watch;
  }

  @Test
  void writes_to_the_files_and_other_files_in_the_folder_are_no_problem() throws IOException {
    FileWatch watch = watch();
    assertThat(watch.problem()).isNull();
    Files.writeString(wal, "longer than before");
    Files.writeString(folder.resolve("orders.db.epoch"), "7");

    assertThat(watch.problem()).isNull();
    assertThat(watch.problem()).isNull();
  }

  /** Some file systems give changes that follow each other at once the same time. */
  @RepeatedTest(100)
  void a_file_that_is_deleted_right_after_another_change_is_missed() throws IOException {
    FileWatch watch = watch();
    assertThat(watch.problem()).isNull();
    Files.createFile(folder.resolve("another"));
    assertThat(watch.problem()).isNull();
    Files.delete(wal);

    assertThat(watch.problem()).contains("orders.db-wal was deleted or replaced");
  }

  @Test
  void a_file_that_is_replaced_in_a_folder_without_other_changes_is_missed() throws IOException {
    Path copy = Files.copy(database, folder.resolve("copy.db"));
    Files.setLastModifiedTime(folder, FileTime.from(LONG_AGO));
    FileWatch watch = watch();
    assertThat(watch.problem()).isNull();
    assertThat(watch.problem()).isNull();
    Files.move(copy, database, StandardCopyOption.REPLACE_EXISTING);

    assertThat(watch.problem()).contains("orders.db was deleted or replaced");
  }

  /** A file system that knows only whole seconds shows no change within one of them. */
  @Test
  void a_folder_with_a_time_of_whole_seconds_is_not_trusted() throws IOException {
    FileTime second = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    Files.setLastModifiedTime(folder, second);
    FileWatch watch = watch();
    assertThat(watch.problem()).isNull();
    Files.delete(database);
    Files.setLastModifiedTime(folder, second);

    assertThat(watch.problem()).contains("orders.db was deleted or replaced");
  }

  @Test
  void a_folder_that_was_moved_away_is_missed(@TempDir Path other) throws IOException {
    Files.setLastModifiedTime(folder, FileTime.from(LONG_AGO));
    FileWatch watch = watch();
    assertThat(watch.problem()).isNull();
    Path moved = other.resolve("moved");
    Files.move(folder, moved);
    try {
      assertThat(watch.problem()).contains("deleted or replaced");
    } finally {
      Files.move(moved, folder);
    }
  }
}
