package dev.hapax.app.cli;

import java.io.IOException;

/** The files on the desk of the golden tests. */
final class Samples {
  private Samples() {}

  static void putInto(Desk desk) throws IOException {
    desk.put(
        "good.yaml",
        """
        flow: good
        key: ${input.id}
        steps:
          - id: order
            http: {connection: shop, method: PUT, path: "/orders/${input.id}", body: {state: paid}}
            effect: {kind: update, key: "${input.id}", guard: upsert}
        """);
    desk.put(
        "warned.yaml",
        """
        flow: warned
        key: ${input.id}
        steps:
          - id: ask
            approval: {ask: "Is it so?"}
        """);
    desk.put(
        "bad.yaml",
        """
        flow: bad
        key: ${input.id}
        steps:
          - id: order
            http: {connection: shop, method: POST, path: /orders}
        """);
    desk.put("input.json", "{\"orderId\": \"A-1\"}");
    desk.put("token.txt", "secret-of-the-file\n");
    desk.put("data/admin.token", "secret-token\n");
  }
}
