package dev.hapax.flows;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.ErasureWish;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Plays the examples of fields of a step and of a flow. */
final class FieldExamples {
  static final Map<String, PlayedExample.Scenario> SCENARIOS =
      Map.ofEntries(
          entry("fields/when.yaml", FieldExamples::when),
          entry("fields/for-each.yaml", FieldExamples::forEach),
          entry("fields/for-each-steps.yaml", FieldExamples::forEachSteps),
          entry("fields/stale.yaml", FieldExamples::stale),
          entry("fields/retry.yaml", FieldExamples::retry),
          entry("fields/compensate.yaml", FieldExamples::compensate),
          entry("fields/compensate-kinds.yaml", FieldExamples::compensateKinds),
          entry("fields/meanings.yaml", FieldExamples::meanings),
          entry("fields/reconcile.yaml", FieldExamples::reconcile),
          entry("fields/lock.yaml", FieldExamples::lock),
          entry("fields/on-error.yaml", FieldExamples::onError),
          entry("fields/additive.yaml", FieldExamples::additive),
          entry("fields/on-rework.yaml", FieldExamples::onRework),
          entry("flow/key.yaml", FieldExamples::key),
          entry("flow/subject.yaml", FieldExamples::subject),
          entry("flow/concurrency.yaml", FieldExamples::concurrency),
          entry("flow/triggers.yaml", FieldExamples::triggers),
          entry("queues/label-jobs.yaml", FieldExamples::labels),
          entry("queues/order-events.yaml", FieldExamples::queue),
          entry("queues/paid-orders.yaml", FieldExamples::paid),
          entry("queues/stock-levels.yaml", FieldExamples::newest),
          entry("queues/shipments.yaml", FieldExamples::shipments),
          entry("queues/returns.yaml", FieldExamples::returns),
          entry("flow/alerts.yaml", FieldExamples::alerts));

  private FieldExamples() {}

  private static void alerts(PlayedExample example) {
    example.world().failing("/erp/prices/monday", 404);
    RunHandle<Object> run = example.start(Map.of("day", "monday"));

    assertThat(example.status(run)).isEqualTo("failed");
    assertThat(example.world().mail.mails)
        .singleElement()
        .asString()
        .contains("failed: flow import-prices step write", "To: shop@example.com, it@example.com");
    assertThat(example.world().done("POST /partner")).hasSize(1);
    example.test().move(Duration.ofHours(1));
    assertThat(example.world().mail.mails).hasSize(1);
  }

  private static void subject(PlayedExample example) {
    Map<String, Object> input = Map.of("order", "A", "customer", "C-42", "mail", "ann@example.org");
    assertThat(example.run(input)).isEqualTo(Map.of("to", "ann@example.org"));

    assertThat(example.test().hapax().subjects().plan("C-42", ErasureWish.DEFAULT).runs())
        .hasSize(1);
  }

  private static void onRework(PlayedExample example) {
    RunHandle<Object> run = example.start(Map.of("offer", "A", "cents", 900));
    StepExamples.decide(
        example, Verdict.rework("ann", "cheaper").roles("manager").values(Map.of("cents", 800)));
    StepExamples.decide(example, Verdict.approve("ann").roles("manager"));

    assertThat(example.status(run)).isEqualTo("succeeded");
    assertThat(example.world().done())
        .containsExactly("POST /crm/offers", "DELETE /crm/offers/x-1", "POST /crm/offers");
    assertThat(example.world().done("POST /crm/offers"))
        .extracting(body -> String.valueOf(body.get("cents")))
        .containsExactly("900", "800");
  }

  private static void when(PlayedExample example) {
    assertThat(example.run(order("A", true))).isEqualTo(Map.of("letter", true));
    assertThat(example.run(order("B", false))).isEqualTo(Map.of("letter", false));
    assertThat(example.world().done())
        .containsExactly("PUT /shop/letters/c", "POST /shop/points", "POST /shop/points");
  }

