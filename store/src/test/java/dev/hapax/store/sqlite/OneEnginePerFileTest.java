package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreRefused;
import dev.hapax.store.Store;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A live store belongs to its engine, also if its own process touches the files, and an engine that
 * has lost its file writes nothing.
 */
@Tag("crash")
class OneEnginePerFileTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("orders.db");
  }

  @Test
  void a_refused_second_open_does_not_let_another_process_in() throws Exception {
    try (Store store = Orders.open(file)) {
      assertThatThrownBy(() -> Orders.open(file)).isInstanceOf(StoreRefused.class);

      assertThat(openElsewhere(file)).startsWith("refused").contains("in use by another process");
      Orders.commit(store, Orders.start(1, "A-1"));
    }
  }

  @Test
  void reading_the_lock_file_does_not_let_another_process_in() throws Exception {
    try (Store store = Orders.open(file)) {
      assertThat(Files.readString(lock())).startsWith(ProcessHandle.current().pid() + " ");

      assertThat(openElsewhere(file)).startsWith("refused").contains("in use by another process");
      Orders.commit(store, Orders.start(1, "A-1"));
    }
  }

  @Test
  void a_store_that_was_closed_is_free_for_another_process() throws Exception {
    Orders.open(file).close();

    assertThat(openElsewhere(file)).isEqualTo("opened");
  }

  /** As in a container whose first process, or a shell, does not ask after those that ended. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void a_killed_owner_that_its_parent_has_not_asked_after_is_gone() throws Exception {
    Orders.open(file).close();
    Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
    try (var said = parent.inputReader()) {
      var owner = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
      Files.writeString(
          lock(), owner.pid() + " " + owner.info().startInstant().orElseThrow() + "\n");
      assertThatThrownBy(() -> Orders.open(file)).hasMessageContaining("pid " + owner.pid());

      owner.destroyForcibly();
      Path state = Path.of("/proc", Long.toString(owner.pid()), "stat");
      while (!Files.readString(state).contains(") Z ")) {
        Thread.onSpinWait();
      }

      Orders.open(file).close();
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void another_name_of_the_same_file_is_the_same_store() throws Exception {
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      Path other = Files.createLink(folder.resolve("other.db"), file);

      assertThatThrownBy(() -> Orders.open(other))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("in use by this process");
    }
  }

  @Test
  void an_engine_whose_file_another_process_has_opened_writes_nothing_more() throws Exception {
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      Files.writeString(lock(), ""); // whatever kept others out is gone

      assertThat(openElsewhere(file)).isEqualTo("opened");

      assertThatThrownBy(() -> Orders.commit(store, Orders.start(2, "A-2")))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("another process has opened");
      assertThatThrownBy(() -> store.find(Orders.id("A-1"))).isInstanceOf(StoreBroken.class);
    }
    try (Store store = Orders.open(file)) {
      assertThat(store.find(Orders.id("A-1"))).isNotNull();
      assertThat(store.find(Orders.id("A-2"))).isNull();
    }
  }

  @Test
  void a_store_file_that_was_deleted_acknowledges_nothing() throws Exception {
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      Files.delete(file);

      assertThatThrownBy(() -> store.holder(Orders.id("A-1")))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("deleted or replaced");
      assertThatThrownBy(() -> Orders.commit(store, Orders.start(2, "A-2")))
          .isInstanceOf(StoreBroken.class);
    }
  }

  @Test
  void a_store_file_that_was_replaced_acknowledges_nothing() throws Exception {
    Path other = folder.resolve("other.db");
    Orders.open(other).close();
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      Files.delete(file);
      Files.copy(other, file);

      assertThatThrownBy(() -> Orders.commit(store, Orders.start(2, "A-2")))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("deleted or replaced");
    }
  }

  @Test
  void a_wal_that_was_deleted_acknowledges_nothing() throws Exception {
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"));
      Files.delete(folder.resolve("orders.db-wal"));

      assertThatThrownBy(() -> Orders.commit(store, Orders.start(2, "A-2")))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("-wal was deleted or replaced");
    }
  }

  private Path lock() {
    return folder.resolve("orders.db.lock");
  }

  /** What a process hears that opens the store. */
  private String openElsewhere(Path store) throws IOException, InterruptedException {
    try (var child =
        ChildProcess.start(folder, Opener.class, List.of(), List.of(store.toString()))) {
      return child.awaitLine(line -> line.startsWith("opened") || line.startsWith("refused"), SOON);
    }
  }

  /** Opens the store and says how that went. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] args) {
      ChildProcess.endWithParent();
      try {
        Orders.open(Path.of(args[0])).close();
        System.out.println("opened");
      } catch (StoreRefused e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }
}
