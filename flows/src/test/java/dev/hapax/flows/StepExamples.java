package dev.hapax.flows;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.Run;
import dev.hapax.testkit.fault.SshServer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Plays the examples of {@code examples/flows/steps}. */
final class StepExamples {
  static final Map<String, PlayedExample.Scenario> SCENARIOS =
      Map.ofEntries(
          entry("steps/http.yaml", StepExamples::http),
          entry("steps/kv.yaml", StepExamples::kv),
          entry("steps/resource.yaml", StepExamples::resource),
          entry("steps/email.yaml", StepExamples::email),
          entry("steps/publish.yaml", StepExamples::publish),
          entry("steps/wait.yaml", StepExamples::waits),
          entry("steps/callback.yaml", StepExamples::callback),
          entry("steps/approval.yaml", StepExamples::approval),
          entry("steps/url.yaml", StepExamples::url),
          entry("steps/approval-continue.yaml", StepExamples::approvalContinue),
          entry("steps/approval-second-person.yaml", StepExamples::approvalSecondPerson),
          entry("steps/return.yaml", StepExamples::returned),
          entry("steps/flow.yaml", StepExamples::child),
          entry("steps/repeat.yaml", StepExamples::repeat),
          entry("steps/repeat-while.yaml", StepExamples::repeatWhile),
          entry("steps/flow-detach.yaml", StepExamples::detached),
          entry("steps/flow-child.yaml", StepExamples::childItself),
          entry("steps/parallel.yaml", StepExamples::parallel),
          entry("steps/choose.yaml", StepExamples::choose),
          entry("steps/set.yaml", StepExamples::set),
          entry("steps/fail.yaml", StepExamples::fail),
          entry("steps/call.yaml", StepExamples::call),
          entry("steps/llm.yaml", StepExamples::llm),
          entry("steps/llm-tools.yaml", StepExamples::llmTools),
          entry("steps/ssh.yaml", StepExamples::ssh),
          entry("steps/ssh-detach.yaml", StepExamples::sshDetached),
          entry("steps/db.yaml", StepExamples::db));

  private StepExamples() {}

  private static void http(PlayedExample example) {
    example.world().page("/shop/articles/A", "{\"cents\":1000}");
    example.world().page("/rates/latest?from=EUR&to=USD", "{\"rate\":1.1}");

    assertThat(example.run(Map.of("sku", "A"))).isEqualTo(Map.of("sku", "A", "cents", 1100));
  }

  private static void db(PlayedExample example) throws Exception {
    var books = example.world().database();
    books.run("CREATE TABLE bookings (payment TEXT, account TEXT, cents INTEGER)", Map.of());
    books.run("INSERT INTO bookings VALUES ('p-0', 'a', 50)", Map.of());
    example.test().loseAnswer("book");

    assertThat(example.run(Map.of("payment", "p-1", "account", "a", "cents", 100)))
        .isEqualTo(Map.of("booked", 1, "balance", 150));
  }

  private static void llm(PlayedExample example) {
    example
        .world()
        .model
        .then(
            ModelServer.says("{\"kind\": \"complaint\", \"urgency\": 9}"),
            ModelServer.says("{\"kind\": \"complaint\", \"urgency\": 5}"));

    assertThat(example.run(Map.of("ticket", "t-1", "text", "It is broken.")))
        .isEqualTo(Map.of("kind", "complaint", "cost", new BigDecimal("0.00014")));
    assertThat(example.run(Map.of("ticket", "t-2", "text", "It is broken.")))
        .isEqualTo(Map.of("kind", "complaint", "cost", 0));
    assertThat(example.world().model.questions()).hasSize(2);
    assertThat(example.world().done("POST /desk/tickets")).hasSize(2);
  }

