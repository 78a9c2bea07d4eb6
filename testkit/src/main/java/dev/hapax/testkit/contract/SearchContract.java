package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.Step;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Head;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Runs and effects are found by what people know of them, in the index and before they enter it.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class SearchContract extends StoreContract {

  @Test
  void a_run_is_found_by_its_searchable_fields_before_and_after_it_is_indexed() {
    NewRun one = found("A-1", Map.of("customer", "c-1", "country", "DE"));
    NewRun two = found("A-2", Map.of("customer", "c-1", "country", "FR"));
    found("A-3", Map.of("customer", "c-2"));
    running("A-4");

    for (int round = 0; round < 2; round++) {
      assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1")))
          .containsExactly(stored(two), stored(one));
      assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1").field("country", "DE")))
          .containsExactly(stored(one));
      assertThat(runs(RunFilter.of(TENANT).field("country", "c-1"))).isEmpty();
      assertThat(runs(RunFilter.of("globex").field("customer", "c-1"))).isEmpty();
      assertThat(runs(search(RunSearch.NONE.anyField(TextMatch.beginningWith("c-1")))))
          .containsExactly(stored(two), stored(one));
      assertThat(runs(search(RunSearch.NONE.anyField(TextMatch.exactly("c-"))))).isEmpty();
      index();
    }
  }

  @Test
  void runs_are_found_by_key_beginning_of_key_and_flows() {
    NewRun one = running("A-10");
    NewRun two = running("A-11");
    NewRun other = newRun(TENANT, "refund-order", "A-1", "{}");
    land(insert(other, OWNER));
    running("B-1");

    for (int round = 0; round < 2; round++) {
      assertThat(runs(RunFilter.of(TENANT).key("A-10"))).containsExactly(stored(one));
      assertThat(runs(search(RunSearch.NONE.key(TextMatch.beginningWith("A-1")))))
          .containsExactly(stored(other), stored(two), stored(one));
      assertThat(runs(search(RunSearch.NONE.flows(Set.of("refund-order", "unknown")))))
          .containsExactly(stored(other));
      assertThat(runs(search(RunSearch.NONE.flows(Set.of("refund-order", FLOW)))).size())
          .isEqualTo(4);
      index();
    }
  }

  @Test
  void keys_that_differ_only_behind_the_indexed_part_are_told_apart() {
    String same = "x".repeat(80);
    NewRun one = running(same + "1");
    running(same + "2");
    NewRun hay = running("\uD83D\uDE00".repeat(40)); // half of a character is no text
    index();

    assertThat(runs(RunFilter.of(TENANT).key(same + "1"))).containsExactly(stored(one));
    assertThat(runs(search(RunSearch.NONE.key(TextMatch.beginningWith(same))))).hasSize(2);
    assertThat(runs(RunFilter.of(TENANT).key(hay.key()))).containsExactly(stored(hay));
  }

  @Test
  void runs_that_have_stopped_duplicates_are_found() {
    NewRun often = running("A-1");
    running("A-2");
    NewRun once = running("A-3");
    land(
        always(
            new Change.CountDuplicates(often.number(), 2),
            new Change.CountDuplicates(once.number(), 1)));

    List<Run> found = runs(search(RunSearch.NONE.duplicates(true)));
    assertThat(found).extracting(Run::number).containsExactly(once.number(), often.number());
    assertThat(runs(search(RunSearch.NONE.duplicates(true).error("timeout")))).isEmpty();
    assertThat(runs(search(RunSearch.NONE.duplicates(false)))).hasSize(3);
  }

  @Test
  void runs_are_found_by_error_code_and_by_whether_a_retry_may_help() {
    NewRun helps = failed("A-1", Failure.of("timeout", "took \"too\" long", true));
    NewRun hopeless = failed("A-2", Failure.of("rejected", "\"retryable\":true", false));
    NewRun runs = running("A-3");

    assertThat(runs(RunFilter.of(TENANT).error("timeout"))).containsExactly(stored(helps));
    assertThat(runs(RunFilter.of(TENANT).error("rejected"))).containsExactly(stored(hopeless));
    assertThat(runs(RunFilter.of(TENANT).error("other"))).isEmpty();
    assertThat(runs(RunFilter.of("globex").error("timeout"))).isEmpty();
    assertThat(runs(RunFilter.of(TENANT).retryable(true))).containsExactly(stored(helps));
    assertThat(runs(RunFilter.of(TENANT).retryable(false)))
        .containsExactly(stored(runs), stored(hopeless));
    assertThat(runs(RunFilter.of(TENANT).retryable(true).error("rejected"))).isEmpty();
  }

  @Test
  void pages_of_a_search_hold_each_run_once() {
    List<Run> newestFirst = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      newestFirst.addFirst(stored(found("A-" + i, Map.of("customer", "c-1"))));
      found("B-" + i, Map.of("customer", "c-2"));
      if (i == 4) {
        index();
      }
    }

    List<Run> paged = new ArrayList<>();
    RunFilter filter = RunFilter.of(TENANT).field("customer", "c-1").limit(3);
    for (List<Run> page = runs(filter); !page.isEmpty(); page = runs(filter)) {
      paged.addAll(page);
      filter = filter.before(page.getLast().number());
    }

    assertThat(paged).isEqualTo(newestFirst);
  }

  @Test
  void a_corrected_input_changes_the_fields() {
    NewRun run = found("A-1", Map.of("customer", "c-1"));
    index();
    land(next(run, new Change.End(RunStatus.FAILED, null, Failure.of("x", "y", true))));

    land(
        unowned(
            run,
            2,
            new Change.Reopen(
                "{}",
                Fingerprint.of("{}"),
                null,
                null,
                new SearchFields(Map.of("customer", "c-2")))));

    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1"))).isEmpty();
    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-2"))).containsExactly(stored(run));
    assertThat(stored(run).search().values()).containsEntry("customer", "c-2");
  }

  @Test
  void a_retry_with_the_same_input_keeps_the_fields() {
    NewRun run = found("A-1", Map.of("customer", "c-1"));
    land(next(run, new Change.End(RunStatus.FAILED, null, Failure.of("x", "y", true))));
    index();

    land(unowned(run, 2, new Change.Reopen(null, null, null)));

    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1"))).containsExactly(stored(run));
  }

  @Test
  void a_run_that_expired_is_no_longer_found() {
    NewRun run = found("A-1", Map.of("customer", "c-1"));
    land(next(run, new Change.End(RunStatus.SUCCEEDED, null, null)));
    index();
    now = later(Duration.ofDays(31));

    land(always(new Change.ExpireRuns(List.of(run.number()), later(Duration.ofDays(365)))));

    assertThat(store.run(run.number())).isNull();
    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1"))).isEmpty();
    assertThat(runs(RunFilter.of(TENANT).key("A-1"))).isEmpty();
  }

  @Test
  void effects_are_found_by_external_id_wire_key_and_beginning_of_key() {
    NewRun run = running("A-1");
    long one = granted(create(run, "order/1")).effect();
    long two = granted(create(run, "order/2")).effect();
    granted(create(run, "mail/1"));
    land(
        next(
            run,
            new Change.Effect(one, 1, EffectState.DONE, 1, null, "ch_123", null, null),
            new Change.Effect(two, 1, EffectState.DONE, 1, null, "ch_124", null, null)));
    String wireKey = storedEffect(two).wireKey();

    for (int round = 0; round < 2; round++) {
      assertThat(effects(EffectFilter.of(TENANT).externalId("ch_123"))).containsExactly(one);
      assertThat(effects(EffectFilter.of("globex").externalId("ch_123"))).isEmpty();
      assertThat(
              effects(
                  EffectFilter.of(TENANT)
                      .search(EffectSearch.NONE.externalId(TextMatch.beginningWith("ch_12")))))
          .containsExactly(two, one);
      assertThat(effects(EffectFilter.of(TENANT).wireKey(wireKey))).containsExactly(two);
      assertThat(effects(EffectFilter.of("globex").wireKey(wireKey))).isEmpty();
      assertThat(effects(EffectFilter.of(TENANT).keyPrefix("order/"))).containsExactly(two, one);
      assertThat(effects(EffectFilter.of(TENANT).key("order/1"))).containsExactly(one);
      assertThat(effects(EffectFilter.of(TENANT).keyPrefix("order/").limit(1)))
          .containsExactly(two);
      index();
    }
  }

  @Test
  void an_effect_is_found_by_the_wire_keys_of_all_its_revisions() {
    NewRun run = running("A-1");
    long effect = settled(create(run, "K"), EffectState.FAILED).effect();
    String first = storedEffect(effect).wireKey();
    index();
    NewRun again = running("A-2");

    granted(create(again, "K"));

    String second = storedEffect(effect).wireKey();
    assertThat(second).isNotEqualTo(first);
    assertThat(effects(EffectFilter.of(TENANT).wireKey(first))).containsExactly(effect);
    assertThat(effects(EffectFilter.of(TENANT).wireKey(second))).containsExactly(effect);
  }

  @Test
  void the_effects_of_a_run_are_those_that_its_journal_claims() {
    NewRun run = running("A-1");
    NewRun other = running("A-2");
    Intent intent = create(run, "K");
    long effect = intent.toClaim().number();
    var claimed =
        new EffectEntry.Claimed(
            new Step("charge", null), effect, "charge", "K", Kind.CREATE, "keyed", null);
    land(
        group(
            new Head.Owned(run.number(), OWNER, 0),
            JournalRow.write(List.of(claimed)),
            intent.claim()));
    granted(create(other, "L"));

    assertThat(effects(EffectFilter.of(TENANT).of(stored(run)))).containsExactly(effect);
    assertThat(effects(EffectFilter.of(TENANT).of(stored(other)).name("unknown"))).isEmpty();
  }

  @Test
  void the_index_is_filled_in_bounded_steps_and_a_step_that_comes_twice_changes_nothing() {
    for (int i = 1; i <= 5; i++) {
      found("A-" + i, Map.of("customer", "c-1"));
    }
    long last = nextNumber();

    var step = always(new Change.IndexSearch(last, 2));
    land(step);
    land(step);

    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1"))).hasSize(5);
    land(always(new Change.IndexSearch(last, 2)));
    land(always(new Change.IndexSearch(last, 2)));
    assertThat(store.isSearchBehind(last)).isFalse();
    assertThat(runs(RunFilter.of(TENANT).field("customer", "c-1"))).hasSize(5);
  }

  /** Lets all rows enter the index. */
  private void index() {
    long before = nextNumber();
    do {
      land(always(new Change.IndexSearch(before, 3)));
    } while (store.isSearchBehind(before));
  }

  private NewRun found(String key, Map<String, String> fields) {
    NewRun run = newRun(key).foundBy(new SearchFields(fields));
    land(insert(run, OWNER));
    return run;
  }

  private NewRun failed(String key, Failure failure) {
    NewRun run = running(key);
    land(next(run, new Change.End(RunStatus.FAILED, null, failure)));
    return run;
  }

  private static RunFilter search(RunSearch wanted) {
    return RunFilter.of(TENANT).search(wanted);
  }

  private List<Run> runs(RunFilter filter) {
    return store.runs(filter);
  }

  private List<Long> effects(EffectFilter filter) {
    return store.effects(filter).stream().map(EffectRecord::number).toList();
  }
}
