package dev.hapax.app.crash.feature;

import static java.util.stream.Collectors.groupingBy;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.run.StoredMessage;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.SinkFaults.Fault;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the parties outside heard and what the sink saw with what the store holds, and
 * names every broken promise. It calls no engine code.
 */
final class AgencyOracle {
  private static final Set<String> SOON_FORGOTTEN = Set.of("noted", Notes.SCHEDULE);
  private static final List<String> BOOKINGS = List.of("flight", "hotel", "car");

  private final AgencyWitnesses saw;
  private final List<Case> cases;
  private final Map<String, Run> runs = new HashMap<>();
  private final Map<String, EffectRecord> effects = new HashMap<>();
  private final Map<String, List<Arrival>> arrivals;
  private final List<String> problems = new ArrayList<>();

  private AgencyOracle(AgencyWitnesses saw) {
    this.saw = saw;
    this.cases = IntStream.range(0, saw.cases()).mapToObj(Case::new).toList();
    saw.runs().forEach(run -> runs.put(run.flow() + " " + run.key(), run));
    saw.effects().forEach(effect -> effects.put(sent(effect), effect));
    this.arrivals = saw.arrivals().stream().collect(groupingBy(AgencyOracle::sent));
  }

  /** Every promise that was broken; empty if all were kept. */
  static List<String> problems(AgencyWitnesses saw) {
    var oracle = new AgencyOracle(saw);
    oracle.problems.addAll(saw.broken());
    saw.reports(Report.PROBLEM)
        .forEach(problem -> oracle.hold(false, "a process reported", problem));
    oracle.acknowledgedStays();
    oracle.cases.forEach(oracle::caseHasEnded);
    saw.runs().forEach(oracle::runHasEnded);
    saw.effects().forEach(oracle::effectHappenedOnce);
    oracle.arrivals.forEach(oracle::arrivalHasItsEffect);
    oracle.everyInstantHasTicked();
    oracle.everyOrderWasReported();
    oracle.nothingIsHeldOrMiscounted();
    return oracle.problems;
  }

  /** An effect as the sink knows it: the step, and the business key. */
  private static String sent(Arrival arrival) {
    List<String> word = words(arrival);
    return word.get(0) + " " + word.get(1);
  }

  private static String sent(EffectRecord effect) {
    return effect.step().name() + " " + effect.key().key();
  }

  private static List<String> words(Arrival arrival) {
    return List.of(arrival.key().split(" ", -1));
  }

  /** What was acknowledged is never new again; what has expired stays so. */
  private void acknowledgedStays() {
    var last = new HashMap<String, String>();
    for (List<String> word : saw.reports(Report.ACCEPTED)) {
      String key = word.get(1);
      String before = last.put(key, word.get(3));
      hold(
          switch (word.get(3)) {
            case "new" -> before == null;
            case "known" -> !"expired".equals(before);
            default -> Case.of(key).kind() == Case.Kind.NOTE;
          },
          "a start heard something else than before",
          word,
          before);
    }
    var received = new HashSet<String>();
    for (List<String> word : saw.reports(Report.RECEIVED)) {
      boolean isFirst = received.add(word.get(1));
      hold(
          word.get(2).equals("DUPLICATE") || (isFirst && word.get(2).equals("ACCEPTED")),
          "an event was taken for a new one again",
          word);
    }
    for (Case note : all(Case.Kind.NOTE)) {
      hold(
          "expired".equals(last.get(note.key())),
          "a run has expired, but its key does not say so",
          note.key(),
          last.get(note.key()));
    }
  }

  private void caseHasEnded(Case one) {
    String key = one.key();
    Run run = runs.get(one.kind().flow() + " " + key);
    if (one.kind() == Case.Kind.NOTE) {
      hold(run == null, "a run should have expired", key);
      hold(applied("noted " + key).size() == 1, "a note did not happen once", key);
      return;
    }
    if (run == null) {
      hold(false, "a run is not there", key);
      return;
    }
    String output = run.output() == null ? "" : Json.read(run.output(), String.class);
    switch (one.kind()) {
      case TRIP -> tripIsUndoneOrPaid(one);
      case OFFER ->
          hold(
              output.equals(content("sent " + key))
                  && (!one.isIgnored() || output.equals("approve by null")),
              "an offer was sent with another decision than its run has",
              key,
              output);
      case PAYMENT ->
          hold(
              output.equals(content("booked " + key))
                  && (one.isIgnored() ? output.equals("expired") : output.startsWith("value-")),
              "a payment was booked with another answer than its run has",
              key,
              output);
      case ORDER -> hold(output.equals("6 arrived"), "an order is not whole", key, output);
      case STOCK ->
          hold(
              output.equals(content("enter " + key)) && output.equals(content("leave " + key)),
              "a run was inside with another lock than it has",
              key,
              output);
      case NOTE -> {}
    }
  }

  /** Undone is what was sent, the last first; nothing of a trip that was paid. */
  private void tripIsUndoneOrPaid(Case trip) {
    String key = trip.key();
    List<Long> order =
        Stream.concat(
                BOOKINGS.stream().map(booking -> booking + " " + key),
                BOOKINGS.reversed().stream().map(booking -> booking + ".undo " + key))
            .map(this::applied)
            .filter(came -> !came.isEmpty())
            .map(came -> came.getFirst().number())
            .toList();
    hold(
        order.size() == (trip.isDoomed() ? 6 : 3) && order.stream().sorted().toList().equals(order),
        "a trip was not undone in reverse order",
        key,
        order);
    for (String booking : BOOKINGS) {
      EffectRecord effect = effects.get(booking + " " + key);
      hold(
          effect != null
              && effect.state() == (trip.isDoomed() ? EffectState.UNDONE : EffectState.DONE),
          "a booking is not in its state",
          key,
          effect);
    }
  }

