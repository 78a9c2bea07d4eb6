package dev.hapax.bench;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.json.Digest;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The measured work: an order is charged, invoiced and mailed; each destination answers at once.
 */
final class OrderFlow {
  static final String NAME = "order";
  static final String[] STEPS = {"charge", "invoice", "mail"};

  private OrderFlow() {}

  record Order(String id, long amount) {}

  record Receipt(String id, String status, long amount) {}

  static Flow<Order, Receipt> flow() {
    return builder().body(OrderFlow::body);
  }

  static Flow.Builder<Order, Receipt> builder() {
    return Flow.of(NAME, Order.class, Receipt.class).key(Order::id);
  }

  /** The same as a flow file, whose handler "pay" answers at once. */
  static String file(String name) {
    return """
        flow: %s
        input:
          type: object
          required: [id, amount]
          properties: {id: {type: string}, amount: {type: integer}}
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: pay, input: "${input}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: invoice
            call: {handler: pay, input: "${input}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: mail
            call: {handler: pay, input: "${input}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        output: ${steps.mail.output}
        """
        .formatted(name);
  }

  /** The same with HTTP steps, through a connection to the shop. */
  static String httpFile(String name, String connection) {
    return """
        flow: %s
        input:
          type: object
          required: [id, amount]
          properties: {id: {type: string}, amount: {type: integer}}
        key: ${input.id}
        steps:
          - id: charge
            http: {connection: %s, method: POST, path: /charge, body: {order: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: invoice
            http: {connection: %s, method: POST, path: /invoice, body: {order: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: mail
            http: {connection: %s, method: POST, path: /mail, body: {order: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        output: ${steps.mail.output.body}
        """
        .formatted(name, connection, connection, connection);
  }

  static @Nullable Receipt body(RunContext run, Order order) {
    Receipt last = null;
    for (String step : STEPS) {
      last =
          run.effect(step, Effect.create(order.id()).keyed(), _ -> receipt(order), Receipt.class);
    }
    return last;
  }

  /** The same steps as requests to the shop; the result is the shop's last answer. */
  static Flow<Order, String> overHttp(ShopClient shop) {
    return Flow.of(NAME, Order.class, String.class)
        .key(Order::id)
        .body((run, order) -> postAll(run, order, shop));
  }

  private static String postAll(RunContext run, Order order, ShopClient shop) {
    String last = "";
    for (String step : STEPS) {
      last =
          run.effect(
              step, Effect.create(order.id()).keyed(), key -> shop.post(step, key), String.class);
    }
    return last;
  }

  static Receipt receipt(Order order) {
    return new Receipt("ch_" + order.id().substring(0, 8), "succeeded", order.amount());
  }

  /** Keys are random, as in practice: an index cannot just append at its end. */
  static Order randomOrder() {
    var random = ThreadLocalRandom.current();
    byte[] bytes =
        ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong()).array();
    return new Order(Digest.base32(bytes, bytes.length), random.nextLong(100, 100_000));
  }
}
