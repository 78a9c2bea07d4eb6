package dev.hapax.app.ui;

import java.util.List;

/** The flows of a shop, for the pictures of the pages. */
final class ShopFlows {
  static final String CHECKOUT =
      """
      flow: checkout
      description: Charges an order, has its articles picked and books the parcel. Each happens once, however often the shop asks.
      labels: [orders, payments]
      runbook: Ask the shop team in the channel orders.
      triggers:
        - webhook: {path: shop/orders, verify: {scheme: none}, event: "${event.body.order}", input: "${event.body}"}
      input:
        type: object
        required: [order, total, customer]
        properties:
          order: {type: string, description: The number of the order.}
          total: {type: number, description: In euros.}
          customer: {type: string}
          carrier: {enum: [dhl, ups, gls]}
          express: {type: boolean}
          lines: {type: array, items: {type: object, required: [sku], properties: {sku: {type: string}, count: {type: integer}}}}
      key: ${input.order}
      steps:
        - id: charge
          http: {connection: payments, method: POST, path: /charges, body: {order: "${input.order}", euros: "${input.total}"}}
          effect:
            name: payment.charge
            kind: create
            key: ${input.order}
            guard: {keyed: {header: Idempotency-Key, window: 24h}}
            externalId: ${output.body.id}
          retry: {attempts: 8, delay: 1s, within: 20h}
          compensate:
            http: {connection: payments, method: POST, path: /refunds, body: {order: "${input.order}"}}
            effect: {name: payment.refund, kind: create, key: "${input.order}", guard: {keyed: {header: Idempotency-Key, window: 24h}}}
        - id: pick
          forEach: {items: "${input.lines}", atOnce: 2}
          itemKey: ${item.sku}
          http: {connection: warehouse, method: POST, path: /picks, body: {order: "${input.order}", sku: "${item.sku}"}}
          effect: {kind: create, key: "${input.order}/${item.sku}", guard: {keyed: {header: Idempotency-Key, window: 24h}}, externalId: "${output.body.id}"}
          retry: {attempts: 40, delay: 20m, factor: 1}
        - id: cool-off
          wait: {for: 1s}
        - id: parcel
          http: {connection: carrier, method: POST, path: /parcels, body: {order: "${input.order}", euros: "${input.total}"}}
          effect: {name: carrier.book, kind: create, key: "${input.order}", guard: none, externalId: "${output.body.id}"}
          retry: {attempts: 1}
          runbook: Look the order up in the carrier's portal. If it has a parcel, note its number as the external id.
          compensate:
            http: {connection: carrier, method: POST, path: /cancels, body: {order: "${input.order}"}}
            effect: {name: carrier.cancel, kind: create, key: "${input.order}", guard: none}
      output: {parcel: "${steps.parcel.output.body.id}"}
      """;
  static final String INVOICE =
      """
      flow: invoice
      description: Writes the invoice of a shipped order into the books.
      labels: [finance]
      input: {type: object, required: [order, cents], properties: {order: {type: string}, cents: {type: integer}}}
      key: ${input.order}
      steps:
        - id: write
          http: {connection: books, method: POST, path: /invoices, body: {order: "${input.order}", cents: 4900}}
          effect:
            name: invoice.create
            kind: create
            key: ${input.order}
            guard:
              lookup:
                http: {connection: books, path: "/invoices/${effect.key}"}
                found: ${response.status == 200}
                output: ${response.body}
                settle: 100ms
            externalId: ${output.body.id}
            reconcile: {rate: 100, fields: {cents: "${item.cents == effect.output.body.cents}"}}
          timeout: 1s
          retry: {attempts: 20, delay: 50ms, maxDelay: 50ms, within: 1s}
      output: {invoice: "${steps.write.output.body.id}"}
      """;
  static final String REFUND =
      """
      flow: refund
      retention: 3d
      description: Refunds a returned order. Above 200 EUR, finance decides.
      labels: [payments]
      input: {type: object, required: [order, total, reason]}
      key: ${input.order}
      steps:
        - id: release
          when: ${input.total > 200}
          approval: {ask: "Refund ${input.total} EUR for order ${input.order}? Reason: ${input.reason}.", roles: [finance], expires: 2d, onExpire: reject}
        - id: pay-back
          http: {connection: payments, method: POST, path: /refunds, body: {order: "${input.order}", euros: "${input.total}"}}
          effect: {name: payment.refund, kind: create, key: "${input.order}", guard: {keyed: {header: Idempotency-Key, window: 24h}}, externalId: "${output.body.id}"}
      output: {refund: "${steps['pay-back'].output.body.id}"}
      """;
  static final String RETURN_GOODS =
      """
      flow: return-goods
      retention: 5d
      description: Books the way back of a parcel, and undoes all of it if the shelf is gone.
      labels: [orders]
      input: {type: object, required: [order]}
      key: ${input.order}
      steps:
        - id: label
          http: {connection: carrier, method: POST, path: /labels, body: {order: "${input.order}"}}
          effect: {kind: create, key: "${input.order}", guard: {keyed: {header: Idempotency-Key, window: 24h}}, externalId: "${output.body.id}"}
          compensate:
            http: {connection: carrier, method: POST, path: /cancels, body: {order: "${input.order}"}}
            effect: {kind: create, key: "${input.order}", guard: {keyed: {header: Idempotency-Key, window: 24h}}}
        - id: shelf
          http: {connection: warehouse, method: POST, path: /shelves, body: {order: "${input.order}"}}
          effect: {kind: create, key: "${input.order}", guard: {keyed: {header: Idempotency-Key, window: 24h}}}
          retry: {attempts: 1}
      onFailure: compensate
      """;
  static final String OFFER =
      """
      flow: offer
      description: Writes an offer and sends it when sales has read it.
      labels: [sales]
      input: {type: object, required: [customer, text, euros], properties: {customer: {type: string}, text: {type: string}, euros: {type: number}}}
      key: ${input.customer}
      steps:
        - {id: draft, set: {text: "${rework == null ? input.text : rework.values.text}"}}
        - id: send
          approval: {ask: "Send this offer to ${input.customer}? ${steps.draft.output.text}, ${input.euros} EUR", roles: [sales], rework: draft, expires: 3d, onExpire: reject}
      output: {text: "${steps.draft.output.text}"}
      """;
  static final String SYNC =
      """
      flow: stock-report
      retention: 2d
      description: Counts the stock and tells the partners of the shop.
      labels: [nightly]
      triggers:
        - schedule: {name: stock-report, cron: "0 2 * * *", timezone: Europe/Berlin, input: {day: "${schedule.time}"}}
        - schedule: {name: stock-check-hourly, cron: "15 * * * *", timezone: Europe/Berlin, input: {day: "${schedule.time}"}}
        - schedule: {name: month-end, cron: "0 6 1 * *", timezone: Europe/Berlin, input: {day: "${schedule.time}"}}
      input: {type: object, required: [day]}
      key: ${input.day}
      steps:
        - id: tell
          publish: {connection: partner, type: stock.counted, data: {day: "${input.day}", articles: 4812}}
        - id: keep
          kv: {put: {key: "stock/last-report", value: "${input.day}"}}
      """;
  static final String LABELS =
      """
      flow: print-labels
      description: Prints the labels that the warehouse needs in the morning.
      labels: [nightly, warehouse]
      input: {type: object, required: [day]}
      key: ${input.day}
      steps:
        - {id: note, set: {day: "${input.day}"}}
      """;
  static final List<String> ALL =
      List.of(CHECKOUT, INVOICE, REFUND, RETURN_GOODS, OFFER, SYNC, LABELS);

  private ShopFlows() {}
}
