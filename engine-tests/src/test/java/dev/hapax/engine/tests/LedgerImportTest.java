package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.ImportReport;
import dev.hapax.LedgerCheck;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Kind;
import dev.hapax.flow.LedgerRow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Effects that another system did: runs reuse them, and send nothing but updates. */
class LedgerImportTest extends SagaTest {
  private static LedgerRow done(String name, String key) {
    return LedgerRow.of(name, key, Kind.CREATE);
  }

  @Test
  void a_run_reuses_an_imported_effect_and_its_history_says_who_imported_it() {
    var flow =
        register(
            charging("shop", order -> create(order).keyed().name("charge"), _ -> send("charge")));
    hapax
        .ledger()
        .bringIn(
            List.of(done("charge", "A").externalId("ch_1").output("\"K-1\"").note("of 2025")),
            "ann");

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(run.await().key()).isEqualTo("K-1");
    assertThat(world).isEmpty();
    var reused = entry(run, "reused");
    assertThat(reused.decision()).startsWith("reused from import by ann at ").endsWith(": of 2025");
    assertThat(reused.reusedFrom()).isNull();
    assertThat(reused.externalId()).isEqualTo("ch_1");
    assertThat(hapax.ownerOf(effect("charge"))).isNull();
    assertThat(hapax.find("ch_1")).hasSize(1);
    assertThat(hapax.effects(hapax.effects().of(hapax.run(run.id())))).hasSize(1);
  }

  @Test
  void what_another_system_did_cannot_be_forced_and_the_words_say_so() {
    var flow =
        register(
            charging("shop", order -> create(order).keyed().name("charge"), _ -> send("charge")));
    hapax.ledger().bringIn(List.of(done("charge", "A").output("\"K-1\"")), "ann");
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    run.await();
    ReplayWish wish = ReplayWish.ALL.forcing(effect("charge").id(), "it is gone");

    assertThatThrownBy(() -> hapax.replays().plan(run.id(), wish))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("was brought in from another system");
    assertThat(world).isEmpty();
  }

  @Test
  void an_import_cannot_stop_a_message_and_an_export_leaves_deliveries_out() {
    assertThatThrownBy(() -> LedgerRow.of("hapax/deliver/shop/deliver", "m-1", Kind.NOTIFY))
        .hasMessageContaining("belongs to Hapax itself");
    assertThatThrownBy(() -> LedgerRow.of("hapax.alert/tell", "m-1", Kind.NOTIFY))
        .hasMessageContaining("belongs to Hapax itself");
    hapax.outbox().courier("shop", message -> world.add(message.id()));
    hapax.outbox().publish("first", Message.to("shop").type("t"));
    hapax.ledger().bringIn(List.of(done("charge", "A")), "ann");
    moveUntil(Duration.ofMillis(500), () -> world.size() == 1);

    List<LedgerRow> rows = new ArrayList<>();
    hapax.ledger().export(EffectState.DONE, null, null, null, rows::add);

    assertThat(rows).extracting(LedgerRow::name).containsExactly("charge");
  }

  @Test
  void the_ledger_is_compared_with_what_a_lookup_finds() throws Exception {
    hapax
        .ledger()
        .bringIn(
            List.of(
                done("charge", "same").externalId("ch_1"),
                done("charge", "other").externalId("ch_2"),
                done("charge", "gone").externalId("ch_3"),
                done("charge", "down"),
                done("refund", "same")),
            "ann");
    List<String> told = new ArrayList<>();

    LedgerCheck.Report report =
        hapax
            .ledger()
            .reconcile(
                "charge",
                null,
                null,
                row ->
                    switch (row.key().key()) {
                      case "same", "other" -> Optional.of(new LedgerCheck.There("ch_1"));
                      case "gone" -> Optional.empty();
                      default -> throw new IllegalStateException("no answer");
                    },
                (row, result) -> told.add(row.key().key() + " " + result));

    assertThat(report).isEqualTo(new LedgerCheck.Report(1, 1, 1, 1));
    assertThat(told).containsExactlyInAnyOrder("other DIFFERS", "gone MISSING", "down UNCHECKED");
  }

  @Test
  void a_run_that_fails_does_not_undo_what_it_did_not_send() {
    var flow = register(failingTrip());
    hapax.ledger().bringIn(List.of(done("trip/hotel", "A-1").output("\"h-1\"")), "ann");

    compensated(flow);

    assertThat(world).containsExactly("flight", "car", "undo-car", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.DONE);
    assertThat(effect("trip/hotel").isImported()).isTrue();
  }

