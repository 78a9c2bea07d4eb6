package dev.hapax.app.access;

import dev.hapax.app.http.PeerAddress;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Slows an address down that sends wrong tokens: each further one is answered later, and few wait
 * at once. A good token is never delayed, so no other caller behind the same address is locked out.
 * One wrong token is forgotten per second. Safe for many threads.
 */
final class WrongTokens implements Routes.Observer {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int MOST_WAITING = 16;
  private static final int MOST_KNOWN = 10_000;

  private final Ports ports;
  private final @Nullable Integer most;
  private final ConcurrentMap<String, Sender> senders = new ConcurrentHashMap<>();

  /**
   * The limit of a node.
   *
   * @param most how many of one address are answered at once; null for no limit
   */
  WrongTokens(Ports ports, @Nullable Integer most) {
    this.ports = ports;
    this.most = most;
  }

  /** An address that has sent wrong tokens. */
  private static final class Sender {
    private double wrong; // guarded by this
    private long since; // guarded by this
    private int waiting; // guarded by this

    /** Counts one more and returns how many are remembered. */
    synchronized double one(long now) {
      wrong = Math.max(0, wrong - (now - since) / 1e9) + 1;
      since = now;
      return wrong;
    }

    synchronized boolean begin() {
      return waiting < MOST_WAITING && ++waiting > 0;
    }

    synchronized void end() {
      waiting--;
    }
  }

  @Override
  public RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling) {
    RouteAnswer answer = handling.get();
    boolean isWrong = answer.status() == 401 && request.header("Authorization") != null;
    return isWrong && most != null ? slowed(request.remoteAddress(), answer, most) : answer;
  }

  private RouteAnswer slowed(String address, RouteAnswer answer, int free) {
    if (senders.size() >= MOST_KNOWN) {
      senders.clear(); // forgetting only lets them try again
    }
    Sender sender = senders.computeIfAbsent(PeerAddress.owner(address), _ -> new Sender());
    double wrong = sender.one(ports.clock().nanos());
    if (wrong <= free) {
      return answer;
    }
    if (!sender.begin()) {
      return Problem.rateLimited(
              "address %s has sent too many wrong tokens: use a good one, or try again later"
                  .formatted(address),
              LONGEST.toSeconds())
          .answer();
    }
    try {
      long nanos = Math.min((long) ((wrong - free) * STEP.toNanos()), LONGEST.toNanos());
      ports.threads().signal().await(Duration.ofNanos(nanos));
      return answer;
    } finally {
      sender.end();
    }
  }
}
