package dev.hapax;

import dev.hapax.admission.StartRequest;
import dev.hapax.engine.Engine;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Names;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.flow.Tie;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.json.ValueTooLarge;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Change;
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

  /** Of an event in a batch: a message of a broker is a megabyte, and more as base64. */
  private static final int LARGEST_MESSAGE = 4 << 20;

  private final Engine engine;
  private final Store store;
  private final String tenant;
  private final Duration remembered;
  private final ConcurrentMap<String, Source<?, ?>> sources = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Flow<?, ?>> redelivered = new ConcurrentHashMap<>();

  /**
   * Creates the inbox of one tenant.
   *
   * @param remembered how long an event is remembered after it was received
   */
  Inbox(Engine engine, Store store, String tenant, Duration remembered) {
    this.engine = engine;
    this.store = store;
    this.tenant = tenant;
    this.remembered = remembered;
  }

  /**
   * Registers the flow that the events of a source start, and its input. This cannot be changed
   * later.
   */
  public <P, I> void source(String name, Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {
    source(name, new Source<>(payload, flow, input));
  }

  /** As above, for example with a rule for ties. */
  public void source(String name, Source<?, ?> source) {
    if (sources.putIfAbsent(Names.source(name), source) != null) {
      throw new IllegalArgumentException(
          "source '%s' is set already; a source starts one flow".formatted(name));
    }
  }

  /**
   * Receives an event. It is durable when this returns, with any outcome.
   *
   * @throws QuotaExceeded if the tenant may start no further run, or keep no further event: this
   *     one was not received, and its sender should deliver it again later
   */
  public Acknowledgement receive(Event event) {
    return receive(event, source(event.source()));
  }

  /** As above, for a source that can change its flow. */
  public Acknowledgement receive(Event event, Source<?, ?> source) {
    InboxEvent record = record(event, source, LARGEST_PAYLOAD);
    Change.Receive change = change(record, source, event.occurredAt(), source.tie());
    QuotaExceeded refusal = change.run() == null ? refusalToKeep(record) : null;
    if (refusal != null) {
      throw refusal;
    }
    return acknowledgement(commit(change));
  }

  /** Of an event that starts no run; one that has come before takes no further room. */
  private @Nullable QuotaExceeded refusalToKeep(InboxEvent event) {
    QuotaExceeded refusal = engine.starts().refusalToKeep(tenant, event.payload().length());
    return refusal == null || isKnown(event) ? null : refusal;
  }

  private boolean isKnown(InboxEvent event) {
    var filter = InboxFilter.of(tenant).source(event.source()).event(event.event()).limit(1);
    return !store.events(filter).isEmpty();
  }

  /**
   * Receives events in one commit, in their order, so that their sender can then forget all of
   * them. If a quota lets only some of them in, those from the front are received.
   *
   * @return an answer for each event that was received; fewer than there are events if a quota is
   *     used up
   * @throws IllegalArgumentException if the store refuses one of them; none was received
   */
  public List<Acknowledgement> receiveAll(List<BatchedEvent> events) {
    List<Change.Receive> changes =
        events.stream()
            .map(
                one -> {
                  Event event = one.event();
                  InboxEvent record = record(event, one.source(), LARGEST_MESSAGE);
                  return one.conflict() == null
                      ? change(record, one.source(), event.occurredAt(), one.source().tie())
                      : new Change.Receive(
                          record, null, false, InboxOutcome.CONFLICTING, one.conflict());
                })
            .toList();
    int granted = takeStarts(changes);
    List<Change.Receive> allowed = List.of();
    try {
      allowed = fromTheFront(changes, granted);
    } finally {
      if (allowed.isEmpty()) { // or the store did not answer
        engine.starts().giveBack(tenant, granted);
      }
    }
    if (allowed.isEmpty()) {
      return List.of();
    }
    var landed =
        engine.starts().commit(allowed, List.of(), tenant, granted).unconditional("these events");
    List<Answer.Received> answers =
        landed.answers().stream().map(Answer.Received.class::cast).toList();
    long accepted =
        answers.stream().filter(answer -> answer.outcome() == InboxOutcome.ACCEPTED).count();
    engine.starts().giveBack(tenant, granted - (int) accepted);
    for (int i = 0; i < answers.size(); i++) {
      noteDuplicate(allowed.get(i), answers.get(i));
    }
    return answers.stream().map(Inbox::acknowledgement).toList();
  }

  /** Takes the right to start their runs, and returns how many may start. */
  private int takeStarts(List<Change.Receive> changes) {
    long bytes = 0;
    int wanted = 0;
    for (Change.Receive change : changes) {
      NewRun run = change.run();
      bytes += change.event().payload().length() + (run == null ? 0 : run.input().length());
      wanted += run == null ? 0 : 1;
    }
    return wanted == 0 ? 0 : engine.starts().take(tenant, wanted, bytes).runs();
  }

  /** Returns the changes before the first one whose run may not start, or that may not be kept. */
  private List<Change.Receive> fromTheFront(List<Change.Receive> changes, int granted) {
    long wanted = changes.stream().filter(change -> change.run() != null).count();
    int left = granted;
    for (int i = 0; i < changes.size(); i++) {
      Change.Receive change = changes.get(i);
      NewRun run = change.run();
      boolean isNew = run != null && granted < wanted && store.holder(run.id()) == null;
      if (isNew && --left < 0) {
        return changes.subList(0, i);
      }
      // What tells two messages of one id apart is small, and is kept in any case.
      boolean isConflict = change.refusal() == InboxOutcome.CONFLICTING;
      if (run == null && !isConflict && refusalToKeep(change.event()) != null) {
        return changes.subList(0, i);
      }
    }
    return changes;
  }

  private InboxEvent record(Event event, Source<?, ?> source, int largest) {
    return new InboxEvent(
        engine.ids().next(),
        tenant,
        event.source(),
        event.id(),
        event.object(),
        event.version(),
        write(event, largest),
        source.flow().name(),
        InboxOutcome.INVALID,
        null,
        null,
        engine.clock().now(),
        0);
  }

  /**
   * Tries an event again that is invalid, rejected or in review, with its original payload. An
   * event in review is applied.
   */
  public Acknowledgement retry(String id) {
    return retry(id, source(event(id).source()));
  }

  /** As above, with the flow that its source starts now. */
  public Acknowledgement retry(String id, Source<?, ?> source) {
    InboxEvent event = event(id);
    if (!event.outcome().canBeTriedAgain()) {
      throw new IllegalStateException(
          "event %s is %s; only an event that is invalid, rejected or in review can be tried again"
              .formatted(id, event.outcome().word()));
    }
    Tie tie = event.outcome() == InboxOutcome.REVIEW ? Tie.APPLY : source.tie();
    if (Erased.is(event.payload())) {
      throw new NotPossible(
          "the payload of event %s was erased for a person, so it cannot be received again"
              .formatted(event.id()));
    }
    return acknowledgement(commit(change(event, source, null, tie)));
  }

  /**
   * Returns what would become of an event if it were tried again now, and writes nothing. Whether a
   * newer version of its object has come before is seen only when it is tried.
   */
  public Acknowledgement foresee(String id, Source<?, ?> source) {
    return foreseen(event(id), source);
  }

  private <P, I> Acknowledgement foreseen(InboxEvent event, Source<P, I> source) {
    if (!event.outcome().canBeTriedAgain()) {
      String why = "it is %s, and stays so".formatted(event.outcome().word());
      return new Acknowledgement(event.id(), event.outcome(), event.run(), why);
    }
    NewRun run;
    try {
      run = run(event, source);
    } catch (RuntimeException e) { // any exception of the input's own code
      NoAnswer.passOn(e);
      return new Acknowledgement(
          event.id(), InboxOutcome.INVALID, null, Text.storable(Text.messageOf(e)));
    }
    return switch (store.holder(run.id())) {
      case null ->
          new Acknowledgement(event.id(), InboxOutcome.ACCEPTED, run.id().toString(), null);
      case KeyHolder.Present(var first, var _)
          when first.startedWith(run.fingerprint())
              || source.flow().conflict() == Flow.Conflict.RETURN ->
          new Acknowledgement(event.id(), InboxOutcome.DUPLICATE, first.id().toString(), null);
      case KeyHolder.Present(var first, var _) ->
          new Acknowledgement(
              event.id(),
              InboxOutcome.CONFLICTING,
              first.id().toString(),
              "its key belongs to run %s, started with another input".formatted(first.id()));
      case KeyHolder.Expired(var first, var _) ->
          new Acknowledgement(
              event.id(),
              InboxOutcome.DUPLICATE,
              null,
              "its key belonged to a run that ended at %s and has expired"
                  .formatted(first.endedAt()));
    };
  }

  /** Returns the event with this id, and its outcome. */
  public InboxEvent event(String id) {
    long number = InboxEvent.number(id);
    List<InboxEvent> found = store.events(InboxFilter.of(tenant).number(number));
    if (found.isEmpty()) {
      throw new NotFound("there is no event " + id);
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
  private <P, I> Change.Receive change(
      InboxEvent event, Source<P, I> source, @Nullable Instant occurredAt, Tie tie) {
    Flow<I, ?> flow = source.flow();
    if (!flow.equals(redelivered.put(flow.name(), flow))) {
      engine.redelivered(flow, remembered);
    }
    boolean returnsFirst = flow.conflict() == Flow.Conflict.RETURN;
    try {
      return new Change.Receive(
          event,
          run(event, source),
          returnsFirst,
          InboxOutcome.INVALID,
          null,
          inLostTime(occurredAt == null ? timeOf(event, source) : occurredAt),
          tie);
    } catch (RuntimeException e) { // any exception of the input's own code
      NoAnswer.passOn(e); // not acknowledged: its sender delivers it again
      String problem = Text.storable(Text.messageOf(e));
      return new Change.Receive(event, null, returnsFirst, InboxOutcome.INVALID, problem);
    }
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
    return engine
        .starts()
        .prepare(StartRequest.namedBy(event.event(), tenant, source.flow(), input));
  }

  private Answer.Received commit(Change.Receive change) {
    int counted = counted(change);
    var landed =
        engine
            .starts()
            .commit(List.of(change), List.of(), tenant, counted)
            .unconditional("this event");
    var answer = (Answer.Received) landed.answers().getFirst();
    if (answer.outcome() != InboxOutcome.ACCEPTED) {
      engine.starts().giveBack(tenant, counted);
    }
    noteDuplicate(change, answer);
    return answer;
  }

  private void noteDuplicate(Change.Receive change, Answer.Received answer) {
    String first = answer.run();
    if (answer.outcome() == InboxOutcome.DUPLICATE && first != null) {
      InboxEvent event = change.event();
      engine
          .starts()
          .stopped(
              RunId.parse(first),
              Door.INBOX,
              "event '%s' of '%s'".formatted(event.event(), event.source()));
    }
  }

  /**
   * Takes the right to start its run. An event of a run that exists needs none.
   *
   * @throws QuotaExceeded if there is none: nothing was written, and its sender delivers it again
   */
  private int counted(Change.Receive change) {
    NewRun run = change.run();
    if (run == null) {
      return 0;
    }
    int bytes = change.event().payload().length() + run.input().length();
    QuotaExceeded refusal = engine.starts().take(tenant, 1, bytes).refusal();
    if (refusal != null && store.holder(run.id()) == null) {
      throw refusal;
    }
    return refusal == null ? 1 : 0;
  }

  private static Acknowledgement acknowledgement(Answer.Received answer) {
    return new Acknowledgement(
        "i-" + Long.toString(answer.event(), 36), answer.outcome(), answer.run(), answer.detail());
  }

  private static String write(Event event, int largest) {
    Object payload = event.payload();
    String text = payload == null ? "null" : Json.write(payload, 3 * largest);
    if (text.length() > largest) {
      throw new ValueTooLarge(
          "a payload of %,d characters of JSON is too large: at most %,d are kept. Send a reference to the large part instead."
              .formatted(text.length(), largest));
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
