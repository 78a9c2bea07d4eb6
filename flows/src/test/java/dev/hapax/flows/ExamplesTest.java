package dev.hapax.flows;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flows.check.Check;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every file of {@code examples/flows} checks clean and does what it says, over real servers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExamplesTest {
  @TempDir Path folder;

  /** One example in its world. */
  private record Example(ExampleWorld world, LoadedFlow flow, FlowTest test) {
    Object run(Map<String, Object> input) {
      return test.run(flow.flow(), input);
    }

    RunHandle<Object> start(Map<String, Object> input) {
      RunHandle<Object> run = flow.start(test.hapax(), input);
      test.move(Duration.ofSeconds(1));
      return run;
    }

    String status(RunHandle<?> run) {
      return test.hapax().run(run.id()).status().word();
    }
  }

  private interface Scenario {
    void play(Example example) throws Exception;
  }

  /** Run by a test of its own. */
  private static final List<String> ELSEWHERE = List.of("order-to-invoice.yaml");

  private static final Map<String, Scenario> SCENARIOS =
      Map.ofEntries(
          entry("steps/http.yaml", ExamplesTest::http),
          entry("steps/kv.yaml", ExamplesTest::kv),
          entry("steps/resource.yaml", ExamplesTest::resource),
          entry("steps/email.yaml", ExamplesTest::email),
          entry("steps/publish.yaml", ExamplesTest::publish),
          entry("steps/wait.yaml", ExamplesTest::waits),
          entry("steps/callback.yaml", ExamplesTest::callback),
          entry("steps/approval.yaml", ExamplesTest::approval),
          entry("steps/url.yaml", ExamplesTest::url),
          entry("steps/approval-continue.yaml", ExamplesTest::approvalContinue),
          entry("steps/flow.yaml", ExamplesTest::child),
          entry("steps/flow-child.yaml", ExamplesTest::childItself),
          entry("steps/parallel.yaml", ExamplesTest::parallel),
          entry("steps/choose.yaml", ExamplesTest::choose),
          entry("steps/set.yaml", ExamplesTest::set),
          entry("steps/fail.yaml", ExamplesTest::fail),
          entry("steps/call.yaml", ExamplesTest::call),
          entry("steps/db.yaml", ExamplesTest::db),
          entry("guards/keyed.yaml", ExamplesTest::keyed),
          entry("guards/keyed-lookup.yaml", ExamplesTest::keyedLookup),
          entry("guards/upsert.yaml", ExamplesTest::upsert),
          entry("guards/transaction.yaml", ExamplesTest::transaction),
          entry("guards/lookup.yaml", ExamplesTest::lookup),
          entry("guards/none.yaml", ExamplesTest::none),
          entry("fields/when.yaml", ExamplesTest::when),
          entry("fields/for-each.yaml", ExamplesTest::forEach),
          entry("fields/retry.yaml", ExamplesTest::retry),
          entry("fields/compensate.yaml", ExamplesTest::compensate),
          entry("fields/compensate-kinds.yaml", ExamplesTest::compensateKinds),
          entry("fields/meanings.yaml", ExamplesTest::meanings),
          entry("fields/lock.yaml", ExamplesTest::lock),
          entry("fields/on-error.yaml", ExamplesTest::onError),
          entry("fields/additive.yaml", ExamplesTest::additive),
          entry("flow/key.yaml", ExamplesTest::key),
          entry("flow/concurrency.yaml", ExamplesTest::concurrency),
          entry("flow/triggers.yaml", ExamplesTest::triggers));

  @TestFactory
  Stream<DynamicTest> each_example_checks_clean_and_runs() {
    return ExampleWorld.names().stream()
        .filter(name -> !ELSEWHERE.contains(name))
        .map(name -> DynamicTest.dynamicTest(name, () -> play(name)));
  }

  private void play(String name) throws Exception {
    Scenario scenario =
        Objects.requireNonNull(SCENARIOS.get(name), () -> "there is no scenario for " + name);
    assertThat(Check.check(name, ExampleWorld.text(name)).text()).isEmpty();
    for (ExampleWorld world : worlds(name)) {
      try (world) {
        LoadedFlow flow = world.load(name);
        try (FlowTest test = world.test(flow)) {
          scenario.play(new Example(world, flow, test));
        }
      }
    }
  }

  /** What has to do with a database is run over each kind of it. */
  private List<ExampleWorld> worlds(String name) throws IOException {
    var worlds = new ArrayList<ExampleWorld>();
    worlds.add(new ExampleWorld().sqlite(folder.resolve("books.db")));
    if (ExampleWorld.text(name).contains("db:") && PostgresServer.obstacle() == null) {
      worlds.add(new ExampleWorld().postgres());
    }
    return worlds;
  }

  // ---- steps

  private static void http(Example example) {
    example.world.page("/shop/articles/A", "{\"cents\":1000}");
    example.world.page("/rates/latest?from=EUR&to=USD", "{\"rate\":1.1}");

    assertThat(example.run(Map.of("sku", "A"))).isEqualTo(Map.of("sku", "A", "cents", 1100));
  }

  private static void db(Example example) throws Exception {
    var books = example.world.database();
    books.run("CREATE TABLE bookings (payment TEXT, account TEXT, cents INTEGER)", Map.of());
    books.run("INSERT INTO bookings VALUES ('p-0', 'a', 50)", Map.of());
    example.test.loseAnswer("book");

    assertThat(example.run(Map.of("payment", "p-1", "account", "a", "cents", 100)))
        .isEqualTo(Map.of("booked", 1, "balance", 150));
  }

  private static void kv(Example example) {
    assertThat(example.run(Map.of("order", "A", "coupon", "ten")))
        .isEqualTo(Map.of("counted", true));
    assertThatThrownBy(() -> example.run(Map.of("order", "B", "coupon", "ten")))
        .hasMessageContaining("coupon-taken");
    example.run(Map.of("order", "C", "coupon", "five"));

    assertThat(example.test.hapax().kv().get("coupons-redeemed").value(Object.class)).isEqualTo(2);
  }

  private static void resource(Example example) {
    example.world.page("/shop/reports/2026-01", "\"" + "a;b\\n".repeat(1000) + "\"");

    Map<?, ?> output = (Map<?, ?>) example.run(Map.of("month", "2026-01"));
    assertThat(output.get("bytes")).isEqualTo(4000);
    assertThat(example.world.done("PUT /archive/reports/2026-01"))
        .singleElement()
        .isEqualTo(Map.of("ref", output.get("ref")));
  }

  private static void email(Example example) {
    Map<?, ?> output =
        (Map<?, ?>) example.run(Map.of("account", "A", "email", "ann@example.org", "name", "Ann"));

    assertThat(example.world.mail.mails)
        .singleElement()
        .asString()
        .contains("Message-ID: " + output.get("messageId"), "Cc: sales@example.org", "Welcome");
  }

  private static void publish(Example example) {
    Object output = example.run(Map.of("order", "A", "parcel", "p-7"));
    example.test.move(Duration.ofSeconds(1));

    assertThat(example.world.server.requests())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.body())
                  .isEqualTo(
                      "{\"type\":\"order.shipped\",\"data\":{\"order\":\"A\",\"parcel\":\"p-7\"}}");
              assertThat(output).isEqualTo(Map.of("message", request.header("webhook-id")));
            });
  }

  private static void waits(Example example) {
    RunHandle<Object> run = example.start(Map.of("order", "A", "askAt", "2040-01-01T09:00:00Z"));
    assertThat(example.world.done()).isEmpty();
    example.test.move(Duration.ofMinutes(10));
    assertThat(example.world.done()).containsExactly("PUT /shop/orders/A/state");
    example.test.move(Duration.ofDays(20_000));

    assertThat(example.status(run)).isEqualTo("succeeded");
    assertThat(example.world.done()).hasSize(2);
  }

  private static void callback(Example example) {
    RunHandle<Object> run = example.start(Map.of("order", "A", "cents", 4000));
    String url =
        String.valueOf(example.world.done("POST /payments/pages").getFirst().get("notify"));
    String token = url.substring(url.lastIndexOf('/') + 1);
    example.test.hapax().callbacks().answer(token, Map.of("payment", "p-9"));
    example.test.move(Duration.ofSeconds(1));

    assertThat(run.await()).isEqualTo(Map.of("page", "x-1", "payment", "p-9"));
  }

  private static void approval(Example example) {
    RunHandle<Object> run = example.start(Map.of("page", "home", "text", "Hello"));
    decide(
        example,
        Verdict.rework("ann", "friendlier")
            .roles("editor")
            .values(Map.of("text", "Hello, dear reader")));
    decide(example, Verdict.approve("bob").roles("editor"));

    assertThat(run.await()).isEqualTo(Map.of("decision", "approve", "by", "bob"));
    assertThat(example.world.done("PUT /cms/drafts/home"))
        .extracting(body -> String.valueOf(body.get("text")))
        .containsExactly("Hello", "Hello, dear reader");
    assertThat(example.world.done()).last().isEqualTo("PUT /cms/pages/home");
  }

  private static void decide(Example example, Verdict verdict) {
    var approvals = example.test.hapax().approvals();
    approvals.decide(approvals.list(approvals.open()).getFirst().id(), verdict);
    example.test.move(Duration.ofSeconds(1));
  }

  private static void url(Example example) {
    assertThat(example.run(Map.of("order", "A", "address", example.world.server.base())))
        .isEqualTo(Map.of("reached", false, "told", false));
    assertThat(example.world.server.requests()).isEmpty();
  }

  private static void approvalContinue(Example example) {
    RunHandle<Object> run = example.start(Map.of("offer", "o"));
    decide(example, Verdict.reject("bob").roles("sales"));

    assertThat(run.await()).isEqualTo(Map.of("percent", 0));
  }

  private static void child(Example example) {
    example.world.files.register(example.test.hapax(), example.world.load("steps/flow-child.yaml"));

    assertThat(example.run(Map.of("order", "A", "address", "Main St 1")))
        .isEqualTo(Map.of("tracking", "t-1"));
  }

  private static void childItself(Example example) {
    assertThat(example.run(Map.of("parcel", "A", "address", "Main St 1")))
        .isEqualTo(Map.of("tracking", "t-1"));
  }

  private static void parallel(Example example) {
    assertThat(example.run(Map.of("account", "A", "name", "Ann")))
        .isEqualTo(Map.of("contact", 201, "debtor", 201));
    assertThat(example.world.done())
        .containsExactlyInAnyOrder(
            "PUT /crm/contacts/A", "PUT /billing/debtors/A", "PUT /billing/debtors/A/terms");
  }

  private static void choose(Example example) {
    example.run(Map.of("claim", "a", "cents", 10));
    example.run(Map.of("claim", "b", "cents", 10_000));
    example.run(Map.of("claim", "c", "cents", 1_000_000));

    assertThat(example.world.done())
        .containsExactly("POST /payments/payouts", "PUT /desk/claims/b", "PUT /desk/claims/c");
    assertThat(example.world.done("PUT /desk/claims/c"))
        .containsExactly(Map.of("state", "refused"));
  }

  private static void set(Example example) {
    assertThat(
            example.run(Map.of("order", "A", "lines", List.of(Map.of("cents", 2600, "count", 2)))))
        .isEqualTo(Map.of("amounts", List.of(5200), "free", true, "label", "Order A, 1 lines"));
  }

  private static void fail(Example example) {
    example.world.page("/shop/stock/A", "{\"count\":3}");

    assertThat(example.run(Map.of("order", "1", "sku", "A", "count", 2)))
        .isEqualTo(Map.of("left", 1));
    assertThatThrownBy(() -> example.run(Map.of("order", "2", "sku", "A", "count", 5)))
        .isInstanceOfSatisfying(RunFailed.class, failed -> assertThat(failed.retryable()).isTrue())
        .hasMessageContaining("A: only 3 left");
  }

  private static void call(Example example) {
    example.test.loseAnswer("label");

    assertThat(example.run(Map.of("parcel", "p", "grams", 2000)))
        .isEqualTo(Map.of("label", "label-0"));
  }

  // ---- guards: whatever becomes of one answer

  private static void keyed(Example example) {
    example.test.loseAnswer("charge");

    assertThat(example.run(Map.of("order", "A", "cents", 4000))).isEqualTo(Map.of("charge", "x-1"));
    assertThat(example.world.server.requests()).hasSize(2);
    assertThat(example.world.done()).containsExactly("POST /payments/charges");
  }

  private static void keyedLookup(Example example) {
    example.world.page("/bank/payments/b", "{\"id\":\"x-1\"}");
    example.test.loseAnswer("pay");
    RunHandle<Object> run = example.start(Map.of("bill", "b", "cents", 4000));
    example.test.move(Duration.ofHours(2));
    example.test.move(Duration.ofMinutes(5));

    assertThat(run.await()).isEqualTo(Map.of("payment", "x-1"));
    assertThat(example.world.done()).containsExactly("POST /bank/payments");
  }

  private static void upsert(Example example) {
    example.test.loseAnswer("customer");
    example.run(Map.of("customer", "c-7", "version", 2, "email", "new@example.org"));
    example.run(Map.of("customer", "c-7", "version", 1, "email", "old@example.org"));

    assertThat(example.world.done("PUT /accounting/customers/c-7"))
        .hasSize(2)
        .containsOnly(Map.of("email", "new@example.org"));
  }

  private static void transaction(Example example) throws Exception {
    var books = example.world.database();
    books.run("CREATE TABLE accounts (account TEXT, cents INTEGER)", Map.of());
    books.run("INSERT INTO accounts VALUES ('a', 100), ('b', 0)", Map.of());
    example.test.loseAnswer("move");

    assertThat(example.run(Map.of("transfer", "t-1", "from", "a", "to", "b", "cents", 30)))
        .isEqualTo(Map.of("accounts", 2));
    assertThat(books.run("SELECT cents FROM accounts ORDER BY account", Map.of()).rows())
        .extracting(row -> row.get("cents"))
        .containsExactly(70, 30);
  }

  private static void lookup(Example example) {
    example.test.loseAnswer("invoice");

    assertThat(example.run(Map.of("order", "A", "cents", 4000)))
        .isEqualTo(Map.of("invoice", "x-1"));
    assertThat(example.world.done()).containsExactly("POST /accounting/invoices");
  }

  private static void none(Example example) {
    example.test.loseAnswer("page").loseAnswer("screen").loseAnswer("mail");
    RunHandle<Object> run = example.start(Map.of("incident", "i-1", "text", "it burns"));
    example.test.move(Duration.ofMinutes(1));

    assertThat(example.status(run)).isEqualTo("review");
    assertThat(example.world.done())
        .containsExactly("POST /pager/pages", "POST /pager/pages", "POST /wall/lines");
    assertThat(example.world.mail.mails).hasSize(1);
  }

  // ---- fields

  private static void when(Example example) {
    assertThat(example.run(order("A", true))).isEqualTo(Map.of("letter", true));
    assertThat(example.run(order("B", false))).isEqualTo(Map.of("letter", false));
    assertThat(example.world.done())
        .containsExactly("PUT /shop/letters/c", "POST /shop/points", "POST /shop/points");
  }

  private static Map<String, Object> order(String order, boolean first) {
    return Map.of("order", order, "customer", "c", "first", first, "cents", 4000);
  }

  private static void forEach(Example example) {
    List<Map<String, Object>> lines =
        List.of(line("x", 1), line("none", 0), line("y", 2), line("z", 3));
    RunHandle<Object> run = example.start(Map.of("order", "A", "lines", lines));

    assertThat(run.await()).isEqualTo(Map.of("shipped", 4));
    assertThat(example.world.done("POST /carrier/parcels"))
        .extracting(body -> String.valueOf(body.get("sku")))
        .containsExactlyInAnyOrder("x", "y", "z");
  }

  private static Map<String, Object> line(String sku, int count) {
    return Map.of("sku", sku, "count", count);
  }

  private static void retry(Example example) {
    example.world.failing("/shop/stock/A", 503);
    RunHandle<Object> run = example.start(Map.of("sku", "A", "count", 3));
    example.test.move(Duration.ofMinutes(2));
    assertThat(example.world.server.requests()).hasSize(2);
    example.world.failing("/shop/stock/A", null);
    example.test.move(Duration.ofHours(1));

    assertThat(example.status(run)).isEqualTo("succeeded");
    assertThat(example.world.done()).hasSize(1);
  }

  private static void compensate(Example example) {
    example.world.failing("/hotel/stays", 422);
    RunHandle<Object> run = example.start(Map.of("trip", "t"));

    assertThat(example.status(run)).isEqualTo("compensated");
    assertThat(example.world.done())
        .containsExactly("POST /airline/bookings", "DELETE /airline/bookings/x-1");
  }

  private static void compensateKinds(Example example) throws Exception {
    example.world.database().run("CREATE TABLE shops (shop TEXT)", Map.of());
    example.world.failing("/shop/shops/s", 422);
    RunHandle<Object> run = example.start(Map.of("shop", "s", "email", "ann@example.org"));

    assertThat(example.status(run)).isEqualTo("compensated");
    assertThat(example.world.mail.mails).hasSize(1);
    assertThat(example.world.done())
        .containsExactly("POST /domains/domains", "PUT /shop/news/s", "POST /domains/refunds");
    assertThat(example.world.database().run("SELECT shop FROM shops", Map.of()).rows()).isEmpty();
  }

  private static void meanings(Example example) {
    example.world.failing("/signer/signatures/c", 202);
    RunHandle<Object> run = example.start(Map.of("contract", "c"));
    assertThat(example.status(run)).isEqualTo("waiting");
    example.world.failing("/signer/signatures/c", 409);
    example.test.move(Duration.ofMinutes(1));

    assertThat(run.await()).isEqualTo(Map.of("status", 409));
  }

  private static void lock(Example example) {
    example.run(Map.of("ticket", "1", "printer", "p"));
    example.run(Map.of("ticket", "2", "printer", "p"));

    assertThat(example.world.done("POST /printers/p/jobs")).hasSize(2);
  }

  private static void onError(Example example) {
    example.world.failing("/points/orders/A", 422);
    example.run(Map.of("order", "A"));

    assertThat(example.world.done("PUT /shop/orders/A"))
        .containsExactly(Map.of("points", "http-422"));
  }

  private static void additive(Example example) {
    example.run(Map.of());
    example.run(Map.of());

    assertThat(example.world.done("POST /garden/valves")).hasSize(2);
  }

  // ---- the flow itself

  private static void key(Example example) {
    RunHandle<Object> first = example.start(Map.of("file", "a.csv", "rows", 1));
    RunHandle<Object> same = example.start(Map.of("file", "a.csv", "rows", 1));
    RunHandle<Object> other = example.start(Map.of("file", " A.csv", "rows", 2));

    assertThat(same.id()).isEqualTo(first.id());
    assertThat(other.id()).isNotEqualTo(first.id());
    assertThat(other.await()).isEqualTo(Map.of("rows", 2));
  }

  private static void concurrency(Example example) {
    RunHandle<Object> one = example.start(Map.of("catalogue", "c", "change", "1"));
    RunHandle<Object> two = example.start(Map.of("catalogue", "c", "change", "2"));
    assertThat(example.status(two)).isEqualTo("queued");
    example.test.move(Duration.ofMinutes(1));
    assertThat(example.status(one)).isEqualTo("succeeded");
    example.test.move(Duration.ofMinutes(1));

    assertThat(example.status(two)).isEqualTo("succeeded");
  }

  private static void triggers(Example example) {
    assertThat(example.flow.file().triggers()).hasSize(2);
    example.run(Map.of("order", "A", "version", 3));

    assertThat(example.world.done()).containsExactly("PUT /shop/sync/A");
  }
}
