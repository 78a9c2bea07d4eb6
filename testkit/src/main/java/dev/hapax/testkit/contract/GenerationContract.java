package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.store.Change;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The store knows the newest run of a key, however many had the key before. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class GenerationContract extends StoreContract {
  private static final Duration DEFAULT = Duration.ofDays(30);
  private static final Duration LIFE = Duration.ofDays(365);

  @Test
  void a_key_that_came_once_has_no_newer_run() {
    NewRun run = ended(newRun("A-1"));
    NewRun other = ended(newRun("A-2"));
    expire(other);
    land(insert(next(other, "A-2", 1, true), OWNER));

    assertThat(store.newest(run.number())).isNull();
    assertThat(store.newest(nextNumber())).isNull();
  }

  @Test
  void the_newest_run_is_found_by_the_first_whether_it_is_there_or_expired() {
    NewRun first = ended(newRun("A-1"));
    expire(first);
    NewRun second = ended(next(first, "A-1", 1, true));
    assertThat(newest(first)).isEqualTo(new Generation(1, true, present(second)));

    expire(second);
    assertThat(newest(first).holder()).isInstanceOf(KeyHolder.Expired.class);
    assertThat(newest(first).holder().number()).isEqualTo(second.number());

    NewRun third = next(second, "A-1", 2, true);
    land(insert(third, OWNER));
    assertThat(newest(first)).isEqualTo(new Generation(2, true, present(third)));
  }

  @Test
  void a_forgotten_key_goes_on_in_the_same_line() {
    NewRun first = ended(newRun("A-1"));
    land(unowned(first, 1, new Change.ForgetKey(first.number(), "ann", "again")));
    NewRun second = ended(next(first, "A-1", 1, false));
    land(unowned(second, 1, new Change.ForgetKey(second.number(), "ann", "once more")));

    Generation newest = newest(first);

    assertThat(newest.number()).isEqualTo(1);
    assertThat(newest.renews()).isFalse();
    assertThat(newest.holder().isForgotten()).isTrue();
  }

  @Test
  void when_the_newest_tombstone_has_gone_the_one_before_it_is_the_newest() {
    NewRun first = ended(newRun("A-1"));
    expire(first);
    NewRun second = ended(next(first, "A-1", 1, true));
    expire(second);
    NewRun third = ended(next(second, "A-1", 2, true));
    expire(third);
    now = now.plus(LIFE);
    land(always(new Change.EndTombstones(List.of(third.number()))));
    assertThat(newest(first).holder().number()).isEqualTo(second.number());

    NewRun again = next(second, "A-1", 2, true);
    land(insert(again, OWNER));

    assertThat(newest(first)).isEqualTo(new Generation(2, true, present(again)));
  }

  private Generation newest(NewRun first) {
    return Objects.requireNonNull(store.newest(first.number()));
  }

  private KeyHolder present(NewRun run) {
    return new KeyHolder.Present(stored(run), false);
  }

  private NewRun next(NewRun before, String key, int generation, boolean renews) {
    return newRun(key)
        .succeeding(
            RunId.of(TENANT, FLOW, key, null, generation), new Succession(before.id(), renews));
  }

  private NewRun ended(NewRun run) {
    land(insert(run, OWNER, new Change.End(RunStatus.SUCCEEDED, null, null)));
    return run;
  }

  private void expire(NewRun run) {
    now = now.plus(DEFAULT);
    land(always(new Change.ExpireRuns(List.of(run.number()), now.plus(LIFE))));
  }
}