  @Test
  void an_update_of_an_imported_object_is_sent_under_a_new_key() {
    var flow =
        register(
            orders("prices")
                .body(
                    (run, order) -> {
                      run.effect(
                          "put",
                          Effect.update(order.id()).request(order.total()).upsert().name("price"),
                          (key, total) -> send(key + ":" + total),
                          String.class);
                      return new Receipt(order.id(), "");
                    }));
    hapax
        .ledger()
        .bringIn(List.of(LedgerRow.of("price", "A", Kind.UPDATE).externalId("p_1")), "ann");
    String imported = effect("price").wireKey();

    hapax.start(flow, order("A")).await();

    EffectRecord row = effect("price");
    assertThat(row.revision()).isEqualTo(2);
    assertThat(world).containsExactly(row.wireKey() + ":40");
    assertThat(row.wireKey()).isNotEqualTo(imported);
  }

  @Test
  void an_import_that_a_crash_interrupted_is_repeated_without_harm() {
    Flow<Order, Receipt> flow = failingTrip();
    var rows = new ArrayList<LedgerRow>();
    for (int i = 0; i < 150; i++) {
      rows.add(done("charge", "A-" + i).output("\"" + i + "\""));
    }
    hapax.ledger().bringIn(rows.subList(0, 100), "ann");
    crash(flow);

    ImportReport report = hapax.ledger().bringIn(rows, "bob");

    assertThat(report).isEqualTo(new ImportReport(50, 100, List.of()));
    assertThat(exported(null)).hasSize(150);
  }

  @Test
  void an_import_of_an_export_gives_the_same_rows() {
    var flow = register(failingTrip());
    hapax
        .ledger()
        .bringIn(
            List.of(
                done("charge", "A").externalId("ch_1").output("{\"b\":1.50,\"a\":[null]}"),
                LedgerRow.of("price", "A", Kind.UPDATE).version(ObjectVersion.of(7)),
                done("big", "A").output("\"" + "x".repeat(200_000) + "\"")),
            "ann");
    var paying = register(charging("shop", order -> create(order).keyed(), _ -> send("charge")));
    hapax.start(paying, order("B")).await();
    compensated(flow);

    List<LedgerRow> rows = exported(null);

    assertThat(rows)
        .extracting(LedgerRow::name)
        .containsExactly("shop/charge", "big", "price", "charge");
    assertThat(hapax.ledger().bringIn(rows, "bob")).isEqualTo(new ImportReport(0, 4, List.of()));
    assertThat(exported("price")).hasSize(1);
    List<LedgerRow> undone = new ArrayList<>();
    hapax.ledger().export(EffectState.UNDONE, null, null, null, undone::add);
    assertThat(undone).hasSize(3);
    assertThatThrownBy(() -> hapax.ledger().bringIn(undone, "bob"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("state: expected done, got undone");
  }

  @Test
  void an_export_has_the_rows_of_its_time_only_and_all_of_them() {
    var rows = new ArrayList<LedgerRow>();
    for (int i = 0; i < 200; i++) {
      rows.add(done("charge", "A-" + i));
    }
    hapax.ledger().bringIn(rows, "ann");
    time.move(Duration.ofHours(1));
    var later = time.ports().clock().now();
    hapax.ledger().bringIn(List.of(done("charge", "B")), "ann");

    List<LedgerRow> before = new ArrayList<>();
    hapax.ledger().export(EffectState.DONE, null, null, later, before::add);
    List<LedgerRow> after = new ArrayList<>();
    hapax.ledger().export(EffectState.DONE, "charge", later, null, after::add);

    Collections.reverse(rows);
    assertThat(before)
        .extracting(LedgerRow::key)
        .isEqualTo(rows.stream().map(LedgerRow::key).toList());
    assertThat(after).extracting(LedgerRow::key).containsExactly("B");
  }

  @Test
  void a_tenant_imports_into_its_own_ledger() {
    hapax.tenant("other").ledger().bringIn(List.of(done("charge", "A").output("\"K\"")), "ann");
    var flow =
        register(
            charging("shop", order -> create(order).keyed().name("charge"), _ -> send("charge")));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(run.await().key()).isEqualTo("charge-1");
    assertThat(exported(null)).hasSize(1);
    assertThat(awaited(run)).isEqualTo(RunStatus.SUCCEEDED);
  }

  private RunStatus awaited(RunHandle<?> run) {
    return hapax.run(run.id()).status();
  }

  private List<LedgerRow> exported(@Nullable String name) {
    List<LedgerRow> rows = new ArrayList<>();
    hapax.ledger().export(EffectState.DONE, name, null, null, rows::add);
    return rows;
  }
}
