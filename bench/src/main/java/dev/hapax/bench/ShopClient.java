package dev.hapax.bench;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Sends the steps of orders to the shop; the same client for every engine that runs our code. */
final class ShopClient implements AutoCloseable {
  private static final int OK = 200;

  private final HttpConnections connections;

  ShopClient(URI shop) {
    this.connections = new HttpConnections(shop);
  }

  /** Posts a step with its idempotency key, and returns the answer. */
  String post(String step, String key) throws IOException {
    HttpConnections.Reply reply =
        connections.send(
            "POST",
            "/" + step,
            Map.of("Content-Type", "application/json", "Idempotency-Key", key),
            "{\"order\":\"%s\"}".formatted(key));
    if (reply.status() != OK) {
      throw new IOException("the shop says " + reply);
    }
    return reply.body();
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
