package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.Store;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are opened as a store, and which are refused and left as they are. */
class SqliteFileTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("orders.db");
  }

  @Test
  void a_second_open_in_this_process_is_refused() {
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));

      assertThatThrownBy(() -> Orders.open(file))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("in use by this process (pid " + ProcessHandle.current().pid());
      assertThat(store.find(Orders.id("A-1"))).isNotNull();
    }
  }

  @Test
  void a_store_that_another_process_holds_is_refused_until_that_process_is_gone() throws Exception {
    try (var child = holder()) {
      String pid = child.awaitLine(line -> line.startsWith("pid "), SOON);
      child.awaitLine("held"::equals, SOON);

      assertThatThrownBy(() -> Orders.open(file))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("(" + pid + ")");
      child.kill();

      Orders.open(file).close();
    }
  }

  @Test
  void what_was_acknowledged_before_a_kill_is_there_after_it() throws Exception {
    try (var child = holder()) {
      child.awaitLine("held"::equals, SOON);
      child.awaitLine("committed 500"::equals, SOON);
      child.kill();
      long last = child.lines().stream().filter(line -> line.startsWith("committed ")).count();

      try (Store store = Orders.open(file)) {

        assertThat(last).isGreaterThanOrEqualTo(500);
        for (long number = 1; number <= last; number++) {
          assertThat(store.find(Orders.id("A-" + number))).as("run %d", number).isNotNull();
          assertThat(store.effect(Orders.effectKey("A-" + number))).isNotNull();
        }
      }
    }
  }

  private ChildProcess holder() throws IOException {
    return ChildProcess.start(folder, Holder.class, List.of(), List.of(file.toString()));
  }

  /** Holds the store, and commits to it until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) {
      ChildProcess.endWithParent();
      System.out.println("pid " + ProcessHandle.current().pid());
      try (Store store = Orders.openWithSmallGenerations(Path.of(args[0]))) {
        System.out.println("held");
        for (long number = 1; ; number++) {
          Orders.commit(store, Orders.start(number, "A-" + number));
          System.out.println("committed " + number);
        }
      }
    }
  }

  @Test
  void a_file_that_is_no_database_is_refused_and_unchanged() throws Exception {
    Files.writeString(file, "dear diary, ".repeat(100));

    assertRefusedAndUnchanged("is not a SQLite database");
  }

  @Test
  void a_file_that_is_too_short_for_a_database_is_refused_and_unchanged() throws Exception {
    Files.writeString(file, "SQLite format 3\0");

    assertRefusedAndUnchanged("is not a SQLite database");
  }

  @Test
  void a_database_of_another_program_is_refused_and_unchanged() throws Exception {
    sql("CREATE TABLE diary (page TEXT)");

    assertRefusedAndUnchanged("of another program");
  }

  @Test
  void a_store_of_a_newer_hapax_is_refused_and_unchanged() throws Exception {
    Orders.open(file).close();
    sql("INSERT INTO migration (number, name, checksum) VALUES (999, 'future', 'x')");

    assertRefusedAndUnchanged("written by a newer Hapax");
  }

  @Test
  void a_store_with_another_history_of_migrations_is_refused_and_unchanged() throws Exception {
    Orders.open(file).close();
    sql("UPDATE migration SET checksum = 'x' WHERE number = 1");

    assertRefusedAndUnchanged("migration 1 'meta' of the store differs from the one in this Hapax");
  }

  private void assertRefusedAndUnchanged(String reason) throws IOException {
    byte[] before = Files.readAllBytes(file);

    assertThatThrownBy(() -> Orders.open(file))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining(reason);

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void damage_that_an_unclean_stop_left_is_refused() throws Exception {
    Path copy = folder.resolve("copy.db");
    try (Store store = Orders.open(file)) {
      for (long number = 1; number <= 300; number++) {
        Orders.commit(store, Orders.start(number, "A-" + number));
      }
      checkpoint();
      Orders.commit(store, Orders.start(301, "A-301"));
      copyUnclosed(copy);
    }
    try (var content = new RandomAccessFile(copy.toFile(), "rw")) {
      content.seek(content.length() / 2);
      content.write(new byte[16_384]);
    }

    assertThatThrownBy(() -> Orders.open(copy))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("estore the last backup");
  }

  @Test
  void after_an_unclean_stop_the_wal_is_written_back_before_anything_else() throws Exception {
    Path copy = folder.resolve("copy.db");
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      copyUnclosed(copy);
    }

    try (Store store = Orders.open(copy)) {

      assertThat(store.find(Orders.id("A-1"))).isNotNull();
      file = Files.copy(copy, folder.resolve("without-wal.db"));
      try (Connection connection = SqliteConnections.plain(file)) {
        assertThat(SqliteConnections.number(connection, "SELECT count(*) FROM run")).isEqualTo(1);
      }
    }
  }

  @Test
  void an_empty_file_becomes_a_store() throws Exception {
    Files.createFile(file);

    try (Store store = Orders.open(file)) {

      assertThat(Orders.commit(store, Orders.start(1, "A-1"))).hasSize(1);
    }
  }

  @Test
  void a_path_with_signs_that_mean_something_in_a_url_is_a_path() {
    file = folder.resolve("orders?mode=memory&100%25 #1.db");

    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
    }

    assertThat(file).isNotEmptyFile();
    try (Store store = Orders.open(file)) {
      assertThat(store.find(Orders.id("A-1"))).isNotNull();
    }
  }

  @Test
  void a_link_to_a_store_is_the_same_store() throws Exception {
    try (Store store = Orders.open(file)) {
      Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);

      assertThatThrownBy(() -> Orders.open(link))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("in use");
      assertThat(store.find(Orders.id("A-1"))).isNull();
    }
  }

  @Test
  void a_folder_is_refused() {
    assertThatThrownBy(() -> Orders.open(folder))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("is a folder");
  }

  @Test
  void a_folder_that_is_missing_is_named() {
    assertThatThrownBy(() -> Orders.open(folder.resolve("none").resolve("orders.db")))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("folder " + folder.resolve("none") + " does not exist");
  }

  @Test
  void a_writer_loses_nothing_in_a_power_cut() throws Exception {
    Orders.open(file).close();

    try (Connection connection = SqliteConnections.writer(file)) {

      assertThat(SqliteConnections.text(connection, "PRAGMA journal_mode")).isEqualTo("wal");
      assertThat(SqliteConnections.number(connection, "PRAGMA synchronous")).isEqualTo(2);
      assertThat(SqliteConnections.number(connection, "PRAGMA foreign_keys")).isEqualTo(1);
      assertThat(SqliteConnections.number(connection, "PRAGMA mmap_size")).isIn(0L, null);
      assertThat(SqliteConnections.number(connection, "PRAGMA busy_timeout")).isEqualTo(5000);
    }
  }

  @Test
  void a_reader_cannot_write() throws Exception {
    Orders.open(file).close();

    try (Connection connection = SqliteConnections.reader(file)) {

      assertThatThrownBy(() -> SqliteConnections.run(connection, "DELETE FROM meta"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("readonly");
    }
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection = SqliteConnections.plain(file)) {
      SqliteConnections.run(connection, statement);
    }
  }

  private void checkpoint() throws SQLException {
    try (Connection connection = SqliteConnections.writer(file)) {
      Checkpoints.truncate(connection);
    }
  }

  /** The files as a crash at this moment would leave them. */
  private void copyUnclosed(Path copy) throws IOException {
    Files.copy(file, copy);
    Files.copy(wal(file), wal(copy));
  }

  private static Path wal(Path database) {
    return database.resolveSibling(database.getFileName() + "-wal");
  }
}
