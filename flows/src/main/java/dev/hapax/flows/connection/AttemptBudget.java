package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time and the bytes that one attempt may use, in every protocol: from the resolution of the
 * name to the last byte of the answer. Used by the thread of the attempt; other threads may only
 * end it.
 */
final class AttemptBudget implements AutoCloseable {
  /** A thread that reads without blocking lets others run this often. */
  private static final long SLICE_NANOS = Duration.ofMillis(1).toNanos();

  /** A read that takes longer has blocked, and its thread has let others run. */
  private static final long BLOCKED_NANOS = 200_000;

  /** The engine stops waiting at the timeout; this attempt should know its outcome before. */
  private static final Duration MARGIN = Duration.ofMillis(500);

  private static final Clock CLOCK = Ports.system().clock();
  private static final Threads THREADS = Ports.system().threads();

  private final Duration timeout;
  private final long mostBytes;
  private final boolean isTimed;
  private final long endNanos;
  private final List<Deadlines.Watch> watches = new ArrayList<>(2);
  private final BulkReads bulk;
  private long bytes;
  private long readAt;
  private long receivedAt;
  private long busyNanos;
  // Guarded by this, as is the next one.
  private boolean isBulk;
  private boolean isEnded;

  private AttemptBudget(Duration timeout, long mostBytes, boolean isTimed, BulkReads bulk) {
    this.bulk = bulk;
    this.timeout = timeout;
    this.mostBytes = mostBytes;
    this.isTimed = isTimed;
    long now = isTimed ? CLOCK.nanos() : 0;
    Duration tenth = timeout.dividedBy(10);
    this.endNanos = now + timeout.minus(tenth.compareTo(MARGIN) < 0 ? tenth : MARGIN).toNanos();
    this.readAt = now;
    this.receivedAt = now;
  }

  /** Begins now. */
  static AttemptBudget begin(Duration timeout, long mostBytes) {
    return begin(timeout, mostBytes, BulkReads.OF_PROCESS);
  }

  static AttemptBudget begin(Duration timeout, long mostBytes, BulkReads bulk) {
    return new AttemptBudget(timeout, mostBytes, true, bulk);
  }

  /** For a simulated network, whose time is not this machine's. */
  static AttemptBudget untimed(Duration timeout) {
    return new AttemptBudget(timeout, Long.MAX_VALUE, false, BulkReads.OF_PROCESS);
  }

  boolean isOver() {
    return isTimed && CLOCK.nanos() - endNanos >= 0;
  }

  /**
   * Returns the time that is left before the first byte, at most this long.
   *
   * @throws NotApplied if there is none
   */
  Duration leftToConnect(Duration atMost) {
    Duration left = isTimed ? Duration.ofNanos(endNanos - CLOCK.nanos()) : timeout;
    if (left.compareTo(Duration.ofMillis(1)) < 0) {
      throw new NotApplied("nothing was sent: " + why());
    }
    return left.compareTo(atMost) < 0 ? left : atMost;
  }

  /** Returns the time that is left; zero if there is none. */
  Duration left() {
    long nanos = isTimed ? endNanos - CLOCK.nanos() : timeout.toNanos();
    return nanos <= 0 ? Duration.ZERO : Duration.ofNanos(nanos);
  }

  /** Closes the socket or session when the time is over. */
  synchronized void watch(Closeable socket) {
    if (isTimed) {
      watches.add(Deadlines.shared().watch(socket, endNanos));
    }
  }

  /** Called before every read. Not a timeout of the socket: a driver would just read again. */
  void demandTime() throws IOException {
    if (isTimed) {
      readAt = CLOCK.nanos();
      if (readAt - endNanos >= 0) {
        throw new IOException(why());
      }
    }
  }

  /** Called after every read. */
  void received(int read) throws IOException {
    bytes += Math.max(0, read);
    if (bytes > mostBytes) {
      throw new AnswerTooLarge("the destination sent more than %,d bytes".formatted(mostBytes));
    }
    if (isTimed) {
      long now = CLOCK.nanos();
      busyNanos += (now - readAt < BLOCKED_NANOS ? now : readAt) - receivedAt;
      receivedAt = now;
      if (busyNanos > SLICE_NANOS) {
        letOthersRun();
        busyNanos = 0;
      }
    }
  }

  private void letOthersRun() {
    long rest = isMuch() ? bulk.restAfter(busyNanos) : 0;
    if (rest == 0) {
      THREADS.letOthersRun();
    } else {
      THREADS.signal().await(Duration.ofNanos(rest));
    }
    receivedAt = CLOCK.nanos();
  }

  private synchronized boolean isMuch() {
    if (!isBulk && !isEnded && bytes > BulkReads.MUCH) {
      isBulk = true;
      bulk.begin();
    }
    return isBulk;
  }

  /** Returns what a failure means: a socket that was closed at the deadline only says "closed". */
  IOException explained(IOException failure) {
    return isOver() ? new IOException(why(), failure) : failure;
  }

  /** Explains a failure before the first byte. */
  @Nullable String whyIfOver() {
    return isOver() ? why() : null;
  }

  private String why() {
    return "the attempt took longer than its timeout of %s ms".formatted(timeout.toMillis());
  }

  @Override
  public void close() {
    end();
  }

  /** The attempt is over; its sockets may be used by others. */
  synchronized void end() {
    if (isBulk) {
      isBulk = false;
      bulk.end();
    }
    isEnded = true;
    watches.forEach(Deadlines.shared()::forget);
    watches.clear();
  }
}
