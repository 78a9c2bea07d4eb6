package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Caller;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoppedNotes;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Exists;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One run per key: what an insert writes, and what it finds. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class AdmissionContract extends StoreContract {

  @Test
  void a_run_with_an_owner_is_running_as_it_was_given() {
    var id = RunId.of(TENANT, FLOW, "A-1", null);
    var fingerprint = Fingerprint.of("{\"total\":40.00}");
    var run =
        new NewRun(
                nextNumber(),
                id,
                TENANT,
                FLOW,
                7,
                "A-1",
                fingerprint,
                "{\"total\":40.00}",
                later(Duration.ofDays(7)))
            .startedBy(new Caller("token:7", "ann"))
            .foundBy(new SearchFields(Map.of("customer", "c-1")));

    land(insert(run, OWNER));

    var expected =
        new Run(
            run.number(),
            id,
            TENANT,
            FLOW,
            7,
            "A-1",
            RunStatus.RUNNING,
            List.of(fingerprint),
            "{\"total\":40.00}",
            null,
            null,
            OWNER,
            null,
            later(Duration.ofDays(7)),
            null,
            now,
            null,
            0,
            null,
            0,
            new Caller("token:7", "ann"),
            new SearchFields(Map.of("customer", "c-1")));
    assertThat(store.run(run.number())).isEqualTo(expected);
    assertThat(store.find(id)).isEqualTo(expected);
    assertThat(store.load(run.number()))
        .isEqualTo(new StoredRun(expected, 1, store.journal(run.number())));
  }

  @Test
  void a_run_without_an_owner_is_queued_and_due_at_once() {
    NewRun run = newRun("A-1");

    land(insert(run, null));

    assertThat(stored(run).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(run).owner()).isNull();
    assertThat(stored(run).dueAt()).isEqualTo(now);
    assertThat(due()).containsExactly(run.number());
  }

  @Test
  void the_second_start_of_a_key_gets_the_first_run_and_writes_nothing() {
    NewRun first = running("A-1");
    NewRun second = newRun("A-1");
    Intent intent = create(second, "A-1");

    var answer = commit(insert(second, OWNER, intent.claim()));

    assertThat(answer).isEqualTo(new Exists(stored(first)));
    assertThat(store.run(second.number())).isNull();
    assertThat(store.journal(second.number())).isEmpty();
    assertThat(store.effect(intent.effectKey())).isNull();
  }

  @Test
  void a_start_after_the_end_still_gets_the_first_run() {
    NewRun first = running("A-1");
    land(next(first, new Change.End(RunStatus.SUCCEEDED, "{\"paid\":true}", null)));

    var answer = commit(insert(newRun("A-1"), null));

    assertThat(answer).isEqualTo(new Exists(stored(first)));
    assertThat(stored(first).output()).isEqualTo("{\"paid\":true}");
  }

  @Test
  void two_starts_of_one_key_in_one_batch_make_one_run() {
    NewRun first = newRun("A-1");
    NewRun second = newRun("A-1");

    var answers = commit(insert(first, OWNER), insert(second, OWNER));

    assertThat(answers)
        .containsExactly(new Landed(List.of(), List.of()), new Exists(stored(first)));
  }

  @Test
  void tenants_flows_and_keys_do_not_meet() {
    NewRun first = running("A-1");
    NewRun otherTenant = newRun("globex", FLOW, "A-1", "{}");
    NewRun otherFlow = newRun(TENANT, "refund-order", "A-1", "{}");
    NewRun otherKey = newRun("a-1");

    var answers =
        commit(insert(otherTenant, OWNER), insert(otherFlow, OWNER), insert(otherKey, OWNER));

    assertThat(answers).hasOnlyElementsOfType(Landed.class);
    assertThat(stored(first).key()).isEqualTo("A-1");
    assertThat(stored(otherTenant).tenant()).isEqualTo("globex");
    assertThat(stored(otherFlow).flow()).isEqualTo("refund-order");
    assertThat(stored(otherKey).key()).isEqualTo("a-1");
  }

  @Test
  void an_insert_can_carry_the_first_intent() {
    NewRun run = newRun("A-1");
    Intent intent = create(run, "A-1");

    Landed landed = land(insert(run, OWNER, intent.claim()));

    assertThat(landed.answers()).hasSize(1);
    assertThat(store.effect(intent.effectKey())).isEqualTo(intent.toClaim().granted());
  }

  @Test
  void an_insert_can_carry_the_end() {
    NewRun run = newRun("A-1");

    land(insert(run, OWNER, new Change.End(RunStatus.SUCCEEDED, "42", null)));

    assertThat(stored(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(stored(run).owner()).isNull();
    assertThat(stored(run).endedAt()).isEqualTo(now);
  }

  @Test
  void stopped_duplicates_are_counted_on_the_run() {
    NewRun run = running("A-1");
    NewRun other = running("A-2");

    land(
        always(
            new Change.CountDuplicates(run.number(), 2),
            new Change.CountDuplicates(other.number(), 1)));
    land(always(new Change.CountDuplicates(run.number(), 3)));

    assertThat(stored(run).duplicates()).isEqualTo(5);
    assertThat(stored(other).duplicates()).isEqualTo(1);
  }

  @Test
  void the_notes_about_the_last_20_stopped_duplicates_are_kept_and_the_newest_is_the_first() {
    NewRun run = running("A-1");
    NewRun other = running("A-2");
    var hostile = "caf\u00e9\n\u001b[31m;\\u0041 \ud83d\ude00" + "x".repeat(10_000);

    land(always(new Change.CountDuplicates(other.number(), 1)));
    for (int i = 0; i < 25; i++) {
      String caller = i == 24 ? hostile : "caller " + i;
      var stopped = new StoppedDuplicate(now.plusSeconds(i), Door.START, caller);
      land(
          always(
              new Change.CountDuplicates(
                  run.number(), 1, 1, StoppedNotes.write(List.of(stopped)))));
    }
    Group last =
        always(
            new Change.CountDuplicates(
                run.number(),
                1,
                0,
                StoppedNotes.write(List.of(new StoppedDuplicate(now, Door.INBOX, null)))));
    land(last);
    land(last); // a batch that is sent again counts once

    List<StoppedDuplicate> found = StoppedNotes.read(store.stoppedNotes(run.number()));
    assertThat(found).hasSize(20);
    assertThat(found.getFirst())
        .isEqualTo(new StoppedDuplicate(now.truncatedTo(ChronoUnit.MILLIS), Door.INBOX, null));
    assertThat(found.get(1).caller())
        .startsWith("caf\u00e9\n\u001b[31m;\\u0041 \ud83d\ude00x")
        .endsWith("...");
    assertThat(found.get(2).caller()).isEqualTo("caller 23");
    assertThat(found.getLast().caller()).isEqualTo("caller 6");
    assertThat(stored(run).duplicates()).isEqualTo(26);
    assertThat(StoppedNotes.read(store.stoppedNotes(other.number()))).isEmpty();
    assertThat(store.stoppedNotes(other.number() + 1)).isNull();
  }

  @Test
  void a_full_note_of_20_long_callers_fits() {
    NewRun run = running("A-1");
    var longest =
        Collections.nCopies(20, new StoppedDuplicate(now, Door.INBOX, "\u0001".repeat(10_000)));

    land(always(new Change.CountDuplicates(run.number(), 20, 20, StoppedNotes.write(longest))));
    land(always(new Change.CountDuplicates(run.number(), 20, 20, StoppedNotes.write(longest))));

    assertThat(StoppedNotes.read(store.stoppedNotes(run.number()))).hasSize(20);
    assertThat(store.stoppedNotes(run.number())).isEqualTo(StoppedNotes.write(longest));
  }

  @Test
  void counting_duplicates_of_an_unknown_run_changes_nothing() {
    NewRun run = running("A-1");

    land(always(new Change.CountDuplicates(run.number() + 1, 2)));

    assertThat(stored(run).duplicates()).isZero();
  }

  @Test
  void what_was_never_written_is_not_there() {
    assertThat(store.find(RunId.of(TENANT, FLOW, "A-1", null))).isNull();
    assertThat(store.run(1)).isNull();
    assertThat(store.load(1)).isNull();
    assertThat(store.journal(1)).isEmpty();
    assertThat(store.effect(1)).isNull();
  }
}
