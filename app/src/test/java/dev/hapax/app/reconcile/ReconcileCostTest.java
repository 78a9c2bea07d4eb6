package dev.hapax.app.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people and repairs read of a long reconciliation costs one reading of its journal. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconcileCostTest {
  private static final int PAGES = 300;
  private static final int PLANS = 60;

  private final ManualTime time = new ManualTime();
  private final CountingRows store = new CountingRows();
  private final Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()));
  private final RepairFlow repair = new RepairFlow(hapax::tenant, new NoSources());
  private String reconciliation = "";

  private static final class CountingRows extends ForwardingStore {
    private final Store counted = new MemoryStore();
    private final AtomicInteger rows = new AtomicInteger();

    @Override
    protected Store to() {
      return counted;
    }

    @Override
    public List<JournalRow> journal(long run, long after, int limit) {
      List<JournalRow> read = counted.journal(run, after, limit);
      rows.addAndGet(read.size());
      return read;
    }
  }

  private static final class NoSources implements ReconcileSources {
    @Override
    public @Nullable DestinationList list(String tenant, String flow, int release, String step) {
      return null;
    }

    @Override
    public @Nullable EffectLookup lookup(String tenant, String flow, int release, String step) {
      return null;
    }

    @Override
    public boolean alertsOf(String tenant, String flow) {
      return false;
    }
  }

  /** Writes the journal of a reconciliation: pages with a missing effect each, then plans. */
  @BeforeEach
  void reconcile() {
    Flow<ReconcileWish, ReconcileState.Totals> flow =
        Flow.of(ReconcileFlow.NAME, ReconcileWish.class, ReconcileState.Totals.class)
            .body(
                (run, _) -> {
                  for (int i = 0; i < PAGES; i++) {
                    var round = run.item("page-" + i);
                    ReconciledPage page = page(i);
                    round.step(ReconcileFlow.PAGE, () -> page, ReconciledPage.class);
                    round.sleep("pace", Duration.ofMillis(1));
                  }
                  run.step(
                      MissingCheck.CONFIRM, () -> plans(run.id()), MissingCheck.Confirmed.class);
                  return missing(PAGES);
                });
    hapax.register(flow);
    hapax.register(repair.flow());
    RunHandle<?> run =
        hapax.start(
            flow,
            new ReconcileWish(
                "default", "bill", 1, List.of(), null, null, false, "ada", 1000, true, null));
    reconciliation = run.id();
    awaitEnd(run);
    assertThat(journal()).isGreaterThan(PAGES / 2);
  }

  @AfterEach
  void close() {
    hapax.close();
  }

  private static ReconcileState.Totals missing(long count) {
    return new ReconcileState.Totals(0, count, 0, 0, 0, 0, 0, null);
  }

  private static ReconciledPage page(int number) {
    var finding =
        new ReconciledPage.Finding(
            "missing", "invoice", "A-" + number, "e-" + (number + 1), 1, null, null, null, null);
    return new ReconciledPage(
        "" + number, missing(1), "", List.of(finding), List.of(), List.of(), null);
  }

  private static MissingCheck.Confirmed plans(String run) {
    return new MissingCheck.Confirmed(
        IntStream.range(0, PLANS)
            .mapToObj(
                i ->
                    new RepairPlan(
                        "e-" + (i + 1),
                        1,
                        true,
                        null,
                        run,
                        "invoice",
                        null,
                        2,
                        "w",
                        null,
                        null,
                        "gone",
                        "d"))
            .toList(),
        null,
        null);
  }

  private void awaitEnd(RunHandle<?> run) {
    while (!hapax.run(run.id()).status().isEnd()) {
      time.move(Duration.ofMillis(2));
      LockSupport.parkNanos(200_000);
    }
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /** How many rows one reading of the reconciliation's journal takes. */
  private int journal() {
    int before = store.rows.get();
    assertThat(hapax.history(reconciliation)).isNotEmpty();
    return store.rows.get() - before;
  }

  @Test
  void a_look_at_a_reconciliation_reads_its_journal_once() {
    int whole = journal();
    int before = store.rows.get();

    ReconciliationView view =
        new ReconcileReading(hapax, hapax.run(reconciliation), null, 0, 200).view();

    assertThat(view.totals().missing()).isEqualTo(PAGES);
    assertThat(view.items()).hasSize(200);
    assertThat(view.next()).isNotNull();
    assertThat(store.rows.get() - before).isLessThanOrEqualTo(whole);
  }

  @Test
  void a_repair_does_not_read_the_reconciliation_again_for_each_effect() {
    int whole = journal();
    int before = store.rows.get();

    RunHandle<?> run =
        hapax.start(
            repair.flow(),
            new RepairFlow.RepairWish("default", reconciliation, "bill", 1000, "ada", "lost"));
    awaitEnd(run);

    assertThat(hapax.run(run.id()).output()).contains("\"stale\":" + PLANS);
    // The plans are read once; each effect asks the history of its own run, here this one, too.
    assertThat(store.rows.get() - before).isLessThanOrEqualTo((PLANS + 2) * whole);
    before = store.rows.get();
    RepairView view = RepairView.of(hapax, hapax.run(run.id()), 0, 200);
    assertThat(view.items()).hasSize(PLANS);
    assertThat(store.rows.get() - before).isLessThanOrEqualTo(4 * PLANS);
  }

  @Test
  void missing_effects_are_read_ahead_and_come_in_their_order() {
    int whole = journal();
    int before = store.rows.get();
    var missing = new RecordedItems<>(MissingCheck::missingIn);
    var found = new ArrayList<String>();

    RecordedItems.@Nullable Place place = RecordedItems.Place.FIRST;
    while (place != null) {
      RecordedItems.Some<ReconciledPage.Finding> some =
          missing.from(hapax, reconciliation, place, 7);
      some.items().forEach(item -> found.add(item.value().effect()));
      place = some.next();
    }

    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(0, PAGES).mapToObj(i -> "e-" + (i + 1)).toList());
    assertThat(store.rows.get() - before).isLessThanOrEqualTo(whole);
  }

  /** After a restart nothing is kept. */
  @Test
  void another_process_goes_on_at_the_same_place() {
    RecordedItems.Place place =
        Objects.requireNonNull(
            new RecordedItems<>(MissingCheck::missingIn)
                .from(hapax, reconciliation, RecordedItems.Place.FIRST, 7)
                .next());

    RecordedItems.Some<ReconciledPage.Finding> some =
        new RecordedItems<>(MissingCheck::missingIn).from(hapax, reconciliation, place, 1);

    assertThat(some.items().getFirst().value().effect()).isEqualTo("e-8");
  }
}