  private static Map<String, Object> order(String order, boolean first) {
    return Map.of("order", order, "customer", "c", "first", first, "cents", 4000);
  }

  private static void forEach(PlayedExample example) {
    List<Map<String, Object>> lines =
        List.of(line("x", 1), line("none", 0), line("y", 2), line("z", 3));
    RunHandle<Object> run = example.start(Map.of("order", "A", "lines", lines));

    assertThat(run.await()).isEqualTo(Map.of("shipped", 4));
    assertThat(example.world().done("POST /carrier/parcels"))
        .extracting(body -> String.valueOf(body.get("sku")))
        .containsExactlyInAnyOrder("x", "y", "z");
  }

  private static Map<String, Object> line(String sku, int count) {
    return Map.of("sku", sku, "count", count);
  }

  private static void forEachSteps(PlayedExample example) {
    List<Map<String, Object>> orders =
        List.of(
            invoiced("a", "ann@example.org"),
            invoiced("b", "nowhere"),
            invoiced("c", "cy@example.org"));
    RunHandle<Object> run = example.start(Map.of("day", "2026-11-01", "orders", orders));

    assertThat(example.status(run)).isEqualTo("partial");
    String output = String.valueOf(example.test().hapax().run(run.id()).output());
    assertThat(output).contains("\"failed\":[\"b\"]");
    assertThat(example.world().mail.mails).hasSize(2);
    assertThat(example.world().done("POST /accounting/invoices")).hasSize(3);
  }

  private static Map<String, Object> invoiced(String id, String email) {
    return Map.of("id", id, "email", email, "cents", 100);
  }

  private static void stale(PlayedExample example) {
    assertThat(example.run(price(5))).isEqualTo(Map.of("stale", false));
    assertThat(example.run(price(4))).isEqualTo(Map.of("stale", true));

    assertThat(example.world().done("PUT /shop/prices/s")).hasSize(1);
    assertThat(example.world().mail.mails).hasSize(1);
  }

  private static Map<String, Object> price(int version) {
    return Map.of(
        "sku", "s", "version", version, "cents", 100 * version, "email", "ann@example.org");
  }

  private static void retry(PlayedExample example) {
    example.world().failing("/shop/stock/A", 503);
    RunHandle<Object> run = example.start(Map.of("sku", "A", "count", 3));
    example.test().move(Duration.ofMinutes(2));
    assertThat(example.world().server.requests()).hasSize(2);
    example.world().failing("/shop/stock/A", null);
    example.test().move(Duration.ofHours(1));

    assertThat(example.status(run)).isEqualTo("succeeded");
    assertThat(example.world().done()).hasSize(1);
  }

  private static void compensate(PlayedExample example) {
    example.world().failing("/hotel/stays", 422);
    RunHandle<Object> run = example.start(Map.of("trip", "t"));

    assertThat(example.status(run)).isEqualTo("compensated");
    assertThat(example.world().done())
        .containsExactly("POST /airline/bookings", "DELETE /airline/bookings/x-1");
  }

  private static void compensateKinds(PlayedExample example) throws Exception {
    example.world().database().run("CREATE TABLE shops (shop TEXT)", Map.of());
    example.world().failing("/shop/shops/s", 422);
    RunHandle<Object> run = example.start(Map.of("shop", "s", "email", "ann@example.org"));

    assertThat(example.status(run)).isEqualTo("compensated");
    assertThat(example.world().mail.mails).hasSize(1);
    assertThat(example.world().done())
        .containsExactly("POST /domains/domains", "PUT /shop/news/s", "POST /domains/refunds");
    assertThat(example.world().database().run("SELECT shop FROM shops", Map.of()).rows()).isEmpty();
  }

  private static void meanings(PlayedExample example) {
    example.world().failing("/signer/signatures/c", 202);
    RunHandle<Object> run = example.start(Map.of("contract", "c"));
    assertThat(example.status(run)).isEqualTo("waiting");
    example.world().failing("/signer/signatures/c", 409);
    example.test().move(Duration.ofMinutes(1));

    assertThat(run.await()).isEqualTo(Map.of("status", 409));
  }

