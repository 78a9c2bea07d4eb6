package dev.hapax.app.crash;

import static java.util.Objects.requireNonNull;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.SinkClient;
import dev.hapax.testkit.fault.SinkRequest;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.io.IOException;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * The flow under test: steps and a read, one effect per guard of the order, and a wait after the
 * first of them.
 *
 * @param boot the number of the process within its test
 */
record OrderFlow(int boot, SinkClient sink, DestinationDatabase<Connection> books) {
  static final String NAME = "order";

  /** Many and quick: what decides about a repeat is the guard, and a test should not wait. */
  private static final RetryPolicy PATIENT =
      new RetryPolicy(
          1000, Duration.ofMillis(20), 1.2, Duration.ofMillis(50), 0.2, Duration.ofDays(1));

  /**
   * Longer than the sink ever delays, and with the settle time what a recovered lookup has to wait
   * for.
   */
  private static final Duration LOOKUP_TIMEOUT = Duration.ofMillis(400);

  private static final Duration SETTLE = Duration.ofMillis(150);
  private static final Duration WAIT = Duration.ofMillis(25);

  Flow<Order, String> flow() {
    return Flow.of(NAME, Order.class, String.class).key(Order::id).body(this::carryOut);
  }

  /**
   * Returns the quote, so that the oracle finds in the run's output what it finds in the requests.
   */
  private String carryOut(RunContext run, Order order) {
    var charge = new Charge(order.id(), order.quoted() ? quote(run, order) : "no-quote", boot);
    for (Order.Guarded effect : order.effects()) {
      send(run, effect, charge);
      if (effect == order.effects().getFirst()) {
        run.sleep("cool-off", WAIT);
      }
    }
    return charge.quote();
  }

  private String quote(RunContext run, Order order) {
    String quote = run.step("quote", () -> UUID.randomUUID().toString(), String.class);
    run.read(
        "price",
        PATIENT,
        () -> sink.find("price of " + order.id()).orElse("unknown"),
        String.class);
    return requireNonNull(quote);
  }

  private void send(RunContext run, Order.Guarded effect, Charge charge) {
    String key = charge.order();
    switch (effect) {
      case KEYED ->
          run.effect(
              effect.step(),
              Effect.create(key).request(charge).keyed().retry(PATIENT),
              (wireKey, request) -> post(Mode.KEYED, wireKey, request),
              String.class);
      case UPSERT ->
          run.effect(
              effect.step(),
              Effect.update(key).request(charge).upsert().retry(PATIENT),
              (wireKey, request) -> post(Mode.UPSERT, wireKey, request),
              String.class);
      case LOOKUP ->
          run.effect(
              effect.step(),
              Effect.create(key)
                  .request(charge)
                  .lookup(_ -> sink.find(key), SETTLE)
                  .timeout(LOOKUP_TIMEOUT)
                  .retry(PATIENT),
              (wireKey, request) -> post(Mode.LOOKUP, wireKey, request),
              String.class);
      case NONE ->
          run.effect(
              effect.step(),
              Effect.notify(key).request(charge).unguarded().retry(PATIENT),
              (wireKey, request) -> post(Mode.RAW, wireKey, request),
              String.class);
      case TRANSACTION ->
          run.effect(
              effect.step(),
              Effect.create(key).transaction(books).retry(PATIENT),
              (wireKey, connection) -> book(connection, wireKey, charge),
              String.class);
    }
  }

  private String post(Mode mode, String wireKey, Charge charge) throws IOException {
    try {
      return sink.send(new SinkRequest(mode, charge.order(), wireKey, Json.write(charge)));
    } catch (ConnectException | SinkClient.Refused e) {
      throw new NotApplied(String.valueOf(e.getMessage()), e);
    }
  }

  private static String book(Connection connection, String wireKey, Charge charge)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(Books.INSERT)) {
      insert.setString(1, charge.order());
      insert.setString(2, wireKey);
      insert.setString(3, charge.quote());
      insert.executeUpdate();
    }
    return "booked";
  }
}
