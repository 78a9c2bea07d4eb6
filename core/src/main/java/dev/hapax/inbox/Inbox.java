package dev.hapax.inbox;

import dev.hapax.admission.AdmissionRequest;
import dev.hapax.admission.RunAdmission;
import dev.hapax.engine.Engine;
import dev.hapax.engine.RunControl;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Names;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import dev.hapax.run.Answer;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.NoAnswer;
import dev.hapax.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives events from other systems. One commit writes an event and the run that it starts, and
 * only then the event is acknowledged. Concurrent deliveries are decided in their commits, one
 * after the other. Safe for many threads.
 */
public final class Inbox {
  private static final int LARGEST_PAYLOAD = 1 << 20;

  private final Engine engine;
  private final Store store;
  private final RunAdmission admission;
  private final String tenant;
  private final Duration remembered;
  private final ConcurrentMap<String, Source<?, ?>> sources = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Flow<?, ?>> redelivered = new ConcurrentHashMap<>();

  /**
   * Creates the inbox of one tenant.
   *
   * @param remembered how long an event is remembered after it was received
   */
  public Inbox(
      Engine engine, Store store, RunAdmission admission, String tenant, Duration remembered) {
    this.engine = engine;
    this.store = store;
    this.admission = admission;
    this.tenant = tenant;
    this.remembered = remembered;
  }

  /**
   * Registers the flow that the events of a source start, and its input. This cannot be changed
   * later.
   */
  public <P, I> void source(String name, Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {
    if (sources.putIfAbsent(Names.source(name), new Source<>(payload, flow, input)) != null) {
      throw new IllegalArgumentException(
          "source '%s' was given already; a source starts one flow".formatted(name));
    }
  }

  /** Receives an event. It is durable when this returns, with any outcome. */
  public Acknowledgement receive(Event event) {
    return receive(event, source(event.source()));
  }

  /** As above, for a source that can change its flow. */
  public Acknowledgement receive(Event event, Source<?, ?> source) {
    String payload = write(event);
    var record =
        new InboxEvent(
            engine.ids().next(),
            tenant,
            event.source(),
            event.id(),
            event.object(),
            event.version(),
            payload,
            source.flow().name(),
            InboxOutcome.INVALID,
            null,
            null,
            engine.clock().now(),
            0);
    return decide(record, source, event.occurredAt());
  }

  /** Tries an invalid or rejected event again, with its original payload. */
  public Acknowledgement retry(String id) {
    return retry(id, source(event(id).source()));
  }

  /** As above, with the flow that its source starts now. */
  public Acknowledgement retry(String id, Source<?, ?> source) {
    InboxEvent event = event(id);
    if (!event.outcome().canBeTriedAgain()) {
      throw new IllegalStateException(
          "event %s is %s; only an invalid or rejected one can be tried again"
              .formatted(id, event.outcome().word()));
    }
    return decide(event, source, null);
  }

  /** Returns the event with this id, and its outcome. */
  public InboxEvent event(String id) {
    long number = InboxEvent.number(id);
    List<InboxEvent> found = store.events(InboxFilter.of(tenant).number(number));
    if (found.isEmpty()) {
      throw new RunControl.NotFound("there is no event " + id);
    }
    return found.getFirst();
  }

  public List<InboxEvent> events(InboxFilter filter) {
    return store.events(filter.ownedBy(tenant));
  }

  /** Returns a filter for the events of this engine's tenant. */
  public InboxFilter events() {
    return InboxFilter.of(tenant);
  }

  /**
   * @param occurredAt when it happened; null if only its payload can say so
   */
  private <P, I> Acknowledgement decide(
      InboxEvent event, Source<P, I> source, @Nullable Instant occurredAt) {
    Flow<I, ?> flow = source.flow();
    if (!flow.equals(redelivered.put(flow.name(), flow))) {
      engine.redelivered(flow, remembered);
    }
    boolean returnsFirst = flow.conflict() == Flow.Conflict.RETURN;
    Change.Receive change;
    try {
      change =
          new Change.Receive(
              event,
              run(event, source),
              returnsFirst,
              InboxOutcome.INVALID,
              null,
              inLostTime(occurredAt == null ? timeOf(event, source) : occurredAt));
    } catch (NoAnswer e) {
      throw e; // not acknowledged: its sender delivers it again
    } catch (RuntimeException e) { // any exception of the input's own code
      String problem = Text.storable(Text.messageOf(e));
      change = new Change.Receive(event, null, returnsFirst, InboxOutcome.INVALID, problem);
    }
    return acknowledgement(commit(change));
  }

  private static <P> @Nullable Instant timeOf(InboxEvent event, Source<P, ?> source) {
    return source.time().apply(Json.read(event.payload(), source.payload()));
  }

  /** Returns null if the store has lost nothing of that time. */
  private @Nullable Instant inLostTime(@Nullable Instant occurredAt) {
    return occurredAt != null && engine.mayHaveLost(occurredAt) ? occurredAt : null;
  }

  private <P, I> NewRun run(InboxEvent event, Source<P, I> source) {
    I input = source.input().apply(Json.read(event.payload(), source.payload()));
    String key = source.flow().computesKey() ? null : event.event();
    return admission.prepare(new AdmissionRequest<>(tenant, source.flow(), input, key));
  }

  private Answer.Received commit(Change.Receive change) {
    engine.refuseIfClosed();
    var group = Group.always(engine.ids().next(), engine.clock().now(), List.of(change));
    GroupAnswer answer = engine.committer().submit(group).await();
    return (Answer.Received) answer.unconditional("this event").answers().getFirst();
  }

  private static Acknowledgement acknowledgement(Answer.Received answer) {
    return new Acknowledgement(
        "i-" + Long.toString(answer.event(), 36), answer.outcome(), answer.run(), answer.detail());
  }

  private static String write(Event event) {
    Object payload = event.payload();
    String text = payload == null ? "null" : Json.write(payload);
    if (text.length() > LARGEST_PAYLOAD) {
      throw new NotSerializable(
          "a payload of %,d characters of JSON is too large, at most %,d are kept"
              .formatted(text.length(), LARGEST_PAYLOAD));
    }
    return text;
  }

  private Source<?, ?> source(String name) {
    Source<?, ?> source = sources.get(name);
    if (source == null) {
      throw new IllegalArgumentException(
          "source '%s' is unknown here: call inbox().source(…) first".formatted(name));
    }
    return source;
  }
}
