package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Runs with a story: retries, a loop, a wait, a branch, a doubt, an undo, a child, many entries.
 */
final class RunSeed {
  private static final String PARCEL =
      """
      flow: shipment
      description: Reserves, packs and pays an order, then ships it.
      key: ${input.id}
      steps:
        - id: reserve
          call: {handler: charge, input: "reserve-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1000, delay: 50ms, factor: 1}
          compensate:
            call: {handler: charge, input: "release-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: pack
          forEach: {items: "${input.lines}", atOnce: 2}
          itemKey: ${item.sku}
          call: {handler: charge, input: "pack-${item.sku}"}
          effect: {kind: create, key: "${input.id}/${item.sku}", guard: keyed}
        - id: size
          choose:
            - when: ${size(input.lines) > 2}
              steps:
                - {id: pallet, set: {on: pallet}}
            - otherwise:
                - {id: box, set: {on: box}}
        - id: rest
          wait: {for: 1s}
        - id: pay
          call: {handler: charge, input: "pay-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
          compensate:
            call: {handler: charge, input: "refund-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: label
          call: {handler: charge, input: "label-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1}
      onFailure: compensate
      output: {label: "${steps.label.output.charged}"}
      """;
  private static final String FAMILY =
      """
      flow: family
      key: ${input.id}
      steps:
        - id: child
          flow: {name: order, input: {id: "${input.id}-child"}}
      """;
  private static final String SHARED =
      """
      flow: shared
      key: ${input.id}
      steps:
        - id: charge
          call: {handler: charge, input: "${input.order}"}
          effect: {name: charge.card, kind: create, key: "${input.order}", guard: keyed}
      """;
  private static final String MANY =
      """
      flow: many
      key: ${input.id}
      steps:
        - id: each
          forEach: {items: "${input.items}", atOnce: 64}
          itemKey: ${string(item)}
          set: {n: "${item}"}
      output: {all: "${steps.each.output.succeeded}"}
      """;

  private RunSeed() {}

  static void into(TestServer server) {
    server.release(PARCEL);
    server.release(FAMILY);
    server.release(SHARED);
    server.release(MANY);
  }

  /** Starts a shipment whose reservation is refused a few times before it is taken. */
  static String shipment(TestServer server, String id, int lines) {
    server.mood("reserve-" + id, "busy");
    String run = start(server, "shipment", input(id, lines));
    await(server, run, entry -> entry.path("attempt").asInt(0) == 3);
    server.mood("reserve-" + id, "fine");
    return run;
  }

  private static Map<String, Object> input(String id, int lines) {
    List<Map<String, Object>> items =
        IntStream.rangeClosed(1, lines)
            .mapToObj(i -> Map.<String, Object>of("sku", id + "-sku-" + i, "count", i))
            .toList();
    return Map.of("id", id, "lines", items, "customer", Map.of("name", "Ada", "city", "Köln"));
  }

  static String family(TestServer server, String id) {
    return start(server, "family", Map.of("id", id));
  }

  /** Starts a run with two entries for each of its items. */
  static String many(TestServer server, String id, int items) {
    return start(
        server,
        "many",
        Map.of("id", id, "items", IntStream.rangeClosed(1, items).boxed().toList()));
  }

  static String start(TestServer server, String flow, Map<String, Object> input) {
    return server.post("/api/flows/" + flow + "/runs", Json.write(input)).at("/id");
  }

  /** Waits until the history of a run has such an entry. */
  static void await(TestServer server, String run, Predicate<JsonNode> isAwaited) {
    while (true) {
      for (JsonNode entry : server.get("/api/runs/" + run + "/history").body().path("items")) {
        if (isAwaited.test(entry)) {
          return;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Waits until a run has a status. */
  static void awaitStatus(TestServer server, String run, String status) {
    while (!server.get("/api/runs/" + run).at("/status").equals(status)) {
      Thread.onSpinWait();
    }
  }

  /** Waits until a run says that it has stopped a repeat. */
  static void awaitRepeat(TestServer server, String run) {
    while (server.get("/api/runs/" + run).at("/duplicates").equals("0")) {
      Thread.onSpinWait();
    }
  }
}
