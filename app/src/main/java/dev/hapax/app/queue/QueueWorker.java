package dev.hapax.app.queue;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.json.Text;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one queue on this node, on its own thread, until it is stopped. */
final class QueueWorker {
  private static final Logger log = LoggerFactory.getLogger(QueueWorker.class);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofMillis(500);
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(250);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(15);
  private static final Duration COUNT = Duration.ofSeconds(10);

  private final QueueKey key;
  private final Opening opening;
  private final MessageReceiver receiver;
  private final MessageRoom room;
  private final Hindrance hindrance;
  private final QueueFigures figures;
  private final Ports ports;
  private final Signal stop;
  private final Signal stopped;
  private @Nullable QueueConsumer consumer;
  private @Nullable Connection connection; // of the consumer
  private long countedAt;
  private long comparedAt;
  private int failures;

  /** Opens the consumers of the queue. */
  interface Opening {
    /** Returns the connection as it is now. */
    Connection connection();

    QueueConsumer open(Connection connection) throws Exception;

    /** Returns words of a broker without secrets. */
    String shown(String words);
  }

  /** What a consumer does while nothing may be read. */
  enum Stance {
    /** It is closed. */
    LEAVES,
    /** The broker is told that it is still there, and gets back what it has sent ahead. */
    KEEPS,
    /** The same, but what the broker has sent ahead stays: reading goes on soon. */
    HOLDS
  }

  /** Why nothing may be read now. */
  record Obstacle(String words, Stance stance) {}

  /** Says why nothing may be read now. */
  @FunctionalInterface
  interface Hindrance {
    /** Returns null if nothing is in the way. */
    @Nullable Obstacle now();
  }

  QueueWorker(
      QueueKey key,
      Opening opening,
      MessageReceiver receiver,
      MessageRoom room,
      Hindrance hindrance,
      QueueFigures figures,
      Ports ports) {
    this.key = key;
    this.opening = opening;
    this.receiver = receiver;
    this.room = room;
    this.hindrance = hindrance;
    this.figures = figures;
    this.ports = ports;
    this.stop = ports.threads().signal();
    this.stopped = ports.threads().signal();
  }

  /**
   * Begins.
   *
   * @param before the worker that this one replaces; two releases never read at the same time
   */
  void start(@Nullable QueueWorker before) {
    ports
        .threads()
        .virtual(
            "hapax-queue-" + key.name(),
            () -> {
              try {
                if (before != null) {
                  before.stopped.await();
                }
                work();
              } finally {
                stopped.raise();
              }
            });
  }

  /** Reads no further batch; the one under way is finished. */
  void stop() {
    stop.raise();
  }

  /** Waits until it has stopped, at most this long. */
  boolean awaitEnd(Duration atMost) {
    return stopped.await(atMost);
  }

  private void work() {
    countedAt = ports.clock().nanos() - COUNT.toNanos();
    while (!stop.isRaised()) {
      Duration pause;
      try {
        pause = look();
      } catch (Exception | Error e) { // whatever it was: the messages come again
        if (NoAnswer.behind(e) == null) { // of the store: the consumer itself is well
          close();
        }
        countAnyway();
        tell(Text.messageOf(e), e);
        pause = backoff(failures++);
      }
      rest(pause);
    }
    close();
  }

  /** Waits, and lets the broker know meanwhile that this consumer is there. */
  private void rest(Duration pause) {
    long end = ports.clock().nanos() + pause.toNanos();
    long left = pause.toNanos();
    while (left > 0 && !stop.await(Duration.ofNanos(Math.min(left, LOOK.toNanos())))) {
      left = end - ports.clock().nanos();
      QueueConsumer open = consumer;
      if (open != null && left > 0) {
        try {
          open.keep();
        } catch (Exception | Error e) {
          close();
          tell(Text.messageOf(e), e);
        }
      }
    }
  }

  /** Reads a batch, and returns how long to wait before the next one. */
  private Duration look() throws Exception {
    Obstacle inTheWay = hindrance.now();
    if (inTheWay != null && inTheWay.stance() == Stance.LEAVES) {
      close();
      figures.lag(null);
      figures.problem(inTheWay.words());
      return LOOK;
    }
    if (inTheWay != null) {
      figures.problem(inTheWay.words());
      keepPaused(inTheWay.stance());
      return LOOK;
    }
    QueueConsumer reading = current();
    long before = ports.clock().nanos();
    QueueConsumer.Polled polled = reading.poll(LOOK, batch -> room.receive(batch, receiver));
    figures.heard(reading.news());
    count(reading);
    if (polled.received() < polled.read()) {
      tell(room.isFull() ? MessageRoom.FULL : String.valueOf(receiver.held()), null);
      failures = polled.received() > 0 ? 0 : failures;
      return backoff(failures++);
    }
    failures = 0;
    tell(null, null);
    return polled.read() == 0
        ? Duration.ofNanos(Math.max(0, IDLE.toNanos() - (ports.clock().nanos() - before)))
        : Duration.ZERO;
  }

  /** A broker that is away while nothing is to be read is no problem. */
  private void keepPaused(Stance stance) {
    try {
      QueueConsumer paused = current();
      if (stance == Stance.HOLDS) {
        paused.hold();
      } else {
        paused.keep();
      }
      figures.heard(paused.news());
      count(paused);
      failures = 0;
    } catch (Exception e) {
      close();
      figures.lag(null);
      log.debug("queue '{}' is paused, and its broker is away", key.name(), e);
    }
  }

  /** Returns a consumer of the connection as it was a moment ago. */
  private QueueConsumer current() throws Exception {
    long now = ports.clock().nanos();
    if (consumer != null && now - comparedAt >= COUNT.toNanos()) {
      comparedAt = now;
      if (!opening.connection().equals(connection)) {
        close();
      }
    }
    QueueConsumer open = consumer;
    if (open == null) {
      comparedAt = now;
      Connection wanted = opening.connection();
      open = opening.open(wanted);
      connection = wanted;
      consumer = open;
    }
    return open;
  }

  private void count(QueueConsumer reading) throws Exception {
    long now = ports.clock().nanos();
    if (now - countedAt >= COUNT.toNanos()) {
      countedAt = now;
      figures.lag(reading.lag());
    }
  }

  /** What waits grows while nothing can be received; without a consumer it is not known. */
  private void countAnyway() {
    QueueConsumer open = consumer;
    try {
      if (open == null) {
        figures.lag(null);
      } else {
        count(open);
      }
    } catch (Exception | Error e) {
      close();
      figures.lag(null);
    }
  }

  private void tell(@Nullable String words, @Nullable Throwable why) {
    String problem = words == null ? null : opening.shown(words);
    if (!figures.problem(problem)) {
      return;
    }
    if (problem == null) {
      log.info("queue '{}' is read again", key.name());
    } else if (why == null || NoAnswer.behind(why) != null) {
      log.info("queue '{}' is not read now, and nothing is acknowledged: {}", key.name(), problem);
    } else if (why instanceof NotApplied || why instanceof Rejected) {
      log.warn("queue '{}' cannot be read, and is tried again: {}", key.name(), problem);
    } else {
      log.warn("queue '{}' cannot be read; it is tried again", key.name(), why);
    }
  }

  private void close() {
    QueueConsumer open = consumer;
    consumer = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (RuntimeException | Error e) { // the broker takes back what was not acknowledged
      log.debug("a consumer of queue '{}' did not close well", key.name(), e);
    }
  }

  private static Duration backoff(int failures) {
    Duration pause = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures, 10));
    return pause.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : pause;
  }
}
