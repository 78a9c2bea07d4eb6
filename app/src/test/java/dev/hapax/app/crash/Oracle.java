package dev.hapax.app.crash;

import static java.util.stream.Collectors.groupingBy;

import dev.hapax.app.crash.Order.Guarded;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.Sink;
import dev.hapax.testkit.fault.SinkFaults.Fault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the witnesses say and names every broken promise, by the numbers of the invariants
 * in the reliability guide. It calls no engine code.
 */
public final class Oracle {
  private final Witnesses saw;
  private final Map<Long, Run> runs = new HashMap<>();
  private final Map<Sent, EffectRecord> effects = new HashMap<>();
  private final Map<Sent, List<Arrival>> arrivals;
  private final Map<String, List<Books.Booking>> bookings;
  private final List<String> problems = new ArrayList<>();

  /** An effect as the outside sees it: which one, and its business key. */
  private record Sent(Guarded effect, String key) {
    static Sent of(Arrival arrival) {
      return new Sent(
          switch (arrival.mode()) {
            case KEYED -> Guarded.KEYED;
            case UPSERT -> Guarded.UPSERT;
            case LOOKUP -> Guarded.LOOKUP;
            case RAW -> Guarded.NONE;
            case FIND -> throw new IllegalArgumentException("a read is no arrival");
          },
          arrival.key());
    }

    static Sent of(EffectRecord effect) {
      return new Sent(
          Guarded.valueOf(effect.step().name().toUpperCase(Locale.ROOT)), effect.key().key());
    }
  }

  private Oracle(Witnesses saw) {
    this.saw = saw;
    saw.runs().forEach(run -> runs.put(run.number(), run));
    saw.effects().forEach(effect -> effects.put(Sent.of(effect), effect));
    arrivals = saw.arrivals().stream().collect(groupingBy(Sent::of));
    bookings = saw.bookings().stream().collect(groupingBy(Books.Booking::order));
  }

  /** Every promise that was broken; empty if all were kept. */
  public static List<String> problems(Witnesses saw) {
    var oracle = new Oracle(saw);
    oracle.acknowledgedRunsAreThere();
    saw.runs().forEach(oracle::runHasSettled);
    saw.runs().forEach(oracle::isNotQuarantined);
    oracle.everyArrivalHasAnIntent();
    saw.effects().forEach(oracle::check);
    return oracle.problems;
  }

  private void check(EffectRecord effect) {
    List<Arrival> came = arrivals.getOrDefault(Sent.of(effect), List.of());
    hasSettled(effect);
    everyArrivalCarriesTheIntent(effect, came);
    everyArrivalIsYoungerThanItsIntent(effect, came);
    if (Sent.of(effect).effect() == Guarded.TRANSACTION) {
      happenedOnceInTheBooks(effect);
    } else {
      happenedOnce(effect, came);
      resultIsTheSinks(effect, came);
    }
    outsideSawOneQuote(effect);
  }

  /**
   * O1 and O2: nothing that a client got acknowledged is lost, and every answer for a key names the
   * one run. A key names its run's id, so a run that was lost and made again shows only by being
   * new.
   */
  private void acknowledgedRunsAreThere() {
    hold(
        saw.madeAgain().isEmpty(),
        "O1: runs were acknowledged, and later acknowledged as new",
        saw.madeAgain());
    Map<String, List<Run>> byKey = saw.runs().stream().collect(groupingBy(Run::key));
    byKey.forEach((key, of) -> hold(of.size() == 1, "O2: a key has more than one run", key, of));
    saw.acknowledged()
        .forEach(
            (key, ids) -> {
              String id = RunId.of("default", OrderFlow.NAME, key, null).toString();
              hold(
                  ids.equals(Set.of(id)),
                  "O2: clients were told other runs than the key's own",
                  ids,
                  key,
                  id);
              hold(byKey.containsKey(key), "O1: a run was acknowledged and is not there", key);
            });
  }

  /** No run here ends a process: what kills them must not keep a run out of memory. */
  private void isNotQuarantined(Run run) {
    hold(
        saw.histories().getOrDefault(run.number(), List.of()).stream()
            .noneMatch(entry -> entry.type().equals("quarantined")),
        "an innocent run was quarantined",
        run.key(),
        run.error());
  }

  /**
   * O1 and O8: once the faults have stopped, a run ends with all its effects, or is parked on a
   * review.
   */
  private void runHasSettled(Run run) {
    switch (run.status()) {
      case SUCCEEDED -> {
        for (Guarded effect : Json.read(run.input(), Order.class).effects()) {
          EffectRecord record = effects.get(new Sent(effect, run.key()));
          hold(isDone(record), "O8: a run succeeded without its effect", run.key(), effect, record);
        }
      }
      case REVIEW ->
          hold(
              saw.effects().stream()
                  .anyMatch(effect -> effect.run() == run.number() && isListed(effect)),
              "O7: a run is in review, but none of its effects is listed",
              run.key());
      default ->
          hold(
              false,
              "O1: a run has not come to an end or a review",
              run.key(),
              run.status(),
              saw.histories().get(run.number()));
    }
  }

  /**
   * O7: no doubt is left over. With this many retries only an unguarded effect needs a person, and
   * always then.
   */
  private void hasSettled(EffectRecord effect) {
    boolean unguarded = Sent.of(effect).effect() == Guarded.NONE;
    Run run = runs.get(effect.run());
    hold(
        effect.state() == EffectState.DONE || (unguarded && isListed(effect)),
        "O7: an effect is left open, or in review without need",
        effect.key(),
        effect.state(),
        effect.evidence());
    hold(
        effect.state() != EffectState.REVIEW || (run != null && run.status() == RunStatus.REVIEW),
        "O7: an effect is in review, but its run is not",
        effect.key());
    boolean ambiguous =
        arrivals.getOrDefault(Sent.of(effect), List.of()).stream().anyMatch(Arrival::isAmbiguous);
    hold(
        !unguarded || !ambiguous || isListed(effect),
        "O7: nobody heard the answer of an unguarded effect, but it is not listed",
        effect.key(),
        effect.state());
  }

