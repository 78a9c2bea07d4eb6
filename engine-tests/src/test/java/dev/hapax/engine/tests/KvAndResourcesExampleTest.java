package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.Resource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/start/kv-and-resources.md; the page quotes this class. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class KvAndResourcesExampleTest extends EngineTest {
  private final World world = new World();

  @Test
  void the_first_order_of_a_customer_gets_a_gift() {
    // [gift]
    Flow<Order, Receipt> gift =
        orders("gift")
            .body(
                (run, order) -> {
                  KvResult first =
                      run.kv().putIfAbsent("first", "gift/ada", order.id(), Duration.ofDays(365));
                  if (!first.written()) {
                    return new Receipt(order.id(), "sent with " + first.value(String.class));
                  }
                  run.effect("send", Effect.create("gift/ada").keyed(), world::apply);
                  return new Receipt(order.id(), "a gift");
                });
    // [end]
    register(gift);

    assertThat(hapax.start(gift, order("A-1")).await().key()).isEqualTo("a gift");
    assertThat(hapax.start(gift, order("A-2")).await().key()).isEqualTo("sent with A-1");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_cursor_goes_on_only_from_where_it_was_read() {
    // [cursor]
    KvResult cursor = hapax.kv().get("sync/cursor"); // absent: version 0
    KvResult moved = hapax.kv().compareAndSet("sync/cursor", cursor.version(), "2026-03-01");
    // [end]

    assertThat(moved.written()).isTrue();
    assertThat(hapax.kv().compareAndSet("sync/cursor", cursor.version(), "x").written()).isFalse();
    assertThat(hapax.kv().list("sync/", null, 10)).hasSize(1);
  }

  @Test
  void a_document_goes_from_outside_through_a_run() {
    byte[] pdf = "%PDF-1.7".getBytes(StandardCharsets.US_ASCII);
    // [resource]
    String scan = hapax.resources().put(pdf, "application/pdf"); // res://…, durable

    Flow<Order, Receipt> archive =
        orders("archive")
            .body(
                (run, order) -> {
                  Resource document = run.resource(order.id()); // the reference came as input
                  byte[] text = document.text().getBytes(StandardCharsets.UTF_8);
                  String ref = run.resource("extract", text, "text/plain");
                  return new Receipt(order.id(), ref);
                });
    // [end]
    register(archive);

    String ref = hapax.start(archive, order(scan)).await().key();
    assertThat(hapax.resources().get(ref).text()).isEqualTo("%PDF-1.7");
  }

  @Test
  void a_large_result_needs_no_care() {
    // [large]
    Flow<Order, Integer> report =
        Flow.of("report", Order.class, Integer.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  Rows rows = run.step("read", () -> manyRows(), Rows.class);
                  return rows.lines().size();
                });
    // [end]
    register(report);

    assertThat(hapax.start(report, order("A-1")).await()).isEqualTo(100_000);
  }

  private static Rows manyRows() {
    return new Rows(Collections.nCopies(100_000, "a line of the report"));
  }

  record Rows(List<String> lines) {}
}
