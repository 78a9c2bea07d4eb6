package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Approvals;
import dev.hapax.Callbacks;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The examples of docs/start/waits.md: the code between markers is the same as there. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class WaitsExampleTest extends EngineTest {
  private final Provider provider = new Provider();
  private final Shop shop = new Shop();

  record Payment(String reference) {}

  record Page(String text) {}

  private static final class Provider {
    private final AtomicReference<String> token = new AtomicReference<>("");

    String requestPayment(Order order, String callbackToken, String key) {
      token.set(callbackToken);
      return order.id() + " " + key;
    }
  }

  private static final class Shop {
    private final List<String> pages = new CopyOnWriteArrayList<>();

    void put(Page page) {
      pages.add(page.text());
    }
  }

  private Flow<Order, Receipt> payment() {
    // example: callback
    Flow<Order, Receipt> flow =
        Flow.of("take-payment", Order.class, Receipt.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  String token = run.callback("paid");
                  run.effect(
                      "request",
                      Effect.create(order.id()).keyed(),
                      key -> provider.requestPayment(order, token, key),
                      String.class);
                  Payment payment = run.awaitCallback("paid", Duration.ofDays(3), Payment.class);
                  return new Receipt(order.id(), payment.reference());
                });
    // end
    return flow;
  }

  private static Flow<Order, Receipt> refund() {
    // example: approval
    Flow<Order, Receipt> flow =
        Flow.of("refund", Order.class, Receipt.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  Decision decision =
                      run.approval(
                          "release",
                          Approval.ask("Refund " + order.total() + " for " + order.id() + "?")
                              .roles("finance")
                              .expires(Duration.ofDays(3)));
                  return new Receipt(order.id(), "approved by " + decision.by());
                });
    // end
    return flow;
  }

  private Flow<Order, Receipt> publishing() {
    // example: rounds
    Flow<Order, Receipt> flow =
        Flow.of("publish", Order.class, Receipt.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  Decision decision =
                      run.rounds(
                          "release",
                          3,
                          (round, rework) -> {
                            Page page = rework == null ? new Page("draft") : edited(rework);
                            round.effect(
                                "page",
                                Effect.update(order.id()).request(page).upsert(),
                                (_, content) -> shop.put(content));
                            return Approval.ask("Publish '" + page.text() + "'?").roles("editor");
                          });
                  return new Receipt(order.id(), decision.decision().word());
                });
    // end
    return flow;
  }

  private static Page edited(Decision rework) {
    Page page = rework.values(Page.class);
    return page == null ? new Page(String.valueOf(rework.comment())) : page;
  }

  @Test
  void a_payment_is_answered() {
    RunHandle<Receipt> run = hapax.start(register(payment()), order("A-1"));
    awaitReleased(run);
    String token = provider.token.get();

    // example: answer
    Callbacks.Receipt receipt = hapax.callbacks().answer(token, new Payment("ref-7"));
    assertThat(receipt.isFirst()).isTrue();
    assertThat(hapax.callbacks().answer(token, new Payment("ref-8")).value())
        .isEqualTo("{\"reference\":\"ref-7\"}");
    // end

    assertThat(run.await().key()).isEqualTo("ref-7");
  }

  @Test
  void a_refund_is_approved() {
    RunHandle<Receipt> run = hapax.start(register(refund()), order("A-1"));
    awaitReleased(run);

    // example: decide
    for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open().role("finance"))) {
      hapax.approvals().decide(item.id(), Verdict.approve("ann").roles("finance").comment("ok"));
    }
    // end

    assertThat(run.await().key()).isEqualTo("approved by ann");
  }

  @Test
  void a_page_goes_through_two_rounds() {
    RunHandle<Receipt> run = hapax.start(register(publishing()), order("A-1"));
    awaitReleased(run);
    String id = hapax.approvals().list(hapax.approvals().open()).getFirst().id();

    // example: rework
    hapax
        .approvals()
        .decide(
            id,
            Verdict.rework("ann", "friendlier, please").roles("editor").values(new Page("Hello!")));
    // end
    eventually(() -> !hapax.approvals().list(hapax.approvals().open()).isEmpty());
    Approvals.Item second = hapax.approvals().list(hapax.approvals().open()).getFirst();
    hapax.approvals().decide(second.id(), Verdict.approve("ann").roles("editor"));

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(second.round()).isEqualTo(2);
    assertThat(shop.pages).containsExactly("draft", "Hello!");
  }

  @Test
  void the_page_shows_this_code() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
      root = Objects.requireNonNull(root.getParent());
    }
    String page = Files.readString(root.resolve("docs/start/waits.md"));
    String code =
        Files.readString(
            root.resolve(
                "engine-tests/src/test/java/dev/hapax/engine/tests/WaitsExampleTest.java"));

    List<String> examples =
        code.lines().map(String::strip).filter(line -> line.startsWith("// example: ")).toList();
    assertThat(examples).hasSize(6);
    for (String example : examples) {
      assertThat(page).as(example).contains(between(code, example));
    }
  }

  private static String between(String code, String marker) {
    int begin = code.indexOf(marker + "\n") + marker.length() + 1;
    return code.substring(begin, code.indexOf("// " + "end", begin)).stripIndent().strip();
  }
}