  private void everyArrivalHasAnIntent() {
    arrivals
        .keySet()
        .forEach(
            sent ->
                hold(effects.containsKey(sent), "O4: a request arrived without an intent", sent));
    bookings
        .keySet()
        .forEach(
            order ->
                hold(
                    effects.containsKey(new Sent(Guarded.TRANSACTION, order)),
                    "O4: an order was booked without an intent",
                    order));
  }

  /** O5 and O6: one wire key, and always the bytes that the intent stored, from every sender. */
  private void everyArrivalCarriesTheIntent(EffectRecord effect, List<Arrival> came) {
    String request = effect.request();
    for (Arrival arrival : came) {
      hold(
          arrival.wireKey().equals(effect.wireKey()),
          "O5: a request arrived under another key than the effect's",
          effect.key(),
          arrival.wireKey(),
          effect.wireKey());
      hold(
          request != null && arrival.payloadHash().equals(Sink.hash(request)),
          "O6: a request does not carry the bytes that its intent stored",
          arrival.number(),
          effect.key(),
          request);
    }
  }

  /**
   * O4: by the time the nth request of an effect arrived, n intents were on record. The engine
   * counts milliseconds, and may be one ahead of the sink's clock; a commit and a request can be
   * faster than that.
   */
  private void everyArrivalIsYoungerThanItsIntent(EffectRecord effect, List<Arrival> came) {
    List<HistoryEntry> intents =
        saw.histories().getOrDefault(effect.run(), List.of()).stream()
            .filter(
                entry -> entry.type().equals("intent") && effect.step().name().equals(entry.step()))
            .toList();
    for (int i = 0; i < came.size(); i++) {
      Arrival arrival = came.get(i);
      Instant latest = arrival.at().plusMillis(1);
      long older = intents.stream().filter(intent -> !intent.at().isAfter(latest)).count();
      hold(
          older > i,
          "O4: more requests came than there were intents before",
          i + 1,
          effect.key(),
          older);
    }
  }

  /** O6: who removes the duplicate decides what may be seen at the destination. */
  private void happenedOnce(EffectRecord effect, List<Arrival> came) {
    long applied = came.stream().filter(Arrival::applied).count();
    long notRefused = came.stream().filter(arrival -> arrival.fault() != Fault.REFUSED).count();
    boolean done = effect.state() == EffectState.DONE;
    boolean once =
        switch (Sent.of(effect).effect()) {
          case KEYED, LOOKUP -> applied == 1 || (applied == 0 && !done);
          case UPSERT -> applied >= 1 || !done; // its repeats are compared byte by byte above
          case NONE ->
              notRefused == 1 || (notRefused == 0 && !done); // nothing removes a second one
          case TRANSACTION -> true;
        };
    hold(
        once,
        "O6: an effect did not happen as often as its state says",
        effect.key(),
        effect.state(),
        applied,
        came);
  }

  private void happenedOnceInTheBooks(EffectRecord effect) {
    List<Books.Booking> rows = bookings.getOrDefault(effect.key().key(), List.of());
    hold(
        rows.size() == 1 || (rows.isEmpty() && effect.state() != EffectState.DONE),
        "O6: an effect was not booked as often as its state says",
        effect.key(),
        effect.state(),
        rows.size());
    for (Books.Booking row : rows) {
      hold(
          row.wireKey().equals(effect.wireKey()),
          "O5: an order was booked under another key than the effect's",
          effect.key(),
          row.wireKey());
    }
  }

  /** O8: what the ledger holds as a result, the destination has given. */
  private void resultIsTheSinks(EffectRecord effect, List<Arrival> came) {
    if (effect.state() == EffectState.DONE) {
      String result = effect.result();
      String receipt = result == null ? null : Json.read(result, String.class);
      hold(
          came.stream().anyMatch(arrival -> arrival.applied() && arrival.receipt().equals(receipt)),
          "O8: an effect is done with a result that the sink never gave",
          effect.key(),
          receipt);
    }
  }

  /**
   * O4: what a step computed is durable before the outside sees it, so a crash cannot make it
   * compute another.
   */
  private void outsideSawOneQuote(EffectRecord effect) {
    Run run = runs.get(effect.run());
    String output = run == null ? null : run.output();
    if (output == null) {
      return;
    }
    String quote = Json.read(output, String.class);
    String request = effect.request();
    if (request != null) {
      String sent = Json.read(request, Charge.class).quote();
      hold(
          sent.equals(quote),
          "O4: an effect sent another value than its run has recorded",
          effect.key(),
          sent,
          quote);
    }
    for (Books.Booking row : bookings.getOrDefault(effect.key().key(), List.of())) {
      hold(
          Objects.equals(row.quote(), quote),
          "O4: an order was booked with another value than its run has recorded",
          effect.key(),
          row.quote());
    }
  }

  private static boolean isDone(@Nullable EffectRecord effect) {
    return effect != null && effect.state() == EffectState.DONE;
  }

  private boolean isListed(EffectRecord effect) {
    return effect.state() == EffectState.REVIEW && saw.inReview().contains(effect.id());
  }

  private void hold(boolean claim, String otherwise, @Nullable Object... details) {
    if (!claim) {
      problems.add(otherwise + ": " + Arrays.toString(details));
    }
  }
}
