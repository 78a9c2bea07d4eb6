package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A draft does everything but send, in a space of its own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DraftTest {
  private static final String TEXT =
      """
      flow: order
      key: ${input.id}
      onFailure: stop
      steps:
        - id: known
          http: {connection: shop, path: "/orders/${input.id}"}
        - id: count
          kv: {put: {key: last, value: "${input.id}"}}
        - id: invoice
          http: {connection: shop, method: POST, path: /invoices, body: {order: "${input.id}"}}
          effect:
            name: invoice.create
            kind: create
            key: ${input.id}
            guard: {lookup: {http: {connection: shop, path: /invoices}, found: "${true}", settle: 1s}}
            externalId: ${output.body.id}
          sample: {status: 201, headers: {}, body: {id: "draft-${input.id}"}}
        - id: row
          db: {connection: books, sql: "INSERT INTO rows VALUES (:id)", params: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: transaction}
        - id: mail
          email: {connection: smtp, to: a@example.com, subject: "Invoice ${steps.invoice.externalId}", text: hello}
          effect: {kind: notify, key: "${input.id}", guard: none}
        - id: tell
          publish: {connection: receiver, type: order.done, data: {id: "${input.id}"}}
        - id: child
          flow: {name: child, input: {id: "${input.id}"}}
      output: ["${steps.invoice.externalId}", "${steps.row.output.count}", "${steps.child.output}", "${steps.known.output.status}"]
      """;

  private static final String CHILD =
      """
      flow: child
      key: ${input.id}
      steps:
        - id: put
          http: {connection: shop, method: PUT, path: /child, body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      output: ${steps.put.output.status}
      """;

  /** Everything that a draft must not touch. */
  private static Optional<Connection> connection(String name, Connection shop) {
    return switch (name) {
      case "shop" -> Optional.of(shop);
      case "receiver" ->
          Optional.of(
              new Connection.Webhook(name, URI.create("http://127.0.0.1:1"), null, Set.of()));
      default -> Optional.empty(); // using it would wait for it
    };
  }

  @Test
  void nothing_is_sent_and_everything_is_recorded_in_a_space_of_its_own() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(name -> connection(name, server.connection("shop")))
                .open();
        Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT)) {
      Hapax live = hapax.tenant("acme");
      files.register(live, files.load("child.yaml", CHILD, 1));
      Hapax drafts = hapax.tenant(FlowFiles.draftsOf("acme"));
      LoadedFlow draft = files.loadDraft("order.yaml", TEXT);
      files.register(drafts, draft);

      Object output = draft.start(drafts, Map.of("id", "A")).await();

      assertThat(output).isEqualTo(List.of("draft-A", 1, 200, 200));
      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests("GET")).hasSize(1); // what only reads is read
      List<EffectRecord> effects = drafts.effects(drafts.effects());
      assertThat(effects).extracting(EffectRecord::state).containsOnly(EffectState.DONE);
      assertThat(effects)
          .extracting(effect -> effect.key().name())
          .containsExactlyInAnyOrder(
              "invoice.create", "order/row", "order/mail", "order/tell", "child/put");
      EffectRecord invoice =
          effects.stream()
              .filter(e -> e.key().name().equals("invoice.create"))
              .findFirst()
              .orElseThrow();
      assertThat(invoice.request()).contains("/invoices").contains("{\\\"order\\\":\\\"A\\\"}");
      assertThat(invoice.externalId()).isEqualTo("draft-A");
      assertThat(invoice.guard()).isEqualTo("lookup");
      assertThat(drafts.kv().get("last").value(String.class)).isEqualTo("A");
      assertThat(live.kv().get("last").value(String.class)).isNull();
      assertThat(live.runs(live.runs())).isEmpty();
      assertThat(live.effects(live.effects())).isEmpty();
      assertThat(FlowFiles.draftRelease(TEXT, FlowFormat.NEWEST)).isEqualTo(draft.flow().release());
    }
  }

  private static Object run(String text) throws Exception {
    try (FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(
                    name -> connection(name, Connection.Http.of("shop", "http://127.0.0.1:1")))
                .open();
        Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT)) {
      Hapax drafts = hapax.tenant(FlowFiles.draftsOf("acme"));
      LoadedFlow draft = files.loadDraft("order.yaml", text);
      files.register(drafts, draft);
      return draft.start(drafts, Map.of("id", "A", "total", 40)).await();
    }
  }

  private static final String UNSAMPLED =
      """
      flow: order
      key: ${input.id}
      steps:
        - id: invoice
          http: {connection: shop, method: POST, path: /invoices, body: {order: "${input.id}", total: "${input.total}"}}
          effect:
            name: invoice.create
            kind: create
            key: ${input.id}
            guard: keyed
            externalId: ${output.body.invoice.id}
        - id: book
          http: {connection: shop, method: PUT, path: "/books/${steps.invoice.externalId}", body: {total: "${steps.invoice.output.body.total}"}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      output: ["${steps.invoice.output.status}", "${steps.invoice.externalId}", "${steps.book.output.body.total}"]
      """;

  @Test
  void without_a_sample_the_output_is_made_from_the_request_and_the_external_id() throws Exception {
    Object output = run(UNSAMPLED);

    assertThat(output)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .satisfiesExactly(
            status -> assertThat(status).isEqualTo(201),
            id -> assertThat(id).asString().matches("draft-[a-z2-7]{8}"),
            total -> assertThat(total).isEqualTo(40));
  }

  @Test
  void a_value_that_cannot_be_made_up_fails_the_draft_and_names_the_sample() {
    String missing = UNSAMPLED.replace("output.body.total}\"}}", "output.body.tax}\"}}");

    assertThatThrownBy(() -> run(missing))
        .hasMessageContaining("steps.invoice.output.body.tax")
        .hasMessageContaining("the output of step 'invoice' is made up. Add 'sample' to the step");
  }

  @Test
  void a_value_that_only_the_flows_output_reads_names_the_sample_too() {
    String missing =
        UNSAMPLED.replace("${steps.book.output.body.total}", "${steps.book.output.body.no}");

    assertThatThrownBy(() -> run(missing))
        .hasMessageContaining("the output of step 'book' is made up")
        .hasMessageContaining("'sample'");
  }
}
