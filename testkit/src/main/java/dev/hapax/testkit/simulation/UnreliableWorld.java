package dev.hapax.testkit.simulation;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.Sending;
import dev.hapax.testkit.promise.StepCall;
import dev.hapax.testkit.promise.StoreIsNoOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The systems outside and the network to them. They lose and double requests and answers, are late,
 * refuse, and fail after having done what they were asked. They also record everything that left
 * for them and the state of the store at that moment. A request that has left arrives or not, no
 * matter whether its sender still lives.
 */
final class UnreliableWorld {
  static final String TENANT = "default";
  private static final Duration SHORT = Duration.ofMillis(40);

  private final SimulatedStore.Simulated with;
  private final Store durable;
  private final List<WorldRequest> requests = new ArrayList<>();
  private final List<StepCall> stepCalls = new ArrayList<>();
  private final List<Observation> wanted = new ArrayList<>();
  private final DestinationMemory memory = new DestinationMemory();
  private final Map<String, Consumer<WorldRequest>> listeners = new HashMap<>();
  private Runnable whenSent = () -> {};

  UnreliableWorld(SimulatedStore.Simulated with, Store durable) {
    this.with = with;
    this.durable = durable;
  }

  List<Sending> sendings() {
    return requests.stream().map(WorldRequest::toSending).toList();
  }

  /** Returns what bodies wanted to send, also if it was never sent. */
  List<Observation> wanted() {
    return wanted;
  }

  List<StepCall> stepCalls() {
    return stepCalls;
  }

  /** Sets a listener at a destination that acts when a request arrives. */
  void onArrival(SimulatedDestination destination, Consumer<WorldRequest> listener) {
    listeners.put(destination.name(), listener);
  }

  /** Sets an action for after a request was sent. */
  void whenSent(Runnable then) {
    whenSent = then;
  }

  // ---- for senders

  /** Sends and waits for the answer; returns the destination's result as JSON text. */
  String send(SimulatedDestination destination, WorldRequest.Order order) throws Exception {
    with.scheduler().checkAlive();
    var request =
        new WorldRequest(
            SimulatedClock.BEGINNING.plusNanos(now()),
            destination,
            order,
            durable.effect(effectKey(destination, destination.name(), order)),
            target(destination, order));
    requests.add(request);
    whenSent.run();
    with.trace().note(now(), with.scheduler().who(), "send", order.wireKey().hashCode());
    say(() -> "send " + destination.name() + " " + order + " intent " + request.intent);
    try {
      String result = fate(request);
      request.heard = Sending.Heard.DONE;
      return result;
    } catch (NotApplied e) {
      request.heard = Sending.Heard.NOT_APPLIED;
      throw e;
    } catch (Rejected e) {
      request.heard = Sending.Heard.REJECTED;
      throw e;
    } catch (IOException e) {
      request.heard = Sending.Heard.UNCLEAR;
      throw e;
    } finally {
      request.hasReturned = true;
    }
  }

  private String fate(WorldRequest request) throws IOException {
    if (request.destination.outlastsEveryAttempt() && strikes(Fault.CODE_HANGS_FIRST)) {
      waitFor(request.destination.timeout().plusSeconds(1L + below(600)), request);
      if (mayBeReplaced()) {
        throw new IOException("gave up: a node that was out of reach for so long must not send");
      }
    }
    if (strikes(Fault.REQUEST_REFUSED)) {
      waitFor(SHORT, request);
      throw new NotApplied("connection refused");
    }
    if (strikes(Fault.REQUEST_REJECTED)) {
      waitFor(SHORT, request);
      throw new Rejected("declined", "the destination declines");
    }
    if (strikes(Fault.REQUEST_LOST)) {
      throw failLate(request);
    }
    if (strikes(Fault.REQUEST_DELAYED)) {
      leave(onTheWay(request.destination), request);
      throw failLate(request);
    }
    if (strikes(Fault.ANSWER_LATE)) {
      leave(SHORT, request);
      waitFor(request.destination.timeout().plusSeconds(1L + below(3_000)), request);
      return resultOf(request);
    }
    leave(Duration.ofMillis(1L + below(30)), request);
    String before = held(request.destination, request.order.wireKey());
    if (before != null && strikes(Fault.ANSWER_DOUBLED)) {
      return before;
    }
    if (strikes(Fault.ANSWER_LOST)) {
      throw failLate(request);
    }
    waitFor(SHORT, request);
    if (strikes(Fault.ERROR_AFTER_APPLYING)) {
      throw new IOException("502 bad gateway");
    }
    return resultOf(request);
  }

