package dev.hapax.app.cli;

import java.io.IOException;

/** The files on the desk of the golden tests. */
final class Samples {
  /** Signed once by a key that no server has. */
  private static final String RECEIPT =
      """
      {"receipt":{"version":1,"issuedAt":"2026-11-15T10:00:00Z","store":"1fz2","tenant":"default","verdict":{"proven":true,"by":"answer","says":"It happened: the destination confirmed it, at 2026-11-15T10:00:00Z."},"effect":{"id":"e-1","name":"charge.create","key":"A-1","wireKey":"abcdefabcdefabcdefabcdefabcdefab","kind":"create","guard":"keyed","state":"done","revision":1,"attempts":1,"step":"charge","firstSentAt":"2026-11-15T10:00:00Z","externalId":"ch_1"},"run":{"id":"r-7x7vbf7seyeb3ufpxd5i3emeny","flow":"order","release":3,"key":"A-1","status":"succeeded","startedAt":"2026-11-15T10:00:00Z","endedAt":"2026-11-15T10:00:01Z"},"attempts":[{"number":1,"sentAt":"2026-11-15T10:00:00Z","outcome":"done","outcomeAt":"2026-11-15T10:00:00Z","says":"answered"}],"decisions":[],"stopped":{"starts":2,"runs":[]},"caveats":[],"checkpoint":{"store":"1fz2","tenant":"default","number":12,"mark":"5c1d","at":"2026-11-15T10:00:00Z","key":"MCowBQYDK2VwAyEAzSqXFvc+gYW+rhr0KRnr918DUn7CbHvbiI8Y+SfaeTM=","signature":"MCow"}},"key":"MCowBQYDK2VwAyEAzSqXFvc+gYW+rhr0KRnr918DUn7CbHvbiI8Y+SfaeTM=","signature":"Gmvsqu0kTI7ritDz+7Vwg+CD9jvopWMKbZvcH5E+isY+jnqT8cxgEgdRc7o7ab8dUHdV1o/WEgEGUpD0XmoPDQ=="}""";

  private static final String REVIEWS =
      """
      {"ok": true, "data": {"items": [{"id": "e-1", "revision": 1, "attempts": 2}], "next": null}}
      """;

  private Samples() {}

  static void putInto(Desk desk) throws IOException {
    desk.put("receipt.json", RECEIPT);
    desk.put("changed.json", RECEIPT.replace("ch_1", "ch_2"));
    desk.put("reviews.json", REVIEWS);
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
    desk.put(
        "tested/order.yaml",
        """
        flow: order
        key: ${input.id}
        steps:
          - id: invoice
            http: {connection: books, method: POST, path: /invoices, body: {order: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.body.id}"}
          - id: mark
            when: ${input.vip}
            http: {connection: shop, method: PUT, path: "/orders/${input.id}", body: {state: paid}}
            effect: {kind: update, key: "${input.id}", guard: upsert}
        output: {invoice: "${steps.invoice.externalId}"}
        """);
    desk.put(
        "tested/order.test.yaml",
        """
        cases:
          - name: a lost answer makes no second invoice
            input: {id: A-1, vip: true}
            answers:
              invoice: [{body: {id: inv_1}, fault: applied-then-lost}, {}]
            expect: {status: succeeded, output: {invoice: inv_1}, applied: {invoice: 1, mark: 1}}
          - name: an order has one invoice
            input: {id: A-1, vip: true}
            answers:
              invoice: {body: {id: inv_1}}
            expect:
              output: {invoice: inv_2}
              sends:
                - {step: invoice, key: A-1}
                - {step: mark, key: A-2}
        """);
    desk.put(
        "wrong/order.test.yaml",
        """
        cases:
          - name: nothing
            input: {}
            expects: {status: succeeded}
        """);
    desk.put(
        "shop/flows/hello.yaml",
        """
        flow: hello
        steps:
          - {id: a, set: {n: 1}}
        """);
    desk.put("shop/connections/bank.yaml", "http:\n  base: https://bank.test.example\n");
    desk.put(
        "shop/env/prod.yaml",
        """
        approval: other-person
        connections:
          bank:
            http: {base: https://bank.example}
        """);
    desk.put("broken/hello.yaml", "flow: [\n");
    desk.put(
        "doubtful.yaml",
        """
        flow: doubtful
        key: ${input.id}
        steps:
          - id: pay
            http: {connection: bank, method: POST, path: /payouts, body: {bill: "${input.id}"}}
            effect: {name: bank.payout, kind: create, key: "${input.id}", guard: {none: {onDoubt: repeat}}}
        """);
    desk.put(
        "messy.yaml",
        """
        steps:
        - http: {path: "/orders/${input.id}", connection: shop}   # reads it
          id: order
        key: '${input.id}'
        flow: messy
        output: ${steps.order.output}
        """);
    desk.put("broken.yaml", "flow: broken\nsteps: [\n");
    desk.put(
        "crontab.txt",
        """
        CRON_TZ=Europe/Berlin
        # Every night.
        30 2 * * * /usr/local/bin/backup.sh --password=hunter2
        """);
    desk.put(
        "workflow.json",
        """
        {
          "name": "Paid orders",
          "nodes": [
            {"name": "Webhook", "type": "n8n-nodes-base.webhook", "parameters": {"httpMethod": "POST", "path": "paid"}},
            {"name": "Charge", "type": "n8n-nodes-base.httpRequest", "typeVersion": 4,
             "parameters": {"method": "POST", "url": "https://api.example/charges", "authentication": "predefinedCredentialType",
               "sendBody": true, "bodyParameters": {"parameters": [{"name": "order", "value": "={{ $json.body.id }}"}]}},
             "credentials": {"api": {"id": "1", "name": "hunter2"}}},
            {"name": "Sheet", "type": "n8n-nodes-base.googleSheets", "parameters": {"operation": "append"}}
          ],
          "connections": {
            "Webhook": {"main": [[{"node": "Charge"}]]},
            "Charge": {"main": [[{"node": "Sheet"}]]}
          }
        }
        """);
    desk.put("input.json", "{\"orderId\": \"A-1\"}");
    desk.put(
        "keyed.yaml",
        """
        flow: keyed
        key: ${input.id}
        steps:
          - id: issue
            http: {connection: forge, method: POST, path: /issues, body: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.body.id}"}
          - id: pay
            http: {connection: bank, method: POST, path: /payments, body: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.body.id}"}
        output: ["${steps.issue.externalId}", "${steps.pay.externalId}"]
        """);
    desk.put(
        "connections/forge.yaml",
        "http: {base: https://forge.example, idempotency: {stores: none}}\n");
    desk.put(
        "connections/bank.json",
        "{\"http\": {\"base\": \"https://bank.example\", \"idempotency\": {\"window\": \"30m\"}}}\n");
    desk.put(
        "wrong/forge.yaml", "http: {base: https://forge.example, idempotency: {window: soon}}\n");
    desk.put("shop.yaml", "# the shop\nhttp:\n  base: https://api.example.com   # live\n");
    desk.put("bad.txt", "http: {base: [\n");
    desk.put("token.txt", "secret-of-the-file\n");
    desk.put("data/admin.token", "secret-token\n");
  }
}
