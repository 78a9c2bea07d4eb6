package dev.hapax.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The books are seen to disagree; a balance that cannot would prove nothing. */
class BalanceTest {
  private static final OrderBatch BATCH = new OrderBatch(1, 2, 1, false);

  private final List<Book.Entry> book = new ArrayList<>();
  private final List<Ledger.Line> runs = new ArrayList<>();
  private final List<Ledger.Sent> effects = new ArrayList<>();

  @BeforeEach
  void everything_happened_once() {
    for (String order : List.of("A1-0001", "A1-0002")) {
      run("order-to-invoice", order, "succeeded");
      run("pay-order", order, "succeeded");
      run("ship-order", order, "succeeded");
      for (Happening kind :
          List.of(
              Happening.CHARGE,
              Happening.INVOICE,
              Happening.MAIL,
              Happening.RESERVATION,
              Happening.PARCEL,
              Happening.POINTS)) {
        believe(kind, order, "done");
        happen(kind, order);
      }
    }
    run("give-points", "A1-", "succeeded");
  }

  @Test
  void books_of_what_happened_once_agree() {
    assertThat(balance().problems()).isEmpty();
    assertThat(balance().batch()).isEqualTo(new Balance.Figures(2, 2, 2, 2, 2, 2, 0, 0, 0, 0));
  }

  @Test
  void a_mail_in_review_may_have_happened_or_not() {
    become("order-to-invoice", "A1-0001", "review");
    believe(Happening.MAIL, "A1-0001", "review");
    become("order-to-invoice", "A1-0002", "review");
    believe(Happening.MAIL, "A1-0002", "review");
    undo(Happening.MAIL, "A1-0002");

    assertThat(balance().problems()).isEmpty();
    assertThat(balance().batch()).isEqualTo(new Balance.Figures(2, 2, 2, 1, 2, 2, 0, 2, 1, 0));
  }

  @Test
  void a_doubled_charge_is_seen() {
    happen(Happening.CHARGE, "A1-0001");

    assertThat(balance().problems())
        .containsExactly("order A1-0001: its charge is done, but happened 2 times");
    assertThat(balance().batch().duplicates()).isEqualTo(1);
  }

  @Test
  void a_missing_invoice_is_seen() {
    undo(Happening.INVOICE, "A1-0001");

    assertThat(balance().problems())
        .containsExactly("order A1-0001: its invoice is done, but happened 0 times");
  }

  @Test
  void a_mail_that_was_not_sent_is_seen() {
    effects.removeIf(effect -> effect.name().equals("mail") && effect.key().equals("A1-0001"));

    assertThat(balance().problems())
        .containsExactly("order A1-0001: mail happened, but Hapax has no record of it");
  }

  @Test
  void a_lost_run_is_seen() {
    runs.removeIf(run -> run.flow().equals("pay-order") && run.key().equals("A1-0002"));

    assertThat(balance().problems())
        .containsExactly("order A1-0002 was acknowledged and has no run of pay-order");
  }

  @Test
  void a_run_that_is_stuck_is_seen() {
    become("pay-order", "A1-0001", "waiting");

    assertThat(balance().problems())
        .containsExactly(
            "run r-pay-order-A1-0001 of pay-order 'A1-0001' is waiting, which is not an end for it");
    assertThat(balance().batch().open()).isEqualTo(1);
  }

  @Test
  void a_quarantined_run_is_open_until_the_clerk_has_resumed_it() {
    runs.removeIf(run -> run.flow().equals("order-to-invoice") && run.key().equals("A1-0001"));
    var why = new Ledger.Why("quarantined");
    runs.add(new Ledger.Line("r-1", "order-to-invoice", "A1-0001", "review", why));

    assertThat(balance().batch().open()).isEqualTo(1);
  }

  @Test
  void a_reservation_that_was_not_given_back_is_seen() {
    become("ship-order", "A1-0001", "compensated");
    believe(Happening.RESERVATION, "A1-0001", "undone");
    believe(Happening.PARCEL, "A1-0001", "failed");
    undo(Happening.PARCEL, "A1-0001");

    assertThat(balance().problems()).hasSize(1);
    assertThat(balance().problems().getFirst())
        .contains("ship-order 'A1-0001' is compensated, but");

    believe(Happening.GIVEN_BACK, "A1-0001", "done");
    happen(Happening.GIVEN_BACK, "A1-0001");

    assertThat(balance().problems()).isEmpty();
  }

  private void run(String flow, String key, String status) {
    runs.add(new Ledger.Line("r-%s-%s".formatted(flow, key), flow, key, status, null));
  }

  private void become(String flow, String key, String status) {
    runs.removeIf(run -> run.flow().equals(flow) && run.key().equals(key));
    run(flow, key, status);
  }

  private void believe(Happening kind, String order, String state) {
    effects.removeIf(sent -> sent.name().equals(kind.effect()) && sent.key().equals(order));
    effects.add(new Ledger.Sent(kind.effect(), order, state));
  }

  private void happen(Happening kind, String order) {
    book.add(new Book.Entry(kind + "-" + book.size(), kind, order, "key"));
  }

  private void undo(Happening kind, String order) {
    book.removeIf(entry -> entry.kind() == kind && entry.order().equals(order));
  }

  private Balance balance() {
    return Balance.of(BATCH, new Ledger(runs, effects, new Ledger.Stops(0, 0, 0, 0, 0, 0)), book);
  }
}
