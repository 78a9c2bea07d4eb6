package dev.hapax.app.http;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * All connections. If there are too many, those whose peers have been silent for longest make room
 * for new ones, so that silent peers keep no other out. A new connection that finds none to replace
 * gets a refusal for its first request.
 *
 * <p>Also disconnects peers that send a request byte by byte: each byte keeps a connection from
 * being idle, so the idle timeout alone never ends it.
 */
final class Peers implements Connection.Listener {
  private static final int LOOKS = 6;
  private static final int DRIPS = 3;
  private static final long LEAST_SILENCE = Duration.ofMillis(100).toNanos();

  /** Beyond the limit so many are refused with an answer; yet more are just disconnected. */
  private static final int REFUSED_PART = 4;

  private static final Duration REFUSED_SILENCE = Duration.ofSeconds(2);

  private final Map<Connection, ConnectedPeer> all = new ConcurrentHashMap<>();
  private final Map<String, Set<ConnectedPeer>> ofOwners = new ConcurrentHashMap<>();
  private final AtomicLong replaced = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Scheduler scheduler;
  private final PeerLimits limits;

  Peers(Scheduler scheduler, PeerLimits limits) {
    this.scheduler = scheduler;
    this.limits = limits;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Begins to look for peers that drip, several times within the idle timeout. */
  void start() {
    scheduler.schedule(this::look, limits.silence().toMillis() / LOOKS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    long now = System.nanoTime();
    for (ConnectedPeer peer : all.values()) {
      if (peer.drips(now) >= DRIPS) {
        peer.disconnect();
      }
    }
    if (scheduler.isRunning()) {
      start();
    }
  }

  /** Returns the peer of a connection; null if it has just gone. */
  @Nullable ConnectedPeer of(Connection connection) {
    return all.get(connection);
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection) {
      return; // carries the one that is counted
    }
    var peer = new ConnectedPeer(connection);
    all.put(connection, peer);
    Set<ConnectedPeer> siblings =
        ofOwners.compute(
            peer.owner(),
            (_, known) -> {
              Set<ConnectedPeer> set = known == null ? ConcurrentHashMap.newKeySet() : known;
              set.add(peer);
              return set;
            });
    Integer perAddress = limits.connectionsPerAddress();
    if (perAddress != null && siblings.size() > perAddress) {
      makeRoom(peer, siblings, perAddress, tooManyOfOne(perAddress));
    } else if (all.size() > limits.connections()) {
      makeRoom(peer, all.values(), limits.connections(), tooMany());
    }
  }

  private void makeRoom(
      ConnectedPeer fresh, Collection<ConnectedPeer> among, int most, Problem refusal) {
    long now = System.nanoTime();
    List<Silent> silent =
        among.stream()
            .filter(peer -> peer != fresh)
            .map(peer -> new Silent(peer, peer.silentFor(now)))
            .filter(one -> one.nanos() > LEAST_SILENCE)
            .sorted(Comparator.comparingLong(Silent::nanos).reversed())
            .limit(1 + most / 20) // some more, so that not every connection looks through all
            .toList();
    silent.forEach(one -> one.peer().disconnect());
    replaced.addAndGet(silent.size());
    if (silent.isEmpty()) {
      refused.incrementAndGet();
      fresh.refuse(refusal);
      fresh.endIfSilentFor(REFUSED_SILENCE);
      if (among.size() > most + Math.max(1, most / REFUSED_PART)) {
        fresh.disconnect();
      }
    }
  }

  private record Silent(ConnectedPeer peer, long nanos) {}

  private static Problem tooManyOfOne(int most) {
    return Problem.rateLimited(
            "your address has %,d connections, which is the most: close some, or reuse them"
                .formatted(most),
            1)
        .header("Connection", "close");
  }

  private static Problem tooMany() {
    return Problem.unavailable("the server has too many connections: try again soon")
        .header("Connection", "close");
  }

  /** Returns how many silent peers have made room for others. */
  long replaced() {
    return replaced.get();
  }

  /** Returns how many connections were refused. */
  long refused() {
    return refused.get();
  }

  @Override
  public void onClosed(Connection connection) {
    ConnectedPeer peer = all.remove(connection);
    if (peer != null) {
      ofOwners.computeIfPresent(
          peer.owner(),
          (_, siblings) -> {
            siblings.remove(peer);
            return siblings.isEmpty() ? null : siblings;
          });
    }
  }
}
