package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

/** A flow with every kind of input, three releases, two triggers and a draft with findings. */
final class FlowSeed {
  private static final String SHIPMENT =
      """
      flow: shipment
      description: Books a parcel for an order, tells the customer, and asks a person above 500 EUR.
      labels: [logistics]
      triggers:
        - webhook:
            path: shipments
            verify: {scheme: none}
            event: ${event.body.id}
            input: ${event.body}
        - schedule: {name: nightly-shipments, cron: "0 2 * * *", timezone: Europe/Berlin, input: {id: "night ${schedule.time}", carrier: dhl, weight: 1}}
      input:
        type: object
        required: [id, carrier, weight]
        properties:
          id: {type: string, description: The number of the order.}
          carrier: {enum: [dhl, ups, "<script>alert(1)</script>"]}
          weight: {type: number, description: In kilograms.}
          parcels: {type: integer}
          express: {type: boolean}
          tags: {type: array, items: {type: string}}
          address:
            type: object
            required: [city]
            properties: {city: {type: string}, zip: {type: string}}
          extra: {}
      key: ${input.id}
      steps:
        - {id: quote, set: {price: "${input.weight}"}}
        - id: book
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
        - id: large
          when: ${steps.quote.output.price > 500}
          approval: {ask: "Ship ${input.id}?", roles: [finance], expires: 3d, onExpire: reject}
      output: {parcel: "${steps.book.output.charged}"}
      """;

  private FlowSeed() {}

  static void into(TestServer server) {
    server.release(SHIPMENT);
    draft(server, SHIPMENT.replace("3d", "5d"));
    release(server, "Approvals wait longer");
    draft(server, SHIPMENT.replace("3d", "5d").replace("> 500", "> 800"));
    release(server, "Fewer approvals");
    server.put("/api/flows/shipment/live", "{\"release\": 2, \"allowMissing\": true}");
    draft(
        server,
        SHIPMENT
            .replace("output: {parcel", "output: {label: \"${steps.lable.output}\", parcel")
            .replace("timezone: Europe/Berlin, ", ""));
    for (String id : new String[] {"S-1", "S-2"}) {
      start(server, id);
    }
  }

  static Reply start(TestServer server, String id) {
    String input = Json.write(Map.of("id", id, "carrier", "dhl", "weight", 2));
    return server.post("/api/flows/shipment/runs", input, "Prefer", "wait=20");
  }

  static void draft(TestServer server, String text) {
    server.send(
        server
            .request("/api/flows/shipment/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text)));
  }

  static String good() {
    return SHIPMENT;
  }

  private static void release(TestServer server, String note) {
    server.post(
        "/api/flows/shipment/releases", Json.write(Map.of("note", note, "allowMissing", true)));
  }
}
