package dev.hapax.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The books are seen to disagree; a balance that cannot would prove nothing. */
class BalanceTest {
  private static final Batch BATCH = new Batch(1, 2, 1, false);
  private static final Map<String, String> ALL_DONE =
      Map.of("charge", "done", "invoice", "done", "mail", "done");

  private final List<Book.Entry> book = new ArrayList<>();
  private final List<Ledger.Line> lines = new ArrayList<>();

  @Test
  void books_of_what_happened_once_agree() {
    order("A1-0001", "succeeded", ALL_DONE, "charge", "invoice", "mail");
    order("A1-0002", "succeeded", ALL_DONE, "charge", "invoice", "mail");

    assertThat(balance().problems()).isEmpty();
    assertThat(balance().batch()).isEqualTo(new Balance.Figures(2, 2, 2, 2, 0, 0, 0, 0));
  }

  @Test
  void a_mail_in_review_may_have_happened_or_not() {
    var inReview = Map.of("charge", "done", "invoice", "done", "mail", "review");
    order("A1-0001", "review", inReview, "charge", "invoice", "mail");
    order("A1-0002", "review", inReview, "charge", "invoice");

    assertThat(balance().problems()).isEmpty();
    assertThat(balance().batch()).isEqualTo(new Balance.Figures(2, 2, 2, 1, 0, 2, 1, 0));
  }

  @Test
  void a_doubled_charge_is_seen() {
    order("A1-0001", "succeeded", ALL_DONE, "charge", "charge", "invoice", "mail");
    order("A1-0002", "succeeded", ALL_DONE, "charge", "invoice", "mail");

    assertThat(balance().problems())
        .containsExactly(
            "order A1-0001 (run r-A1-0001, succeeded): its charge is done, but happened 2 times");
    assertThat(balance().batch().duplicates()).isEqualTo(1);
  }

  @Test
  void a_missing_invoice_is_seen() {
    order("A1-0001", "succeeded", ALL_DONE, "charge", "mail");
    order("A1-0002", "succeeded", ALL_DONE, "charge", "invoice", "mail");

    assertThat(balance().problems())
        .containsExactly(
            "order A1-0001 (run r-A1-0001, succeeded): its invoice is done, but happened 0 times");
  }

  @Test
  void a_lost_run_is_seen() {
    order("A1-0001", "succeeded", ALL_DONE, "charge", "invoice", "mail");

    assertThat(balance().problems())
        .containsExactly("order A1-0002 was acknowledged and has no run");
  }

  @Test
  void a_run_that_is_stuck_is_seen() {
    order("A1-0001", "waiting", Map.of("charge", "doubt"));
    order("A1-0002", "succeeded", ALL_DONE, "charge", "invoice", "mail");

    assertThat(balance().problems())
        .containsExactly(
            "order A1-0001 (run r-A1-0001, waiting) has neither succeeded nor is in review");
    assertThat(balance().batch().open()).isEqualTo(1);
  }

  private void order(String id, String status, Map<String, String> effects, String... happened) {
    lines.add(new Ledger.Line(id, "r-" + id, status, effects));
    for (String kind : happened) {
      book.add(new Book.Entry(kind + "-" + book.size(), kind, id, "key"));
    }
  }

  private Balance balance() {
    return Balance.of(BATCH, new Ledger(lines, new Ledger.Stops(0, 0, 0, 0)), book);
  }
}
