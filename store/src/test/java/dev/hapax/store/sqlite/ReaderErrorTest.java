package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreBroken;
import dev.hapax.run.KeyHolder;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread that reads the store does not die in silence. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReaderErrorTest {
  @TempDir Path folder;

  /** A store whose lookups of a run meet an error on the reader's thread. */
  private static final class FailingReader extends ForwardingStore {
    private final SqliteStore store;

    FailingReader(SqliteStore store) {
      this.store = store;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    public @Nullable KeyHolder holder(RunId id) {
      return this.<@Nullable KeyHolder>call("holder", () -> store.read(_ -> fail()));
    }

    private static @Nullable KeyHolder fail() {
      throw new NoClassDefFoundError("made up on " + Thread.currentThread().getName());
    }
  }

  @Test
  void an_error_on_a_readers_thread_closes_the_engine() throws Exception {
    BlockingQueue<RuntimeException> heard = new LinkedBlockingQueue<>();
    var sqlite = new SqliteStore(folder.resolve("orders.db"), Ports.system().threads());
    try (Hapax engine =
        Hapax.open(
            new FailingReader(sqlite),
            HapaxOptions.DEFAULT.closeWithin(Duration.ZERO).whenBroken(heard::add))) {
      String id = engine.id("none", "A");

      assertThatThrownBy(() -> engine.run(id)).isInstanceOf(StoreBroken.class);

      assertThat(engine.isWritable()).isFalse();
      assertThat(heard.poll(10, TimeUnit.SECONDS))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("made up on hapax-reader-");
    }
  }
}
