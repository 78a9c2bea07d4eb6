package dev.hapax.engine.parts;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.StoreBroken;
import dev.hapax.json.Text;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the threads of an engine, and those of a server. If such a thread ends before its time,
 * the guard reports it, and the engine is closed as broken. Otherwise the process would accept work
 * and do none of it.
 */
public final class ThreadGuard implements Threads {
  private static final Logger log = LoggerFactory.getLogger(ThreadGuard.class);

  private final Threads threads;
  private final Consumer<RuntimeException> broken;

  public ThreadGuard(Threads threads, Consumer<RuntimeException> broken) {
    this.threads = threads;
    this.broken = broken;
  }

  @Override
  public Handle platform(String name, Runnable body) {
    return threads.platform(name, () -> run(name, body));
  }

  @Override
  public Handle virtual(String name, Runnable body) {
    return threads.virtual(name, () -> run(name, body));
  }

  @Override
  public Signal signal() {
    return threads.signal();
  }

  @Override
  public void letOthersRun() {
    threads.letOthersRun();
  }

  @SuppressWarnings("CatchingThrowable")
  private void run(String name, Runnable body) {
    try {
      body.run();
    } catch (StoreBroken e) {
      broken.accept(e);
    } catch (NoAnswer e) {
      log.debug("{} has ended: {}", name, e.getMessage()); // it is closed, or asks again elsewhere
    } catch (ProcessGone e) {
      throw e;
    } catch (Throwable e) {
      broken.accept(new StoreBroken("the thread %s died: %s".formatted(name, Text.of(e)), e));
    }
  }
}
