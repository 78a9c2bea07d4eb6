package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.StepEntry.StepDone;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** No input of users is changed, cut off or refused: odd text, large values, large batches. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class BadInputContract extends StoreContract {
  private static final List<String> ODD_TEXTS =
      List.of(
          "'; DROP TABLE run; --",
          "\"double\" and 'single' and `back` quotes",
          "back\\slash, \\u0000 and %s, %n, ?, :name, $1, {0}",
          " leading, trailing and\ttab\r\nnew line ",
          "Ærøskøbing, Zürich, 東京, العربية, a\u0301 is not \u00e1",
          "\ud83d\udc69\u200d\ud83d\ude80\ud83c\udff3\ufe0f\u200d\ud83c\udf08",
          "\u0001\u001f\u007f\u0085\u2028\ufeff\ufffd\uffff",
          "null",
          "0",
          "é".repeat(512)); // the longest key, in bytes

  @Test
  void odd_text_comes_back_unchanged_from_runs() {
    for (String text : ODD_TEXTS) {
      String json = Json.write(List.of(text));
      NewRun run = newRun(TENANT, FLOW, text, json);
      var cancel = new Run.Cancel(text, text);
      land(insert(run, OWNER));
      land(notEnded(run, new Change.RequestCancel(cancel)));

      land(
          next(
              run,
              new Change.End(
                  RunStatus.FAILED, json, new Failure(text, text, text, text, true), true)));

      Run stored = stored(run);
      assertThat(stored.key()).isEqualTo(text);
      assertThat(stored.input()).isEqualTo(json);
      assertThat(stored.output()).isEqualTo(json);
      assertThat(stored.error()).isEqualTo(new Failure(text, text, text, text, true));
      assertThat(stored.cancel()).isEqualTo(cancel);
      assertThat(store.runs(new RunFilter(TENANT, FLOW, text, null, null, 10)))
          .containsExactly(stored);
    }
  }

  @Test
  void odd_text_comes_back_unchanged_from_effects() {
    NewRun run = running("A-1");
    for (String text : ODD_TEXTS) {
      String json = Json.write(List.of(text));
      Intent intent = create(run, text).content(json);
      Granted granted = granted(intent);

      land(
          next(
              run,
              new Change.Effect(granted.effect(), 1, EffectState.DONE, 1, json, text, text, null)));

      EffectRecord stored = storedEffect(granted.effect());
      assertThat(stored.key()).isEqualTo(intent.effectKey());
      assertThat(stored.request()).isEqualTo(json);
      assertThat(stored.result()).isEqualTo(json);
      assertThat(stored.externalId()).isEqualTo(text);
      assertThat(stored.evidence()).isEqualTo(text);
      assertThat(store.effects(new EffectFilter(TENANT, null, text, null, null, 10)))
          .containsExactly(stored);
    }
  }

  @Test
  void odd_text_comes_back_unchanged_from_journals() {
    NewRun run = running("A-1");
    for (String text : ODD_TEXTS) {
      var entry = new StepDone(new Step("price", text), Json.write(List.of(text)));
      String entries = JournalRow.write(List.of(entry));
      Group group = next(run);

      land(new Group(group.op(), group.at(), group.head(), group.changes(), entries));

      JournalRow stored = store.journal(run.number()).getLast();
      assertThat(stored.entries()).isEqualTo(entries);
      assertThat(stored.readEntries()).containsExactly(entry);
    }
  }

  @Test
  void odd_text_comes_back_unchanged_from_stored_answers() {
    NewRun first = running("A-1");
    NewRun second = running("A-2");
    for (String text : ODD_TEXTS) {
      done(create(first, text), Json.write(List.of(text)));
      Group claiming = next(second, create(second, text).claim());
      Landed landed = land(claiming);

      Landed again = land(claiming);

      assertThat(again.answers()).isEqualTo(landed.answers());
    }
  }

  @Test
  void an_escaped_nul_stays_escaped() {
    String json = "{\"text\":\"a\\u0000b\"}";
    NewRun run = newRun(TENANT, FLOW, "A-1", json);

    land(insert(run, OWNER, new Change.End(RunStatus.SUCCEEDED, json, null)));

    assertThat(stored(run).input()).isEqualTo(json);
    assertThat(stored(run).output()).isEqualTo(json);
  }

  @Test
  void nothing_and_empty_are_two_things() {
    NewRun run = running("A-1");
    Granted empty = granted(create(run, "empty"));
    Granted none = granted(create(run, "none"));

    land(
        next(
            run,
            new Change.Effect(empty.effect(), 1, EffectState.DONE, 1, "null", "", "", null),
            new Change.Effect(none.effect(), 1, EffectState.DONE, 1, null, null, null, null)));

    assertThat(storedEffect(empty.effect()).result()).isEqualTo("null");
    assertThat(storedEffect(empty.effect()).externalId()).isEmpty();
    assertThat(storedEffect(empty.effect()).evidence()).isEmpty();
    assertThat(storedEffect(none.effect()).result()).isNull();
    assertThat(storedEffect(none.effect()).externalId()).isNull();
    assertThat(storedEffect(none.effect()).evidence()).isNull();
  }

  @Test
  void very_long_values_come_back_whole() {
    String json = Json.write("0123456789".repeat(200_000));
    NewRun run = newRun(TENANT, FLOW, "A-1", json);
    land(insert(run, OWNER));
    Intent intent = create(run, "K").content(json);
    Granted granted = granted(intent);
    String entries = JournalRow.write(List.of(new StepDone(new Step("price", null), json)));
    Group settling = next(run, intent.done(granted, json));

    land(new Group(settling.op(), settling.at(), settling.head(), settling.changes(), entries));

    assertThat(stored(run).input()).isEqualTo(json);
    assertThat(storedEffect(granted.effect()).request()).isEqualTo(json);
    assertThat(storedEffect(granted.effect()).result()).isEqualTo(json);
    assertThat(store.journal(run.number()).getLast().entries()).isEqualTo(entries);
  }

  @Test
  void owners_and_operations_may_be_any_number() {
    for (long any : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
      NewRun run = newRun("owner " + any);
      land(new Group(any, now, new Head.Insert(run, any), List.of(), ENTRIES));

      land(group(new Head.Owned(run.number(), any, 1), ENTRIES));

      assertThat(stored(run).owner()).isEqualTo(any);
      assertThat(store.journal(run.number()).getFirst().op()).isEqualTo(any);
    }
  }

  @Test
  void versions_and_times_may_be_far_away() {
    NewRun run = running("A-1");
    Instant far = Instant.parse("9999-12-31T23:59:59.999Z");
    Granted least = granted(update(run, "P", "1").version(Long.MIN_VALUE));
    Granted most = granted(update(run, "Q", "1").version(Long.MAX_VALUE));

    land(next(run, new Change.Release(RunStatus.WAITING, far)));

    assertThat(storedEffect(least.effect()).version()).isEqualTo(ObjectVersion.of(Long.MIN_VALUE));
    assertThat(storedEffect(most.effect()).version()).isEqualTo(ObjectVersion.of(Long.MAX_VALUE));
    assertThat(store.nextDue(null)).isEqualTo(far);
  }

  @Test
  void an_empty_batch_has_no_answers() {
    assertThat(store.commit(new Batch(List.of()))).isEmpty();
  }

  @Test
  void thousands_of_groups_land_in_one_batch() {
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      NewRun run = newRun("A-" + i);
      groups.add(insert(run, OWNER, create(run, "A-" + i).claim()));
    }

    var answers = store.commit(new Batch(groups));

    assertThat(answers).hasSize(5_000).hasOnlyElementsOfType(Landed.class);
    assertThat(store.runs(new RunFilter(TENANT, null, null, null, null, 10_000))).hasSize(5_000);
    assertThat(store.effects(new EffectFilter(TENANT, null, null, null, null, 10_000)))
        .hasSize(5_000);
  }

  @Test
  void a_thousand_groups_of_one_run_land_in_order() {
    NewRun run = running("A-1");
    List<Group> groups = LongStream.range(0, 1_000).mapToObj(seq -> owned(run, seq)).toList();

    var answers = store.commit(new Batch(groups));

    assertThat(answers).hasSize(1_000).containsOnly(new Landed(List.of(), List.of()));
    assertThat(store.journal(run.number()))
        .extracting(JournalRow::op)
        .isEqualTo(groups.stream().map(Group::op).toList());
  }

  @Test
  void hundreds_of_claims_land_in_one_group() {
    NewRun run = running("A-1");
    List<Intent> intents = LongStream.range(0, 500).mapToObj(i -> create(run, "K-" + i)).toList();

    Landed landed = land(next(run, intents.stream().map(Intent::claim).toArray(Change[]::new)));

    assertThat(landed.answers())
        .isEqualTo(
            intents.stream().map(intent -> new Granted(intent.toClaim().number(), 1)).toList());
  }
}