  private static void llmTools(PlayedExample example) {
    LoadedFlow price = example.world().load("steps/http.yaml");
    example.world().files.register(example.test().hapax(), price);
    example.world().page("/shop/articles/A", "{\"cents\":1000}");
    example.world().page("/rates/latest?from=EUR&to=USD", "{\"rate\":1.1}");
    example
        .world()
        .model
        .then(ModelServer.calls("price", "{\"sku\": \"A\"}"), ModelServer.says("11 dollars."));

    assertThat(
            example.run(
                Map.of("question", "q-1", "customer", "c-1", "text", "How much is article A?")))
        .isEqualTo(Map.of("text", "11 dollars."));
  }

  private static void ssh(PlayedExample example) throws Exception {
    SshServer host = example.machine();
    Files.writeString(host.home().resolve("install"), "echo \"$1 $2\" >> installed; echo done");
    example.test().loseAnswer("install");

    assertThat(example.run(Map.of("service", "shop", "version", "7; rm installed")))
        .isEqualTo(Map.of("log", "done\n", "version", "shop 7; rm installed\n"));
  }

  private static void sshDetached(PlayedExample example) throws Exception {
    SshServer host = example.machine();
    Files.writeString(host.home().resolve("build"), "echo \"$@\" >> begun; echo built $1");
    example.test().loseAnswer("build");
    RunHandle<Object> run = example.start(Map.of("commit", "c1"));
    example.test().move(Duration.ofSeconds(10)); // the answer was lost: the same job again
    List<String> begun = Files.readAllLines(host.home().resolve("begun"));
    assertThat(begun).singleElement().asString().startsWith("c1 http");

    String token = begun.getFirst().substring(begun.getFirst().lastIndexOf('/') + 1);
    example.test().hapax().callbacks().answer(token, Map.of());
    example.test().move(Duration.ofSeconds(1));
    assertThat(run.await()).isEqualTo(Map.of("log", "built c1\n"));
  }

  private static void kv(PlayedExample example) {
    assertThat(example.run(Map.of("order", "A", "coupon", "ten")))
        .isEqualTo(Map.of("counted", true));
    assertThatThrownBy(() -> example.run(Map.of("order", "B", "coupon", "ten")))
        .hasMessageContaining("coupon-taken");
    example.run(Map.of("order", "C", "coupon", "five"));

    assertThat(example.test().hapax().kv().get("coupons-redeemed").value(Object.class))
        .isEqualTo(2);
  }

  private static void resource(PlayedExample example) {
    example.world().page("/shop/reports/2026-01", "\"" + "a;b\\n".repeat(1000) + "\"");

    Map<?, ?> output = (Map<?, ?>) example.run(Map.of("month", "2026-01"));
    assertThat(output.get("bytes")).isEqualTo(4000);
    assertThat(example.world().done("PUT /archive/reports/2026-01"))
        .singleElement()
        .isEqualTo(Map.of("ref", output.get("ref")));
  }

  private static void email(PlayedExample example) {
    Map<?, ?> output =
        (Map<?, ?>) example.run(Map.of("account", "A", "email", "ann@example.org", "name", "Ann"));

    assertThat(example.world().mail.mails)
        .singleElement()
        .asString()
        .contains("Message-ID: " + output.get("messageId"), "Cc: sales@example.org", "Welcome");
  }