  private void runHasEnded(Run run) {
    boolean isDoomed = run.flow().equals(Case.Kind.TRIP.flow()) && Case.of(run.key()).isDoomed();
    hold(
        run.status() == (isDoomed ? RunStatus.COMPENSATED : RunStatus.SUCCEEDED),
        "a run has not come to its end",
        run.id(),
        run.key(),
        run.status(),
        run.error());
  }

  /** Who removes the duplicate decides what may be seen at the destination. */
  private void effectHappenedOnce(EffectRecord effect) {
    List<Arrival> came = arrivals.getOrDefault(sent(effect), List.of());
    boolean isRefused =
        effect.step().name().equals("pay") && Case.of(effect.key().key()).isDoomed();
    if (isRefused) {
      hold(
          effect.state() == EffectState.FAILED && came.isEmpty(),
          "an effect that was refused is not failed",
          effect);
      return;
    }
    hold(
        effect.state() == EffectState.DONE || effect.state() == EffectState.UNDONE,
        "an effect is left open",
        effect);
    long applied = applied(sent(effect)).size();
    boolean mayRepeat = came.stream().allMatch(arrival -> arrival.mode() == Mode.UPSERT);
    hold(
        applied == 1 || (applied > 1 && mayRepeat),
        "an effect did not happen once",
        sent(effect),
        came);
  }

  private void arrivalHasItsEffect(String sent, List<Arrival> came) {
    EffectRecord effect = effects.get(sent);
    boolean isForgotten = SOON_FORGOTTEN.contains(sent.substring(0, sent.indexOf(' ')));
    hold(effect != null || isForgotten, "something arrived without its effect", sent);
    long keys = came.stream().map(Arrival::wireKey).distinct().count();
    boolean isChanged = effect != null && effect.kind() == Kind.UPDATE && keys <= effect.revision();
    hold(keys == 1 || isChanged, "an effect arrived under several keys", sent, came);
  }

  /** One run per nominal instant, however long no process ran. */
  private void everyInstantHasTicked() {
    var ticked = new TreeSet<Instant>();
    for (String sent : arrivals.keySet()) {
      if (sent.startsWith(Notes.SCHEDULE + " ")) {
        ticked.add(Instant.parse(sent.substring(Notes.SCHEDULE.length() + 1)));
        hold(applied(sent).size() == 1, "an instant did not tick once", sent);
      }
    }
    hold(!ticked.isEmpty(), "nothing ticked");
    Instant before = null;
    for (Instant instant : ticked) {
      hold(
          before == null || before.plus(Notes.PERIOD).equals(instant),
          "instants were left out",
          before,
          instant);
      before = instant;
    }
  }

  private void everyOrderWasReported() {
    var contents = new TreeSet<String>();
    for (String sent : arrivals.keySet()) {
      if (sent.startsWith("deliver ")) {
        hold(contents.add(content(sent)), "two messages say the same", sent);
      }
    }
    var orders = new TreeSet<String>();
    all(Case.Kind.ORDER).forEach(order -> orders.add(Json.write(order.key())));
    hold(contents.equals(orders), "messages are missing", contents, orders);
    long deliveries =
        saw.runs().stream().filter(run -> run.flow().startsWith(StoredMessage.FLOWS)).count();
    hold(deliveries == orders.size(), "there are more deliveries than messages", deliveries);
  }

  private void nothingIsHeldOrMiscounted() {
    hold(saw.holds().isEmpty(), "slots or locks are held by nobody", saw.holds());
    int orders = all(Case.Kind.ORDER).size();
    counted(Orders.COUNTER, orders);
    counted(Orders.LINE_COUNTER, orders * new Case(0).lines().size());
    for (String shelf : Case.shelves()) {
      counted(
          shelf,
          (int) all(Case.Kind.STOCK).stream().filter(one -> one.shelf().equals(shelf)).count());
    }
  }

  private void counted(String counter, int expected) {
    hold(
        Integer.toString(expected).equals(saw.counters().get(counter)),
        "a counter is wrong",
        counter,
        saw.counters().get(counter),
        expected);
  }

  private List<Case> all(Case.Kind kind) {
    return cases.stream().filter(one -> one.kind() == kind).toList();
  }

  /** The arrivals that changed something, in order; unguarded ones all count. */
  private List<Arrival> applied(String sent) {
    Predicate<Arrival> counts =
        arrival ->
            arrival.mode() == Mode.RAW ? arrival.fault() != Fault.REFUSED : arrival.applied();
    return arrivals.getOrDefault(sent, List.of()).stream().filter(counts).toList();
  }

  /** The words behind step and key, of the first that was applied. */
  private String content(String sent) {
    List<Arrival> came = applied(sent);
    return came.isEmpty() ? "" : came.getFirst().key().substring(sent.length()).strip();
  }

  private void hold(boolean claim, String otherwise, @Nullable Object... details) {
    if (!claim) {
      problems.add(otherwise + ": " + Arrays.toString(details));
    }
  }
}
