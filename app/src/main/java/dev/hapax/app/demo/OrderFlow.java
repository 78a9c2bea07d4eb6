package dev.hapax.app.demo;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RetryPolicy;
import java.time.Duration;
import java.util.Objects;

/** The demo's one flow: an order is charged, invoiced and mailed. */
final class OrderFlow {
  /** How long a request about money may take before the worker gives up waiting. */
  static final Duration PATIENCE = Duration.ofMillis(800);

  /** Longer for a mail: giving up on one costs a person's time. */
  private static final Duration PATIENCE_WITH_MAIL = Duration.ofSeconds(15);

  /**
   * What an attempt gets on top, so that the request's own timeout ends it and not the engine's.
   */
  private static final Duration MARGIN = Duration.ofMillis(200);

  /**
   * Generous against what {@link Sandbox#TOO_LATE} takes: a busy machine must not make a liar of
   * it.
   */
  private static final Duration SETTLE = Duration.ofSeconds(2);

  private static final RetryPolicy RETRY =
      new RetryPolicy(
          12, Duration.ofMillis(100), 1.5, Duration.ofMillis(300), 0.2, Duration.ofMinutes(10));

  private OrderFlow() {}

  /** What the customer gets: the ids that the outside systems gave. */
  record Receipt(String charge, String invoice) {}

  static Flow<Order, Receipt> over(Outside outside) {
    return Flow.of("order", Order.class, Receipt.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              var task = new Sandbox.Task(order.id(), order.cents(), order.email());

              // Payment removes duplicates by the key, so a lost answer is settled by sending
              // again.
              var keyed = Effect.create(order.id()).request(task).keyed().name(Sandbox.CHARGE);
              var charge =
                  run.effect(
                      Sandbox.CHARGE,
                      within(PATIENCE, keyed),
                      (key, request) -> outside.post(Sandbox.CHARGES, key, request, PATIENCE),
                      Book.Entry.class);

              // Accounting would write a second invoice, but can be asked for the first.
              String where = Sandbox.INVOICES + "?order=" + order.id();
              var lookup =
                  Effect.create(order.id())
                      .request(task)
                      .lookup(_ -> outside.find(where, PATIENCE), SETTLE)
                      .name(Sandbox.INVOICE);
              var invoice =
                  run.effect(
                      Sandbox.INVOICE,
                      within(PATIENCE, lookup),
                      (key, request) -> outside.post(Sandbox.INVOICES, key, request, PATIENCE),
                      Book.Entry.class);

              // Nobody can tell whether a mail went out: a lost answer goes to a person.
              var unguarded =
                  Effect.notify(order.id()).request(task).unguarded().name(Sandbox.MAIL);
              run.effect(
                  Sandbox.MAIL,
                  within(PATIENCE_WITH_MAIL, unguarded),
                  (key, request) -> outside.post(Sandbox.MAILS, key, request, PATIENCE_WITH_MAIL),
                  Book.Entry.class);

              return new Receipt(
                  Objects.requireNonNull(charge).id(), Objects.requireNonNull(invoice).id());
            });
  }

  private static <R> Effect<R> within(Duration patience, Effect<R> effect) {
    return effect.retry(RETRY).timeout(patience.plus(MARGIN));
  }
}
