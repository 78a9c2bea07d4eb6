package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Flow;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server one of whose threads has died says so and takes no more work. */
@Timeout(120)
class ServerThreadsTest {
  private static final Flow<Integer, Integer> FLOW =
      Flow.of("same", Integer.class, Integer.class).body((_, input) -> input);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hapax-erasure",
        "hapax-refusals",
        "hapax-review-notes",
        "hapax-search",
        "hapax-watch"
      })
  void a_thread_that_dies_of_an_error_closes_the_server_visibly(String name) throws Exception {
    try (var server = new TestServer(folder, deadly(name))) {
      while (server.get("/readyz").status() == 200 || server.hapax().isWritable()) {
        LockSupport.parkNanos(1_000_000); // the dying thread is about to report
      }

      assertThat(server.get("/readyz").status()).isEqualTo(503);
      assertThat(server.get("/readyz").raw().body()).contains("a thread of the server died");
      assertThatThrownBy(() -> server.hapax().start(FLOW, 1)).isInstanceOf(StoreBroken.class);
    }
  }

  private static Extras deadly(String name) throws IOException {
    Ports system = Ports.system();
    return Extras.with(
            UnaryOperator.identity(),
            new Ports(system.clock(), system.random(), new Deadly(system.threads(), name)),
            Companion.NONE)
        .storedIn(store -> new DeadlyStore(store, name));
  }

  private static void dieIn(String name) {
    if (Thread.currentThread().getName().equals(name)) {
      throw new NoClassDefFoundError("simulated");
    }
  }

  /** A store at whose reads the thread dies. */
  private static final class DeadlyStore extends ForwardingStore {
    private final Store store;
    private final String name;

    DeadlyStore(Store store, String name) {
      this.store = store;
      this.name = name;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      dieIn(name);
      return call.get();
    }
  }

  /** Threads, one of which dies when it waits. */
  private record Deadly(Threads threads, String name) implements Threads {
    @Override
    public Handle virtual(String called, Runnable body) {
      return threads.virtual(called, body);
    }

    @Override
    public Handle platform(String called, Runnable body) {
      return threads.platform(called, body);
    }

    @Override
    public Signal signal() {
      Signal signal = threads.signal();
      return new Signal() {
        @Override
        public void raise() {
          signal.raise();
        }

        @Override
        public boolean isRaised() {
          return signal.isRaised();
        }

        @Override
        public void await() {
          dieIn(name);
          signal.await();
        }

        @Override
        public boolean await(Duration atMost) {
          dieIn(name);
          return signal.await(atMost);
        }

        @Override
        public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
          dieIn(name);
          return signal.awaitInterruptibly(atMost);
        }
      };
    }
  }
}
