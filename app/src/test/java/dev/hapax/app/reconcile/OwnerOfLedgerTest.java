package dev.hapax.app.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The run says whose ledger is compared and repaired; its input does not. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class OwnerOfLedgerTest {
  @Test
  void a_reconciliation_compares_the_ledger_of_its_own_tenant() {
    var asked =
        new ReconcileWish(
            "victim", "books", 1, List.of(), null, null, true, "anna", 5, null, "nightly");

    assertThat(asked.of("acme"))
        .isEqualTo(
            new ReconcileWish(
                "acme", "books", 1, List.of(), null, null, true, "anna", 5, null, "nightly"));
    assertThat(asked.of("victim")).isSameAs(asked);
  }

  @Test
  void a_repair_sends_what_its_own_tenant_has_sent() {
    var asked = new RepairFlow.RepairWish("victim", "r-1", "books", 5, "anna", "lost");

    assertThat(asked.of("acme").tenant()).isEqualTo("acme");
    assertThat(asked.of("acme").reconciliation()).isEqualTo("r-1");
  }
}
