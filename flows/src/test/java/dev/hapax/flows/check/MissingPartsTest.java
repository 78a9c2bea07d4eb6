package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.file.FlowFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Everything that a flow needs is asked for, once each, at its first place. */
class MissingPartsTest {
  private static final String TEXT =
      """
      flow: order
      key: ${input.id}
      onFailure: compensate
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: github, secret: hook}
            event: ${event.body.id}
      steps:
        - id: charge
          http: {connection: bank, method: POST, path: /charges, body: {}}
          effect:
            kind: create
            key: ${input.id}
            guard: {lookup: {http: {connection: ledger, path: /charges}, found: "${true}", settle: 1s}}
            externalId: ${output.body.id}
          compensate:
            call: {handler: refund}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: row
          db: {connection: shop, sql: "INSERT INTO rows VALUES (:id)", params: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: transaction}
        - id: both
          parallel:
            branches:
              one:
                - {id: again, flow: {name: order, input: {id: "${input.id + '-2'}"}}}
                - {id: child, flow: {name: invoice, input: {id: "${input.id}"}, detach: true}}
              two:
                - id: more
                  http: {connection: bank, method: PUT, path: "/more/${input.id}", body: {}}
                  effect: {kind: update, key: "${input.id}", guard: upsert}
      """;

  private static List<Finding> missing(Map<String, Connection> connections, Secrets secrets) {
    Check.Result checked = Check.check("order.yaml", TEXT);
    FlowFile file = Objects.requireNonNull(checked.file(), checked::text);
    return MissingParts.of(
        file,
        new MissingParts.Parts(
            name -> Optional.ofNullable(connections.get(name)),
            secrets,
            _ -> false,
            _ -> false,
            secrets::has));
  }

  private static Connection.Http http(String name) {
    return Connection.Http.of(name, "https://%s.example".formatted(name));
  }

  @Test
  void everything_that_is_missing_is_found_at_once_and_once_in_the_order_of_the_file() {
    List<Finding> missing = missing(Map.of("shop", http("shop")), Secrets.NONE);

    assertThat(missing)
        .extracting(finding -> finding.position().line() + " " + finding.rule())
        .containsExactly(
            "7 missing-secret",
            "11 unknown-connection", // 'bank', also used by a later step
            "15 unknown-connection",
            "18 unknown-handler",
            "21 wrong-connection",
            "28 unknown-flow"); // a flow may start itself
    assertThat(missing).allMatch(finding -> finding.level() == Level.ERROR);
    assertThat(missing.get(2).message()).contains("the lookup of step 'charge'", "'ledger'");
    assertThat(missing.get(4).message())
        .isEqualTo("step 'row' needs a database, but connection 'shop' is an HTTP service");
  }

  @Test
  void a_connection_needs_its_secret() {
    var bank = http("bank").auth(new Connection.Auth.Basic("me", "bank-password"));

    assertThat(missing(Map.of("bank", bank), Secrets.NONE))
        .filteredOn(finding -> finding.rule().equals("missing-secret"))
        .extracting(Finding::message)
        .containsExactly(
            "webhook 'shop/orders' checks signatures with secret 'hook', which is not set",
            "step 'charge' uses connection 'bank', which needs secret 'bank-password', and that is not set");
  }

  @Test
  void a_secret_that_cannot_be_had_now_is_not_missing() {
    Secrets away =
        _ -> {
          throw new NotApplied("the helper does not answer");
        };
    var bank = http("bank").auth(new Connection.Auth.Bearer("bank-token"));

    assertThat(missing(Map.of("bank", bank), away))
        .extracting(Finding::rule)
        .doesNotContain("missing-secret");
  }
}