  private static void reconcile(PlayedExample example) {
    example.run(Map.of("order", "A", "cents", 900));

    assertThat(example.world().done("POST /accounting/invoices")).hasSize(1);
  }

  private static void lock(PlayedExample example) {
    example.run(Map.of("ticket", "1", "printer", "p"));
    example.run(Map.of("ticket", "2", "printer", "p"));

    assertThat(example.world().done("POST /printers/p/jobs")).hasSize(2);
  }

  private static void onError(PlayedExample example) {
    example.world().failing("/points/orders/A", 422);
    example.run(Map.of("order", "A"));

    assertThat(example.world().done("PUT /shop/orders/A"))
        .containsExactly(Map.of("points", "http-422"));
  }

  private static void additive(PlayedExample example) {
    example.run(Map.of("watering", "monday"));
    example.run(Map.of("watering", "tuesday"));
    example.run(Map.of("watering", "tuesday"));

    assertThat(example.world().done("POST /garden/valves")).hasSize(2);
  }

  private static void key(PlayedExample example) {
    RunHandle<Object> first = example.start(Map.of("file", "a.csv", "rows", 1));
    RunHandle<Object> same = example.start(Map.of("file", "a.csv", "rows", 1));
    RunHandle<Object> other = example.start(Map.of("file", " A.csv", "rows", 2));

    assertThat(same.id()).isEqualTo(first.id());
    assertThat(other.id()).isNotEqualTo(first.id());
    assertThat(other.await()).isEqualTo(Map.of("rows", 2));
  }

  private static void concurrency(PlayedExample example) {
    RunHandle<Object> one = example.start(Map.of("catalogue", "c", "change", "1"));
    RunHandle<Object> two = example.start(Map.of("catalogue", "c", "change", "2"));
    assertThat(example.status(two)).isEqualTo("queued");
    example.test().move(Duration.ofMinutes(1));
    assertThat(example.status(one)).isEqualTo("succeeded");
    example.test().move(Duration.ofMinutes(1));

    assertThat(example.status(two)).isEqualTo("succeeded");
  }

  private static void queue(PlayedExample example) {
    assertThat(example.flow().file().triggers()).hasSize(1);
    example.run(Map.of("event", "7", "order", "A", "total", 3));

    assertThat(example.world().done()).containsExactly("PUT /accounting/bookings/A");
  }

  private static void paid(PlayedExample example) {
    example.run(Map.of("order", "A", "city", "Ulm"));

    assertThat(example.world().done()).containsExactly("PUT /carrier/shipments/A");
  }

  private static void labels(PlayedExample example) {
    example.run(Map.of("parcel", "P"));

    assertThat(example.world().done()).containsExactly("PUT /printer/labels/P");
  }

  private static void shipments(PlayedExample example) {
    assertThat(example.flow().file().triggers()).hasSize(1);
    example.run(Map.of("message", "m-1", "order", "A", "items", 3));

    assertThat(example.world().done()).containsExactly("PUT /carrier/parcels/A");
  }

  private static void returns(PlayedExample example) {
    assertThat(example.flow().file().triggers()).hasSize(1);
    example.run(Map.of("return", "R-7", "amount", 12));
    example.run(Map.of("return", "R-7", "amount", 12));

    assertThat(example.world().done()).containsExactly("PUT /accounting/credits/R-7");
  }

  private static void newest(PlayedExample example) {
    example.run(Map.of("sku", "A", "version", 2, "stock", 7));
    example.run(Map.of("sku", "A", "version", 1, "stock", 9));

    assertThat(example.world().done()).containsExactly("PUT /shop/articles/A/stock");
  }

  private static void triggers(PlayedExample example) {
    assertThat(example.flow().file().triggers()).hasSize(2);
    example.run(Map.of("order", "A", "version", 3));

    assertThat(example.world().done()).containsExactly("PUT /shop/sync/A");
  }
}
