package dev.hapax.app.crash.feature;

import static dev.hapax.app.crash.feature.Post.AGES;
import static dev.hapax.app.crash.feature.Post.LOOKUP_TIMEOUT;
import static dev.hapax.app.crash.feature.Post.PATIENT;
import static dev.hapax.app.crash.feature.Post.SETTLE;
import static dev.hapax.app.crash.feature.Post.TIMEOUT;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.testkit.fault.SinkRequest.Mode;

/** Three bookings under different guards that are undone in reverse order if the payment fails. */
record Trips(Post post) {
  private static final String FLIGHT = "flight";
  private static final String HOTEL = "hotel";
  private static final String CAR = "car";

  Flow<Case, String> flow() {
    return Flow.of(Case.Kind.TRIP.flow(), Case.class, String.class)
        .key(Case::key)
        .onFailure(Flow.OnFailure.COMPENSATE)
        .body(this::book);
  }

  private String book(RunContext run, Case trip) {
    String key = trip.key();
    run.effect(
        FLIGHT,
        Effect.create(key).keyed(AGES).timeout(TIMEOUT).retry(PATIENT).compensate(undoFlight(key)),
        wireKey -> {
          post.send(Mode.KEYED, "request", FLIGHT + " " + key, wireKey);
        });
    run.effect(
        HOTEL,
        Effect.create(key)
            .lookup(_ -> post.find(HOTEL + " " + key), SETTLE)
            .timeout(LOOKUP_TIMEOUT)
            .retry(PATIENT)
            .compensate(undoHotel(key)),
        wireKey -> {
          post.send(Mode.LOOKUP, "request", HOTEL + " " + key, wireKey);
        });
    run.sleep("think", SETTLE);
    run.effect(
        CAR,
        Effect.create(key).keyed(AGES).timeout(TIMEOUT).retry(PATIENT).compensate(undoCar(trip)),
        wireKey -> {
          post.send(Mode.KEYED, "request", CAR + " " + key, wireKey);
        });
    pay(run, trip);
    return "paid";
  }

  private void pay(RunContext run, Case trip) {
    if (trip.isDoomed()) {
      run.effect(
          "pay",
          Effect.create(trip.key()).keyed(),
          _ -> {
            throw new Rejected("no-money", "the card is refused");
          });
    }
    post.once(run, "pay", trip.key());
  }

  private Undo undoFlight(String key) {
    return Undo.keyed(AGES, wireKey -> cancel(Mode.KEYED, FLIGHT, key, wireKey))
        .timeout(TIMEOUT)
        .retry(PATIENT);
  }

  private Undo undoHotel(String key) {
    return Undo.lookup(
            _ -> post.find(undo(HOTEL, key)),
            SETTLE,
            wireKey -> cancel(Mode.LOOKUP, HOTEL, key, wireKey))
        .timeout(LOOKUP_TIMEOUT)
        .retry(PATIENT);
  }

  private Undo undoCar(Case trip) {
    Undo undo =
        trip.isUnguarded()
            ? Undo.unguarded(wireKey -> cancel(Mode.RAW, CAR, trip.key(), wireKey))
            : Undo.upsert(wireKey -> cancel(Mode.UPSERT, CAR, trip.key(), wireKey));
    return undo.timeout(TIMEOUT).retry(PATIENT);
  }

  private void cancel(Mode mode, String what, String key, String wireKey) throws Exception {
    post.send(mode, "undo", undo(what, key), wireKey);
  }

  private static String undo(String what, String key) {
    return what + ".undo " + key;
  }
}
