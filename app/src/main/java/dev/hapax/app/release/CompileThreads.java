package dev.hapax.app.release;

import dev.hapax.app.http.Problem;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The few threads that check and compile flow files. A large file takes seconds of a processor; on
 * a thread that answers requests it would hold up all others. Safe for many threads.
 */
final class CompileThreads {
  /** Larger files are few, have their own threads, and each may take some seconds. */
  private static final int LARGE = 32 << 10;

  /** Large files that wait for a thread or are on one. */
  private static final int MOST = 16;

  private static final int MOST_PER_TENANT = 4;

  /** Small files that do, of all tenants. */
  private static final int MOST_SMALL = 200;

  private static final long RETRY_SECONDS = 5;

  private final ThreadPoolExecutor large = threads("hapax-check-large", processorsForChecks());
  private final ThreadPoolExecutor small = threads("hapax-check", 1);
  private final ThreadPoolExecutor releases = threads("hapax-compile", 1);
  private final AtomicInteger all = new AtomicInteger();
  private final ConcurrentMap<String, Integer> perTenant = new ConcurrentHashMap<>();

  private static int processorsForChecks() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** They end when there is nothing to do. */
  private static ThreadPoolExecutor threads(String name, int most) {
    var threads =
        new ThreadPoolExecutor(
            most,
            most,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * Checks a file that someone has sent.
   *
   * @throws Problem if too many files wait already
   */
  <T> T check(String tenant, String text, Supplier<T> work) {
    if (text.length() > LARGE) {
      return checkLarge(tenant, work);
    }
    if (small.getQueue().size() >= MOST_SMALL) {
      throw full(MOST_SMALL);
    }
    return await(small.submit(work::get));
  }

  private <T> T checkLarge(String tenant, Supplier<T> work) {
    if (perTenant.merge(tenant, 1, Integer::sum) > MOST_PER_TENANT) {
      leave(tenant);
      throw Problem.rateLimited(
          "%d large flow files of this tenant are being checked. Send this one again when they are done."
              .formatted(MOST_PER_TENANT),
          RETRY_SECONDS);
    }
    try {
      if (all.incrementAndGet() > MOST) {
        throw full(MOST);
      }
      return await(large.submit(work::get));
    } finally {
      all.decrementAndGet();
      leave(tenant);
    }
  }

  private static Problem full(int files) {
    return Problem.unavailable(
            "%d flow files are being checked, and no more can wait. Send this one again in a few seconds."
                .formatted(files))
        .header("Retry-After", Long.toString(RETRY_SECONDS));
  }

  private void leave(String tenant) {
    perTenant.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Compiles a release that runs need; it is never refused, and does not wait behind checks. */
  <T> T compile(Supplier<T> work) {
    return await(releases.submit(work::get));
  }

  private static <T> T await(Future<T> work) {
    try {
      return work.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException reason -> throw reason;
        case Error reason -> throw reason;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException e) {
      work.cancel(true);
      Thread.currentThread().interrupt();
      throw Problem.unavailable("the server is stopping; send the file again");
    }
  }
}
