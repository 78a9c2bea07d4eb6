package dev.hapax.flows;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import java.time.Duration;
import java.util.Map;

/** Plays the examples of {@code examples/flows/guards}: one answer is lost, late or doubled. */
final class GuardExamples {
  static final Map<String, PlayedExample.Scenario> SCENARIOS =
      Map.ofEntries(
          entry("guards/keyed.yaml", GuardExamples::keyed),
          entry("guards/keyed-lookup.yaml", GuardExamples::keyedLookup),
          entry("guards/upsert.yaml", GuardExamples::upsert),
          entry("guards/transaction.yaml", GuardExamples::transaction),
          entry("guards/lookup.yaml", GuardExamples::lookup),
          entry("guards/none.yaml", GuardExamples::none));

  private GuardExamples() {}

  private static void keyed(PlayedExample example) {
    example.test().loseAnswer("charge");

    assertThat(example.run(Map.of("order", "A", "cents", 4000))).isEqualTo(Map.of("charge", "x-1"));
    assertThat(example.world().server.requests()).hasSize(2);
    assertThat(example.world().done()).containsExactly("POST /payments/charges");
  }

  private static void keyedLookup(PlayedExample example) {
    example.world().page("/bank/payments/b", "{\"id\":\"x-1\"}");
    example.test().loseAnswer("pay");
    RunHandle<Object> run = example.start(Map.of("bill", "b", "cents", 4000));
    example.test().move(Duration.ofHours(2));
    example.test().move(Duration.ofMinutes(5));

    assertThat(run.await()).isEqualTo(Map.of("payment", "x-1"));
    assertThat(example.world().done()).containsExactly("POST /bank/payments");
  }

  private static void upsert(PlayedExample example) {
    example.test().loseAnswer("customer");
    example.run(Map.of("customer", "c-7", "version", 2, "email", "new@example.org"));
    example.run(Map.of("customer", "c-7", "version", 1, "email", "old@example.org"));

    assertThat(example.world().done("PUT /accounting/customers/c-7"))
        .hasSize(2)
        .containsOnly(Map.of("email", "new@example.org"));
  }

  private static void transaction(PlayedExample example) throws Exception {
    var books = example.world().database();
    books.run("CREATE TABLE accounts (account TEXT, cents INTEGER)", Map.of());
    books.run("INSERT INTO accounts VALUES ('a', 100), ('b', 0)", Map.of());
    example.test().loseAnswer("move");

    assertThat(example.run(Map.of("transfer", "t-1", "from", "a", "to", "b", "cents", 30)))
        .isEqualTo(Map.of("accounts", 2));
    assertThat(books.run("SELECT cents FROM accounts ORDER BY account", Map.of()).rows())
        .extracting(row -> row.get("cents"))
        .containsExactly(70, 30);
  }

  private static void lookup(PlayedExample example) {
    example.test().loseAnswer("invoice");

    assertThat(example.run(Map.of("order", "A", "cents", 4000)))
        .isEqualTo(Map.of("invoice", "x-1"));
    assertThat(example.world().done()).containsExactly("POST /accounting/invoices");
  }

  private static void none(PlayedExample example) {
    example.test().loseAnswer("page").loseAnswer("screen").loseAnswer("mail");
    RunHandle<Object> run = example.start(Map.of("incident", "i-1", "text", "it burns"));
    example.test().move(Duration.ofMinutes(1));

    assertThat(example.status(run)).isEqualTo("review");
    assertThat(example.world().done())
        .containsExactly("POST /pager/pages", "POST /pager/pages", "POST /wall/lines");
    assertThat(example.world().mail.mails).hasSize(1);
  }
}
