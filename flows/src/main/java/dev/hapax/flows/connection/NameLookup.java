package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names with the system's resolver. It blocks in native code for as long as a name server
 * wants, which would keep a carrier thread from all runs; so it works on platform threads, and the
 * attempt waits only for its own time. Safe for many threads.
 */
final class NameLookup implements AddressRule.Resolver {
  private static final int MOST_AT_ONCE = 64;

  private final Threads threads = Ports.system().threads();
  private final Semaphore free = new Semaphore(MOST_AT_ONCE);

  @Override
  public InetAddress[] resolve(String host, Duration atMost) throws UnknownHostException {
    InetAddress literal = literal(host);
    return literal != null ? new InetAddress[] {literal} : lookUp(host, atMost);
  }

  private static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private InetAddress[] lookUp(String host, Duration atMost) throws UnknownHostException {
    var lookup = new Lookup(host);
    Signal answered = threads.signal();
    try {
      if (!free.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw late(host, atMost);
      }
      threads.platform(
          "hapax-lookup",
          () -> {
            try {
              lookup.run();
            } finally {
              free.release();
              answered.raise();
            }
          });
      if (!answered.awaitInterruptibly(atMost)) {
        throw late(host, atMost);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotApplied("interrupted while host '%s' was looked up".formatted(host), e);
    }
    return lookup.result();
  }

  private static NotApplied late(String host, Duration atMost) {
    return new NotApplied(
        "the address of host '%s' was not found within %d ms".formatted(host, atMost.toMillis()));
  }

  private static final class Lookup {
    private final String host;
    private volatile InetAddress @Nullable [] found;
    private volatile @Nullable UnknownHostException failure;

    Lookup(String host) {
      this.host = host;
    }

    void run() {
      try {
        found = InetAddress.getAllByName(host);
      } catch (UnknownHostException e) {
        failure = e;
      }
    }

    InetAddress[] result() throws UnknownHostException {
      InetAddress[] all = found;
      if (all != null) {
        return all;
      }
      UnknownHostException why = failure;
      throw why == null ? new UnknownHostException(host) : why;
    }
  }
}