  /** Fails late. The sender sees nothing, a reset, or the engine's own timeout. */
  private IOException failLate(WorldRequest request) throws IOException {
    waitFor(Duration.ofMillis(1L + below(with.choices().oneOf(50, 40_000, 4_000_000))), request);
    return new IOException("connection reset");
  }

  private void waitFor(Duration time, WorldRequest request) throws IOException {
    long until = now() + time.toNanos();
    while (now() < until) {
      if (with.scheduler().sleep(Duration.ofNanos(until - now()))
          && !strikes(Fault.SENDER_IGNORES_INTERRUPT)) {
        throw new IOException("interrupted while waiting for " + request.destination.name());
      }
    }
  }

  private Duration onTheWay(SimulatedDestination destination) {
    return Duration.ofMillis(1L + below((int) destination.longestOnTheWay().toMillis() - 2));
  }

  private String resultOf(WorldRequest request) throws IOException {
    String result = request.result;
    if (result == null) {
      throw new IOException("no answer");
    }
    return result;
  }

  /** Lets the request leave. The network decides whether it arrives once or twice. */
  private void leave(Duration delay, WorldRequest request) {
    arriveAfter(delay, request);
    if (request.destination.removesDuplicates() && strikes(Fault.REQUEST_DOUBLED)) {
      arriveAfter(onTheWay(request.destination), request);
    }
  }

  private void arriveAfter(Duration delay, WorldRequest request) {
    request.copiesUnderWay++;
    with.scheduler()
        .after(
            delay,
            () -> {
              request.copiesUnderWay--;
              arrive(request);
            });
  }

  private void arrive(WorldRequest request) {
    memory.take(request, now());
    with.trace().note(now(), "world", "apply", request.order.wireKey().hashCode());
    say(
        () ->
            "world takes %s %s: applied %s, %s"
                .formatted(
                    request.destination.name(),
                    request.order.wireKey(),
                    request.applied,
                    request.result));
    listeners.getOrDefault(request.destination.name(), _ -> {}).accept(request);
  }

  /** A database for guard {@code transaction}: marker and write in one. */
  DestinationDatabase<String> database(SimulatedDestination destination, String run, String key) {
    return new DestinationDatabase<>() {
      @Override
      public String once(String marker, Work<String> work) throws Exception {
        String offered = work.in("connection");
        return send(destination, new WorldRequest.Order(run, key, marker, null, offered));
      }
    };
  }

  Optional<String> lookUp(SimulatedDestination destination, String wireKey) throws IOException {
    with.trace().note(now(), with.scheduler().who(), "lookup", wireKey.hashCode());
    with.scheduler().sleep(SHORT);
    if (strikes(Fault.LOOKUP_FAILS)) {
      throw new IOException("503 on lookup");
    }
    return Optional.ofNullable(held(destination, wireKey)).map(UnreliableWorld::resultIn);
  }

  // ---- for the code of steps

  /** Records that a body has reached an effect. */
  void wanted(String run, Step step, String content) {
    wanted.add(new Observation.EffectWanted(run, step, content));
  }

