package dev.hapax.store;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds groups that wait for locks of other transactions, so that all other groups can go on. The
 * first of the groups that wait for the same lock is tried from time to time; when it has its lock,
 * all of them go on. Later groups of a run wait behind its first, because they land in order. Used
 * by the committer's thread alone.
 */
final class SideLine {
  /** How long a try of a group in here waits, at first and at most. */
  private static final Duration FIRST_PATIENCE = Duration.ofMillis(10);

  private static final Duration LONGEST_PATIENCE = Duration.ofMillis(100);

  /** After a failed try all others have the committer for ten times as long. */
  private static final int REST = 10;

  private static final int MOST_AT_ONCE = 64;

  private final Clock clock;
  private final Map<Obstacle, Waiting> waiting = new LinkedHashMap<>();

  /** The later groups of each run that has a group waiting for a lock. */
  private final Map<Long, Deque<Committer.Ticket>> behind = new HashMap<>();

  private long restsUntil;
  private int atOnce = 1;

  private static final class Waiting {
    private final Deque<Committer.Ticket> tickets = new ArrayDeque<>();
    private Duration patience = FIRST_PATIENCE;
  }

  SideLine(Clock clock) {
    this.clock = clock;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes a new group in if its obstacle is known. */
  boolean takes(Committer.Ticket ticket) {
    if (waiting.isEmpty()) {
      return false;
    }
    Group group = ticket.group();
    if (isBehind(group)) {
      follow(ticket);
      return true;
    }
    for (Obstacle known : Obstacle.before(group)) {
      Waiting line = waiting.get(known);
      if (line != null) {
        line.tickets.addLast(ticket);
        awaitOrder(group);
        return true;
      }
    }
    return false;
  }

  /** Takes in a group that a batch has answered as blocked. */
  void blocked(Committer.Ticket ticket, Obstacle obstacle) {
    if (isBehind(ticket.group())) {
      follow(ticket);
      return;
    }
    waiting.computeIfAbsent(obstacle, _ -> new Waiting()).tickets.addLast(ticket);
    awaitOrder(ticket.group());
    if (waiting.size() == 1) {
      restsUntil = clock.nanos() + FIRST_PATIENCE.toNanos();
    }
  }

  private boolean isBehind(Group group) {
    Long run = group.run();
    return run != null && behind.containsKey(run);
  }

  private void follow(Committer.Ticket ticket) {
    Long run = ticket.group().run();
    Deque<Committer.Ticket> followers = run == null ? null : behind.get(run);
    if (followers != null) {
      followers.addLast(ticket);
    }
  }

  private void awaitOrder(Group group) {
    Long run = group.run();
    if (run != null) {
      behind.put(run, new ArrayDeque<>(0));
    }
  }

  /** How long until the next try; zero if it is time. */
  Duration rest() {
    return Duration.ofNanos(Math.max(0, restsUntil - clock.nanos()));
  }

  /**
   * The groups to try now, each the first before its lock.
   *
   * @param patience of the batch that tries them
   */
  record Probe(Map<Obstacle, Committer.Ticket> first, Duration patience) {}

  /** Returns the groups to try; null if it is too early. */
  @Nullable Probe probe() {
    if (waiting.isEmpty() || !rest().isZero()) {
      return null;
    }
    Map<Obstacle, Committer.Ticket> first = new LinkedHashMap<>();
    Duration patience = FIRST_PATIENCE;
    for (var line : waiting.entrySet()) {
      if (first.size() == atOnce) {
        break;
      }
      first.put(line.getKey(), line.getValue().tickets.getFirst());
      Duration own = line.getValue().patience;
      patience = own.compareTo(patience) > 0 ? own : patience;
    }
    return new Probe(first, patience);
  }

  /** The try failed: its lock is tried again after all others. */
  void stillBlocked(Obstacle obstacle) {
    Waiting line = waiting.remove(obstacle);
    if (line != null) {
      restsUntil = clock.nanos() + line.patience.multipliedBy(REST).toNanos();
      Duration longer = line.patience.multipliedBy(2);
      line.patience = longer.compareTo(LONGEST_PATIENCE) < 0 ? longer : LONGEST_PATIENCE;
      waiting.put(obstacle, line);
      atOnce = 1;
    }
  }

  /** The first group has its lock; returns the groups that go on after it, in order. */
  List<Committer.Ticket> isFree(Obstacle obstacle) {
    Waiting line = waiting.remove(obstacle);
    if (line == null) {
      return List.of();
    }
    atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
    List<Committer.Ticket> free = new ArrayList<>();
    boolean isFirst = true;
    for (Committer.Ticket ticket : line.tickets) {
      if (!isFirst) {
        free.add(ticket);
      }
      isFirst = false;
      Long run = ticket.group().run();
      Deque<Committer.Ticket> followers = run == null ? null : behind.remove(run);
      if (followers != null) {
        free.addAll(followers);
      }
    }
    return free;
  }

  /** Removes and returns all waiting groups, in an order that keeps that of each run. */
  List<Committer.Ticket> leave() {
    List<Committer.Ticket> all = new ArrayList<>();
    for (var line : new LinkedHashMap<>(waiting).entrySet()) {
      all.add(line.getValue().tickets.getFirst());
      all.addAll(isFree(line.getKey()));
    }
    return all;
  }
}
