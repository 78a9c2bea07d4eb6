package dev.hapax.app;

import dev.hapax.app.dev.DevClock;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flows.FlowFiles;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server on a real SQLite file whose clock a test moves, and which can be killed: from that
 * moment on nothing of it reaches the file, and another one goes on with what is there.
 */
final class MortalServer implements AutoCloseable {
  private final Path folder;
  private final UnaryOperator<FlowFiles.Builder> files;
  final DevClock clock;
  private @Nullable Life life;
  TestServer server;

  MortalServer(Path folder, UnaryOperator<FlowFiles.Builder> files) throws IOException {
    this.folder = folder;
    this.files = files;
    this.clock = DevClock.open(Ports.system().clock(), folder.resolve("clock"));
    start();
  }

  private void start() throws IOException {
    Ports system = Ports.system();
    var ports = new Ports(clock, system.random(), system.threads());
    server =
        new TestServer(
            folder,
            Extras.with(files, ports, Companion.NONE).storedIn(store -> life = new Life(store)));
  }

  /** The process dies, and another one is started. */
  void kill() throws IOException {
    life().isDead = true;
    end();
    start();
  }

  /** The store of the server, which it has from its start on. */
  private Life life() {
    return Objects.requireNonNull(life);
  }

  private void end() {
    try {
      server.close();
    } catch (RuntimeException e) {
      // a process that is killed does not end in good order
    } finally {
      life().store.close();
    }
  }

  @Override
  public void close() {
    server.close();
  }

  /** The store as one process sees it. */
  private static final class Life extends ForwardingStore {
    private final Store store;
    private volatile boolean isDead;

    Life(Store store) {
      this.store = store;
    }

    @Override
    protected Store to() {
      if (isDead) {
        throw new StoreBroken("this process is dead", null);
      }
      return store;
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