  private static void publish(PlayedExample example) {
    Object output = example.run(Map.of("order", "A", "parcel", "p-7"));
    example.test().move(Duration.ofSeconds(1));

    assertThat(example.world().server.requests())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.body())
                  .isEqualTo(
                      "{\"type\":\"order.shipped\",\"data\":{\"order\":\"A\",\"parcel\":\"p-7\"}}");
              assertThat(output).isEqualTo(Map.of("message", request.header("webhook-id")));
            });
  }

  private static void waits(PlayedExample example) {
    RunHandle<Object> run = example.start(Map.of("order", "A", "askAt", "2040-01-01T09:00:00Z"));
    assertThat(example.world().done()).isEmpty();
    example.test().move(Duration.ofMinutes(10));
    assertThat(example.world().done()).containsExactly("PUT /shop/orders/A/state");
    example.test().move(Duration.ofDays(20_000));

    assertThat(example.status(run)).isEqualTo("succeeded");
    assertThat(example.world().done()).hasSize(2);
  }

  private static void callback(PlayedExample example) {
    RunHandle<Object> run = example.start(Map.of("order", "A", "cents", 4000));
    String url =
        String.valueOf(example.world().done("POST /payments/pages").getFirst().get("notify"));
    String token = url.substring(url.lastIndexOf('/') + 1);
    example.test().hapax().callbacks().answer(token, Map.of("payment", "p-9"));
    example.test().move(Duration.ofSeconds(1));

    assertThat(run.await()).isEqualTo(Map.of("page", "x-1", "payment", "p-9"));
  }

  private static void approval(PlayedExample example) {
    RunHandle<Object> run = example.start(Map.of("page", "home", "text", "Hello"));
    decide(
        example,
        Verdict.rework("ann", "friendlier")
            .roles("editor")
            .values(Map.of("text", "Hello, dear reader")));
    decide(example, Verdict.approve("bob").roles("editor"));

    assertThat(run.await()).isEqualTo(Map.of("decision", "approve", "by", "bob"));
    assertThat(example.world().done("PUT /cms/drafts/home"))
        .extracting(body -> String.valueOf(body.get("text")))
        .containsExactly("Hello", "Hello, dear reader");
    assertThat(example.world().done()).last().isEqualTo("PUT /cms/pages/home");
  }

  static void decide(PlayedExample example, Verdict verdict) {
    var approvals = example.test().hapax().approvals();
    approvals.decide(approvals.list(approvals.open()).getFirst().id(), verdict);
    example.test().move(Duration.ofSeconds(1));
  }

  private static void url(PlayedExample example) {
    assertThat(example.run(Map.of("order", "A", "address", example.world().server.base())))
        .isEqualTo(Map.of("reached", false, "told", false));
    assertThat(example.world().server.requests()).isEmpty();
  }

  private static void approvalSecondPerson(PlayedExample example) {
    var ann = new Caller("token:1", "ann");
    Map<String, Object> input = Map.of("payment", "P-1", "amount", 5);
    RunHandle<Object> run = example.flow().start(example.test().hapax(), input, null, ann);
    example.test().move(Duration.ofSeconds(1));
    Approvals approvals = example.test().hapax().approvals();
    String id = approvals.list(approvals.open()).getFirst().id();

    assertThatThrownBy(() -> approvals.decide(id, Verdict.approve("ann")))
        .isInstanceOf(Forbidden.class);
    assertThatThrownBy(() -> approvals.decide(id, Verdict.approve("bob").claimed()))
        .isInstanceOf(Forbidden.class);
    approvals.decide(id, Verdict.approve("bob").actorId("token:2"));

    assertThat(run.await()).isEqualTo(Map.of("by", "bob"));
  }

  private static void approvalContinue(PlayedExample example) {
    RunHandle<Object> run = example.start(Map.of("offer", "o"));
    decide(example, Verdict.reject("bob").roles("sales"));

    assertThat(run.await()).isEqualTo(Map.of("percent", 0));
  }

  private static void returned(PlayedExample example) {
    assertThat(example.run(Map.of("order", "A", "cents", 500))).isEqualTo(Map.of("percent", 0));
    RunHandle<Object> asked = example.start(Map.of("order", "B", "cents", 50_000));

    assertThat(example.status(asked)).isEqualTo("waiting");
  }

  private static void child(PlayedExample example) {
    example
        .world()
        .files
        .register(example.test().hapax(), example.world().load("steps/flow-child.yaml"));

    assertThat(example.run(Map.of("order", "A", "address", "Main St 1")))
        .isEqualTo(Map.of("tracking", "t-1"));
  }

  private static void detached(PlayedExample example) {
    example
        .world()
        .files
        .register(example.test().hapax(), example.world().load("steps/flow-child.yaml"));
    var output = (Map<?, ?>) example.run(Map.of("order", "A", "address", "Ulm"));
    example.test().move(Duration.ofSeconds(1));

    assertThat(output.get("label")).isEqualTo("t-1");
    Run other = example.test().hapax().run(String.valueOf(output.get("run")));
    assertThat(other.key()).isEqualTo("A");
    assertThat(example.world().done("POST /carrier/parcels")).hasSize(2);
  }

  private static void repeat(PlayedExample example) {
    example
        .world()
        .page(
            "/shop/orders?after=",
            "{\"orders\":[{\"id\":\"a\",\"lines\":1},{\"id\":\"b\",\"lines\":2}],\"next\":\"b\"}")
        .page("/shop/orders?after=b", "{\"orders\":[{\"id\":\"c\",\"lines\":3}],\"next\":\"c\"}")
        .page("/shop/orders?after=c", "{\"orders\":[]}");

    assertThat(example.run(Map.of("day", "monday"))).isEqualTo(Map.of("pages", 2));
    assertThat(example.run(Map.of("day", "tuesday"))).isEqualTo(Map.of("pages", 0));

    assertThat(example.world().done())
        .containsExactlyInAnyOrder(
            "PUT /warehouse/orders/a", "PUT /warehouse/orders/b", "PUT /warehouse/orders/c");
  }

  private static void repeatWhile(PlayedExample example) {
    example.world().page("/reports/exports/x-1", "{\"state\":\"running\"}");
    RunHandle<Object> run = example.start(Map.of("month", "2026-10"));
    example.test().move(Duration.ofMinutes(3));
    assertThat(example.status(run)).isEqualTo("waiting");
    example.world().page("/reports/exports/x-1", "{\"state\":\"done\"}");
    example.test().move(Duration.ofMinutes(3));

    assertThat(run.await()).isEqualTo(Map.of("state", "done"));
    assertThat(example.world().done()).containsExactly("POST /reports/exports");
  }

  private static void childItself(PlayedExample example) {
    assertThat(example.run(Map.of("parcel", "A", "address", "Main St 1")))
        .isEqualTo(Map.of("tracking", "t-1"));
  }

  private static void parallel(PlayedExample example) {
    assertThat(example.run(Map.of("account", "A", "name", "Ann")))
        .isEqualTo(Map.of("contact", 201, "debtor", 201));
    assertThat(example.world().done())
        .containsExactlyInAnyOrder(
            "PUT /crm/contacts/A", "PUT /billing/debtors/A", "PUT /billing/debtors/A/terms");
  }

  private static void choose(PlayedExample example) {
    example.run(Map.of("claim", "a", "cents", 10));
    example.run(Map.of("claim", "b", "cents", 10_000));
    example.run(Map.of("claim", "c", "cents", 1_000_000));

    assertThat(example.world().done())
        .containsExactly("POST /payments/payouts", "PUT /desk/claims/b", "PUT /desk/claims/c");
    assertThat(example.world().done("PUT /desk/claims/c"))
        .containsExactly(Map.of("state", "refused"));
  }

  private static void set(PlayedExample example) {
    assertThat(
            example.run(Map.of("order", "A", "lines", List.of(Map.of("cents", 2600, "count", 2)))))
        .isEqualTo(Map.of("amounts", List.of(5200), "free", true, "label", "Order A, 1 lines"));
  }

  private static void fail(PlayedExample example) {
    example.world().page("/shop/stock/A", "{\"count\":3}");

    assertThat(example.run(Map.of("order", "1", "sku", "A", "count", 2)))
        .isEqualTo(Map.of("left", 1));
    assertThatThrownBy(() -> example.run(Map.of("order", "2", "sku", "A", "count", 5)))
        .isInstanceOfSatisfying(RunFailed.class, failed -> assertThat(failed.retryable()).isTrue())
        .hasMessageContaining("A: only 3 left");
  }

  private static void call(PlayedExample example) {
    example.test().loseAnswer("label");

    assertThat(example.run(Map.of("parcel", "p", "grams", 2000)))
        .isEqualTo(Map.of("label", "label-0"));
  }
}
