package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Conflict;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import org.junit.jupiter.api.Test;

/** Updates: the last content counts, and a rerun of old work never reverts newer data. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class UpdateContract extends StoreContract {

  @Test
  void the_same_content_is_reused() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}"), "\"ok\"");

    var answer = claim(update(running("A-2"), "P", "{\"price\":1}"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(), 1, first.id().toString(), "\"ok\"", null, false, false, false));
  }

  @Test
  void other_content_is_the_next_revision_and_is_sent() {
    Granted done = done(update(running("A-1"), "P", "{\"price\":1}"), "\"ok\"");
    String wireKey = storedEffect(done.effect()).wireKey();
    NewRun second = running("A-2");

    var answer = claim(update(second, "P", "{\"price\":2}"));

    assertThat(answer).isEqualTo(new Granted(done.effect(), 2));
    EffectRecord row = storedEffect(done.effect());
    assertThat(row.run()).isEqualTo(second.number());
    assertThat(row.request()).isEqualTo("{\"price\":2}");
    assertThat(row.result()).isNull();
    assertThat(row.wireKey()).isNotEqualTo(wireKey);
  }

  @Test
  void a_rerun_of_the_newest_work_reuses_it() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}").origin("work"), "\"one\"");

    var answer = claim(update(running("A-2"), "P", "{\"price\":9}").origin("work"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(), 1, first.id().toString(), "\"one\"", null, true, false, false));
  }

  @Test
  void a_rerun_of_old_work_gets_its_own_result_and_does_not_revert_newer_data() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}").origin("old work"), "\"one\"");
    done(update(running("A-2"), "P", "{\"price\":2}").origin("new work"), "\"two\"");
    EffectRecord before = storedEffect(done.effect());

    var answer = claim(update(running("A-3"), "P", "{\"price\":1}").origin("old work"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(), 1, first.id().toString(), "\"one\"", null, false, true, false));
    assertThat(storedEffect(done.effect())).isEqualTo(before);
  }

  @Test
  void a_rerun_of_old_work_after_a_failed_revision_reuses_what_it_wrote() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}").origin("old work"), "\"one\"");
    settled(update(running("A-2"), "P", "{\"price\":2}").origin("new work"), EffectState.FAILED);

    var answer = claim(update(running("A-3"), "P", "{\"price\":1}").origin("old work"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(), 1, first.id().toString(), "\"one\"", null, false, false, false));
  }

  @Test
  void work_that_reused_a_revision_never_reverts_what_came_after_it() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}").origin("work"), "\"one\"");
    claim(update(running("A-2"), "P", "{\"price\":1}").origin("work that reuses"));
    done(update(running("A-3"), "P", "{\"price\":2}").origin("new work"), "\"two\"");

    var answer = claim(update(running("A-4"), "P", "{\"price\":1}").origin("work that reuses"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(), 1, first.id().toString(), "\"one\"", null, false, true, false));
  }

  @Test
  void a_reuse_with_a_newer_version_keeps_older_ones_out() {
    Granted done = done(update(running("A-1"), "P", "{\"price\":1}").version(5), "\"ok\"");
    claim(update(running("A-2"), "P", "{\"price\":1}").version(7));

    var answer = claim(update(running("A-3"), "P", "{\"price\":2}").version(6));

    assertThat(answer).isInstanceOfSatisfying(Reused.class, it -> assertThat(it.stale()).isTrue());
    assertThat(storedEffect(done.effect()).version()).isEqualTo(ObjectVersion.of(7));
  }

  @Test
  void an_older_version_is_stale_also_after_a_newer_one_failed() {
    done(update(running("A-1"), "P", "{\"price\":1}").version(5), "\"ok\"");
    settled(update(running("A-2"), "P", "{\"price\":2}").version(6), EffectState.FAILED);

    var older = claim(update(running("A-3"), "P", "{\"price\":3}").version(4));
    var again = claim(update(running("A-4"), "P", "{\"price\":2}").version(6));

    assertThat(older).isInstanceOfSatisfying(Reused.class, it -> assertThat(it.stale()).isTrue());
    assertThat(again).isInstanceOf(Granted.class);
  }

  @Test
  void work_that_was_not_done_is_not_remembered_by_its_origin() {
    Granted failed =
        settled(update(running("A-1"), "P", "{\"price\":1}").origin("work"), EffectState.FAILED);

    var answer = claim(update(running("A-2"), "P", "{\"price\":1}").origin("work"));

    assertThat(answer).isEqualTo(new Granted(failed.effect(), 2));
  }

  @Test
  void one_origin_is_remembered_per_effect() {
    done(update(running("A-1"), "P", "{\"price\":1}").origin("work"), "\"one\"");
    done(update(running("A-2"), "Q", "{\"price\":2}").origin("other work"), "\"two\"");

    var answer = claim(update(running("A-3"), "Q", "{\"price\":3}").origin("work"));

    assertThat(answer).isInstanceOf(Granted.class);
  }

  @Test
  void a_newer_version_is_sent() {
    Granted done = done(update(running("A-1"), "P", "{\"price\":1}").version(5), "\"ok\"");

    var answer = claim(update(running("A-2"), "P", "{\"price\":2}").version(6));

    assertThat(answer).isEqualTo(new Granted(done.effect(), 2));
    assertThat(storedEffect(done.effect()).version()).isEqualTo(ObjectVersion.of(6));
  }

  @Test
  void an_older_version_is_skipped_as_stale() {
    NewRun first = running("A-1");
    Granted done = done(update(first, "P", "{\"price\":1}").version(5), "\"ok\"");

    var answer = claim(update(running("A-2"), "P", "{\"price\":2}").version(4));

    assertThat(answer)
        .isEqualTo(
            new Reused(done.effect(), 1, first.id().toString(), "\"ok\"", null, true, false, true));
    assertThat(storedEffect(done.effect()).version()).isEqualTo(ObjectVersion.of(5));
  }

  @Test
  void the_same_version_with_other_content_is_a_conflict() {
    done(update(running("A-1"), "P", "{\"price\":1}").version(5), "\"ok\"");

    var answer = claim(update(running("A-2"), "P", "{\"price\":2}").version(5));

    assertThat(answer).isInstanceOf(Conflict.class);
  }

  @Test
  void the_same_version_with_other_content_is_sent_if_its_claim_applies_ties() {
    Granted done = done(update(running("A-1"), "P", "{\"price\":1}").version(5), "\"ok\"");

    var same = claim(update(running("A-2"), "P", "{\"price\":1}").version(5).appliesTies());
    var other = claim(update(running("A-3"), "P", "{\"price\":2}").version(5).appliesTies());

    assertThat(same).isInstanceOf(Reused.class);
    assertThat(other).isEqualTo(new Granted(done.effect(), 2));
  }

  @Test
  void versions_are_kept_exactly_and_compared_as_what_they_are() {
    var late = ObjectVersion.of("2026-11-17T04:00:00.25+01:00");
    var early = ObjectVersion.of("2026-11-17T03:00:00.2Z");
    var large = ObjectVersion.of("92233720368547758080");
    Granted timed = done(update(running("A-1"), "P", "1").version(late), "1");
    Granted numbered = done(update(running("A-2"), "Q", "1").version(large), "1");
    Granted named = done(update(running("A-3"), "R", "1").version(ObjectVersion.of("b")), "1");

    assertThat(isStale(update(running("B-1"), "P", "2").version(early))).isTrue();
    assertThat(isStale(update(running("B-2"), "Q", "2").version(9))).isTrue();
    assertThat(isStale(update(running("B-3"), "R", "2").version(ObjectVersion.of("a")))).isTrue();
    assertThat(claim(update(running("B-4"), "R", "2").version(ObjectVersion.of("c"))))
        .isInstanceOf(Granted.class);
    assertThat(storedEffect(timed.effect()).version()).isEqualTo(late);
    assertThat(storedEffect(numbered.effect()).version()).isEqualTo(large);
    assertThat(storedEffect(named.effect()).version()).isEqualTo(ObjectVersion.of("c"));
  }

  @Test
  void a_version_of_another_type_is_a_conflict() {
    done(update(running("A-1"), "P", "1").version(5), "1");

    var answer = claim(update(running("A-2"), "P", "2").version(ObjectVersion.of("five")));

    assertThat(answer).isInstanceOf(Conflict.class);
    assertThat(((Conflict) answer).what()).contains("'five'").contains("'5'");
  }

  private boolean isStale(Intent intent) {
    return claim(intent) instanceof Reused reused && reused.stale();
  }
}
