package dev.hapax.testkit.simulation;

import dev.hapax.Acknowledgement;
import dev.hapax.BatchedEvent;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.Source;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Another system delivers events: each several times, out of order, to any node that is there, and
 * some that no input can be made of.
 */
final class InboxFeature implements Feature {
  private static final String SOURCE = "shop";
  private static final String SENSELESS = "nothing can be made of it";
  private static final int SENSELESS_EVENT = 0;
  private static final int VERSIONS = 8;
  private static final int EVENTS = 12;
  private static final int OBJECTS = 2;
  private static final int SENDERS = 2;
  private static final int LARGEST_BATCH = 4;

  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();
  private @Nullable Flow<Plan, String> flow;

  InboxFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public List<Flow<Plan, String>> ownFlows(Body body) {
    Flow<Plan, String> received = PlannedFlows.builder("received").body(PlannedFlows.body(body));
    flow = received;
    return List.of(received);
  }

  @Override
  public void opened(Hapax hapax) {
    hapax.inbox().source(SOURCE, Plan.class, Objects.requireNonNull(flow), this::asInput);
  }

  private Plan asInput(Plan payload) {
    outside.world().askStore();
    if (payload.key().equals(SENSELESS)) {
      throw new IllegalArgumentException(SENSELESS);
    }
    return payload;
  }

  @Override
  public void begin() {
    for (int i = 0; i < SENDERS; i++) {
      outside.with().scheduler().spawn(null, "sender-" + i, this::live);
    }
  }

  private void live() {
    Choices choices = outside.with().choices();
    int deliveries = 4 + choices.below(8);
    for (int i = 0; i < deliveries; i++) {
      int bound = choices.oneOf(5, 20_000, 1_200_000);
      outside.with().scheduler().sleep(Duration.ofMillis(choices.below(bound)));
      Hapax hapax = outside.machines().hapax();
      if (hapax != null) {
        deliver(hapax, numbers(choices));
      }
    }
  }

  /** Mostly one event; else what a queue delivers at once, also one event twice. */
  private static List<Integer> numbers(Choices choices) {
    int count = choices.chance(250) ? 2 + choices.below(LARGEST_BATCH - 1) : 1;
    return IntStream.range(0, count).mapToObj(_ -> choices.below(EVENTS)).toList();
  }

  /** The events from the ninth on have the versions of others; two of them also their content. */
  private static int versionOf(int number) {
    return number < VERSIONS ? number : number - VERSIONS + 3;
  }

  private static String contentOf(int number) {
    return switch (number) {
      case SENSELESS_EVENT -> SENSELESS;
      case 1, 2 -> "event-of-two";
      case 8, 10 -> "event-" + versionOf(number);
      default -> "event-" + number;
    };
  }

  /**
   * Makes an event, which has the same content in every delivery. Some of them ask for the same
   * run, and some write the same version in another way.
   */
  private static Event event(int number) {
    String key = contentOf(number);
    int version = versionOf(number) / OBJECTS;
    var step =
        new Plan.PlannedStep(
            Plan.Does.SEND,
            "step-0",
            null,
            "charge",
            key,
            "content-" + (number == 2 ? 1 : 0),
            0,
            1,
            true,
            List.of());
    return Event.from(SOURCE)
        .id("event-" + number)
        .about(
            "object-" + versionOf(number) % OBJECTS,
            number % 3 == 0 ? version + ".0" : "" + version)
        .payload(new Plan(key, List.of(step)));
  }

  private void deliver(Hapax hapax, List<Integer> numbers) {
    int before = observations.size();
    List<Acknowledgement> heard = new ArrayList<>();
    SimulatedThread me = outside.with().scheduler().current();
    me.hearsRefusals = true;
    var told = Client.tell(() -> heard.addAll(received(hapax, numbers)));
    me.hearsRefusals = false;
    for (int i = 0; i < numbers.size(); i++) {
      observe(before, numbers.get(i), told, heard.isEmpty() ? null : heard.get(i));
    }
  }

  private List<Acknowledgement> received(Hapax hapax, List<Integer> numbers) {
    if (numbers.size() == 1) {
      return List.of(hapax.inbox().receive(event(numbers.getFirst())));
    }
    var source = new Source<>(Plan.class, Objects.requireNonNull(flow), this::asInput);
    return hapax
        .inbox()
        .receiveAll(
            numbers.stream().map(number -> new BatchedEvent(event(number), source)).toList());
  }

  private void observe(
      int before, int number, ClientCall.Answer told, @Nullable Acknowledgement answer) {
    Event event = event(number);
    observations.add(
        new Observation.EventTold(
            before,
            outside.machines().clock().now(),
            outside.machines().clock().newest(),
            event.id(),
            String.valueOf(event.object()),
            versionOf(number) / OBJECTS,
            contentOf(number),
            number != SENSELESS_EVENT,
            told,
            answer == null ? null : answer.outcome(),
            answer == null ? null : answer.run()));
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