  /**
   * A flow's own code asks the store of its node, which may not answer; the code wraps the refusal
   * before it throws it on.
   */
  void askStore() {
    boolean mayBeRefused =
        with.swarm().has(Fault.READ_REFUSED) && with.scheduler().current().hearsRefusals;
    if (mayBeRefused && strikes(Fault.READ_REFUSED)) {
      var refused = new StoreUnavailable(StoreIsNoOutcome.REFUSED + " a flow's code", null);
      throw WrappedFailure.of(refused, below(WrappedFailure.DEEPEST + 1));
    }
  }

  /** Reads or computes. Each call gets its own value, so that a second call is noticed. */
  String compute(String run, Step step, int release, boolean isRead) throws IOException {
    called(run, step, release);
    with.trace().note(now(), with.scheduler().who(), "step", step.name().hashCode());
    say(() -> with.scheduler().who() + " calls step " + step + " of " + run);
    with.scheduler().sleep(Duration.ofMillis(below(with.choices().oneOf(1, 100, 20_000))));
    if (strikes(isRead ? Fault.READ_FAILS : Fault.STEP_FAILS)) {
      throw new IOException("simulated failure of " + step);
    }
    askStore();
    return "computed-" + stepCalls.size();
  }

  /** Computes for the plan of a replay. No witness counts it, and it may fail. */
  String imagine(Step step) throws IOException {
    with.scheduler().sleep(Duration.ofMillis(below(with.choices().oneOf(1, 100, 20_000))));
    if (strikes(Fault.STEP_FAILS)) {
      throw new IOException("simulated failure of " + step + " in a plan");
    }
    return "imagined";
  }

  /**
   * Records a call of a flow's code; the journal at this moment says whether it should have been
   * called. A node that was out of reach for longer than its lease may call code of a run that has
   * gone on elsewhere: it sends nothing, and its results are refused.
   */
  void called(String run, Step step, int release) {
    with.scheduler().checkAlive();
    if (mayBeReplaced()) {
      return;
    }
    Run stored = durable.find(RunId.parse(run));
    List<JournalRow> journal = stored == null ? List.of() : durable.journal(stored.number());
    stepCalls.add(new StepCall(run, step, release, journal));
  }

  /** Whether another node may own the calling run. Its results are then refused. */
  boolean mayBeReplaced() {
    SimulatedNode node = with.scheduler().current().node;
    return node != null && with.witness().mayBeReplaced(node);
  }

  // ---- for operators

  /** Returns the destination's result under the key, as JSON text; null if there is none. */
  @Nullable String held(SimulatedDestination destination, String wireKey) {
    return memory.held(destination, wireKey);
  }

  /** Whether a request with this key may still arrive. Until then "not happened" cannot be said. */
  boolean canStillLand(String wireKey) {
    return requests.stream()
        .anyMatch(
            request ->
                request.order.wireKey().equals(wireKey)
                    && (request.copiesUnderWay > 0 || !request.hasReturned));
  }

  private @Nullable EffectRecord target(
      SimulatedDestination destination, WorldRequest.Order order) {
    String undone = destination.undoes();
    return undone == null ? null : durable.effect(effectKey(destination, undone, order));
  }

  private static EffectKey effectKey(
      SimulatedDestination destination, String name, WorldRequest.Order order) {
    RunId additive = destination.kind() == Kind.ADDITIVE ? RunId.parse(order.run()) : null;
    return new EffectKey(TENANT, name, order.key(), additive);
  }

  /**
   * Returns the result that a destination holds; for an undo it is none, in the words of a lookup.
   */
  static String resultIn(String json) {
    return json.equals("null") ? json : unquoted(json);
  }

  static String unquoted(String json) {
    return json.substring(1, json.length() - 1);
  }

  private boolean strikes(Fault fault) {
    boolean now = with.swarm().strikes(fault);
    if (now) {
      say(() -> with.scheduler().who() + " meets " + fault);
    }
    return now;
  }

  int below(int bound) {
    return with.choices().below(bound);
  }

  private long now() {
    return with.scheduler().nanos();
  }

  private void say(Supplier<String> line) {
    with.trace().say(now(), line);
  }
}
