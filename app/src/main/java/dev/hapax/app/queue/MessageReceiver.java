package dev.hapax.app.queue;

import dev.hapax.Acknowledgement;
import dev.hapax.BatchedEvent;
import dev.hapax.Inbox;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.json.NotSerializable;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a batch of messages durable: one commit writes their events and the runs that they start.
 * What a run does later is no reason to keep a message back.
 */
final class MessageReceiver implements QueueConsumer.Receiver {
  /** A message that a full gate has turned away stays at the broker, and is tried again. */
  static final String GATE = "concurrency-limit";

  private final Inbox inbox;
  private final MessageEvent events;
  private final InFlight inFlight;
  private final QueueFigures figures;
  private final Clock clock;
  private @Nullable String held;

  MessageReceiver(
      Inbox inbox, MessageEvent events, InFlight inFlight, QueueFigures figures, Clock clock) {
    this.inbox = inbox;
    this.events = events;
    this.inFlight = inFlight;
    this.figures = figures;
    this.clock = clock;
  }

  /** Returns why the last batch was not received to its end; null if it was. */
  @Nullable String held() {
    return held;
  }

  @Override
  public int receive(List<QueueMessage> messages) {
    held = null;
    List<MessageEvent.Read> read = messages.stream().map(events::read).toList();
    List<Committed> answers = commit(read.stream().filter(one -> one.event() != null).toList());
    List<BatchedEvent> conflicts = new ArrayList<>();
    int received = 0;
    int answered = 0;
    for (MessageEvent.Read one : read) {
      if (one.event() == null) {
        figures.filtered(clock.now());
      } else if (answered == answers.size()) {
        held = "quota-exceeded: the tenant may start no further run now";
        break;
      } else {
        Acknowledgement answer = decided(answers.get(answered++), conflicts);
        if (answer == null) {
          break;
        }
        figures.received(answer.outcome(), clock.now());
      }
      received++;
    }
    if (!conflicts.isEmpty()) {
      var _ = write(conflicts);
    }
    inFlight.took(messages.subList(0, received));
    return received;
  }

  /** An event as it was written; of a message that the store has refused, a part of it. */
  private record Committed(BatchedEvent event, Acknowledgement answer) {}

  /** The store refuses a batch for one of its events; then each one is received alone. */
  private List<Committed> commit(List<MessageEvent.Read> read) {
    try {
      return write(read.stream().map(one -> Objects.requireNonNull(one.event())).toList());
    } catch (IllegalArgumentException | NotSerializable e) {
      List<Committed> answers = new ArrayList<>();
      for (MessageEvent.Read one : read) {
        List<Committed> answer = commit(one);
        if (answer.isEmpty()) {
          break;
        }
        answers.addAll(answer);
      }
      return answers;
    }
  }

  /** Keeps as much of a message as the store takes: at least its size, so that it never blocks. */
  private List<Committed> commit(MessageEvent.Read one) {
    try {
      return write(List.of(Objects.requireNonNull(one.event())));
    } catch (IllegalArgumentException | NotSerializable e) {
      return commitRefused(one, e);
    }
  }

  private List<Committed> commitRefused(MessageEvent.Read one, RuntimeException why) {
    try {
      return write(List.of(events.refused(one.message(), why)));
    } catch (IllegalArgumentException | NotSerializable e) {
      return write(List.of(events.withoutContent(one.message(), why)));
    }
  }

  private List<Committed> write(List<BatchedEvent> events) {
    if (events.isEmpty()) {
      return List.of();
    }
    List<Acknowledgement> answers = inbox.receiveAll(events);
    List<Committed> committed = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      committed.add(new Committed(events.get(i), answers.get(i)));
    }
    return committed;
  }

  /** Returns null if the message must stay at the broker. */
  private @Nullable Acknowledgement decided(Committed committed, List<BatchedEvent> conflicts) {
    Acknowledgement answer = committed.answer();
    if (answer.outcome() == InboxOutcome.REJECTED) {
      return isTurnedAway(answer.detail()) ? null : answer;
    }
    if (answer.outcome() != InboxOutcome.DUPLICATE) {
      return answer;
    }
    InboxEvent first = inbox.event(answer.event());
    if (first.outcome() == InboxOutcome.REJECTED && isTurnedAway(first.detail())) {
      return again(first);
    }
    BatchedEvent conflict = events.conflictWith(first, committed.event().event());
    if (conflict != null) {
      conflicts.add(conflict);
    }
    return answer;
  }

  private @Nullable Acknowledgement again(InboxEvent first) {
    try {
      Acknowledgement answer = inbox.retry(first.id(), events.now());
      boolean isOut = answer.outcome() == InboxOutcome.REJECTED && isTurnedAway(answer.detail());
      return isOut ? null : answer;
    } catch (IllegalStateException e) { // another node was faster
      InboxEvent now = inbox.event(first.id());
      return new Acknowledgement(now.id(), now.outcome(), now.run(), now.detail());
    }
  }

  private boolean isTurnedAway(@Nullable String detail) {
    boolean isGate = detail != null && detail.startsWith(GATE);
    if (isGate) {
      held = detail;
    }
    return isGate;
  }
}
