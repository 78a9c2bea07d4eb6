package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.admission.Admission;
import dev.hapax.admission.RunAdmission;
import dev.hapax.admission.StartRequest;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A start costs the same, however often its key came before. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class GenerationCostTest {
  private static final int GENERATIONS = 1_000;

  private final ManualTime time = new ManualTime();
  private final MortalStore store = new MortalStore(new MemoryStore());
  private final IdSource ids = new IdSource(time, Instant.EPOCH, 0);
  private final RunAdmission admission = new RunAdmission(store, time, ids, time.ports().random());
  private final Flow<String, String> report =
      Flow.of("report", String.class, String.class)
          .key(key -> key)
          .afterRetention(Flow.AfterRetention.NEW)
          .body((_, key) -> key);
  private final StartRequest<String> request =
      StartRequest.byCaller("acme", report, "monthly", null, null);

  @Test
  void a_key_in_its_thousandth_generation_costs_at_most_twice_its_first() {
    int firstReads = reads(this::admit);
    NewRun newest = null;
    for (int i = 0; i < GENERATIONS; i++) {
      newest = ((Admission.Fresh) admit()).run();
      endAndExpire(newest);
    }
    assertThat(Objects.requireNonNull(newest).id())
        .isEqualTo(RunId.of("acme", "report", "monthly", null, GENERATIONS - 1));

    NewRun next = ((Admission.Fresh) admit()).run();
    assertThat(next.succession()).isEqualTo(new Succession(newest.id(), true));
    assertThat(reads(this::admit)).isLessThanOrEqualTo(2 * firstReads);

    insert(next);
    assertThat(admit()).isInstanceOf(Admission.Duplicate.class);
    assertThat(reads(this::admit)).isLessThanOrEqualTo(2 * firstReads);
    assertThat(admission.holders("acme", report, "monthly")).containsExactly(next.id());
    assertThat(reads(() -> admission.holders("acme", report, "monthly")))
        .isLessThanOrEqualTo(2 * firstReads);
  }

  private Admission admit() {
    return admission.admit(request);
  }

  private int reads(Runnable work) {
    int before = store.calls();
    work.run();
    return store.calls() - before;
  }

  private void insert(NewRun run, Change... changes) {
    commit(new Head.Insert(run, 71L), changes);
  }

  private void endAndExpire(NewRun run) {
    insert(run, new Change.End(RunStatus.SUCCEEDED, null, null));
    time.move(Duration.ofDays(31));
    Instant until = time.now().plus(Duration.ofDays(365));
    commit(new Head.Always(), new Change.ExpireRuns(List.of(run.number()), until));
  }

  private void commit(Head head, Change... changes) {
    store.commit(
        new Batch(List.of(new Group(ids.next(), time.now(), head, List.of(changes), null))));
  }
}
