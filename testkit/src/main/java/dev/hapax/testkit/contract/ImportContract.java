package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Effects that were done elsewhere and are brought in: each key once, and never over a row. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ImportContract extends LedgerContract {
  private static final String SOURCE = "import by ann at 2026-03-01T10:00:00Z";

  @Test
  void an_imported_row_is_done_and_has_no_run() {
    EffectImport row = imported("K", Kind.CREATE, "in_7", "{\"id\":7}", ObjectVersion.of(3));

    Answer.Imported answer = bringIn(row);

    assertThat(answer).isEqualTo(new Answer.Imported(1, 0, List.of()));
    EffectRecord stored = storedEffect(row.number());
    assertThat(stored).isEqualTo(row.row());
    assertThat(stored.isImported()).isTrue();
    assertThat(stored.state()).isEqualTo(EffectState.DONE);
    assertThat(store.effect(row.key())).isEqualTo(stored);
    assertThat(store.run(EffectRecord.NO_RUN)).isNull();
    assertThat(store.retention().referring(row.number(), 10)).isEmpty();
  }

  @Test
  void an_import_that_is_repeated_changes_nothing() {
    bringIn(imported("K", Kind.CREATE, "in_7", "{\"id\":7,\"b\":1}", null));

    Answer.Imported answer =
        bringIn(
            imported("K", Kind.CREATE, "in_7", "{\"b\":1, \"id\":7.0}", null),
            imported("K", Kind.CREATE, null, null, null));

    assertThat(answer).isEqualTo(new Answer.Imported(0, 2, List.of()));
  }

  @Test
  void an_import_group_that_is_submitted_again_gives_the_same_answer() {
    Group group =
        always(new Change.ImportEffects(List.of(imported("K", Kind.CREATE, null, null, null))));

    List<Answer> first = land(group).answers();
    List<Answer> second = land(group).answers();

    assertThat(second).isEqualTo(first).isEqualTo(List.of(new Answer.Imported(1, 0, List.of())));
  }

  @Test
  void a_row_that_the_ledger_has_with_other_content_stays_as_it_is() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted open = granted(create(run, "open"));
    EffectImport first = imported("I", Kind.CREATE, "in_1", "1", null);
    bringIn(first);
    EffectRecord before = storedEffect(charge.effect());

    Answer.Imported answer =
        bringIn(
            imported("new", Kind.CREATE, null, null, null),
            imported("K", Kind.CREATE, null, "8", null),
            imported("open", Kind.CREATE, null, null, null),
            imported("I", Kind.CREATE, "in_2", null, null),
            imported("I", Kind.NOTIFY, null, null, null));

    assertThat(answer.added()).isEqualTo(1);
    assertThat(answer.same()).isZero();
    assertThat(answer.kept())
        .containsExactly(
            new Answer.Imported.Kept(1, charge.effect(), "the ledger has another output"),
            new Answer.Imported.Kept(2, open.effect(), "the ledger has it as pending"),
            new Answer.Imported.Kept(3, first.number(), "the ledger has another external id"),
            new Answer.Imported.Kept(4, first.number(), "the ledger has kind CREATE"));
    assertThat(storedEffect(charge.effect())).isEqualTo(before);
    assertThat(storedEffect(open.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(storedEffect(first.number())).isEqualTo(first.row());
  }

  @Test
  void the_row_of_one_tenant_is_not_met_by_another() {
    EffectImport row = imported("K", Kind.CREATE, null, "1", null);
    bringIn(row);
    NewRun other = newRun("other", FLOW, "A-1", "{}");
    land(withoutEntries(insert(other, OWNER)));

    assertThat(claim(create(other, "K"))).isInstanceOf(Granted.class);
  }

  @Test
  void a_claim_reuses_an_imported_row_with_any_guard_and_content() {
    EffectImport row = imported("K", Kind.CREATE, "in_7", "{\"id\":7}", null);
    bringIn(row);
    NewRun first = running("A-1");
    NewRun second = running("A-2");

    ClaimAnswer one = claim(create(first, "K").guard("lookup").content("{\"amount\":1}"));
    ClaimAnswer two = claim(create(second, "K").kind(Kind.NOTIFY).content("{\"amount\":2}"));

    assertThat(one).isEqualTo(reused(row));
    assertThat(two).isEqualTo(reused(row));
    assertThat(((Reused) one).isImported()).isTrue();
    JournalRow written = store.journal(first.number()).getLast();
    assertThat(written.answers()).doesNotContain("mported\":");
    assertThat(written.readAnswers()).containsExactly(one);
    assertThat(storedEffect(row.number()).run()).isEqualTo(EffectRecord.NO_RUN);
    assertThat(store.retention().referring(row.number(), 10))
        .containsExactly(first.number(), second.number());
  }

  @Test
  void an_update_over_an_imported_row_is_sent_as_the_next_revision() {
    EffectImport row = imported("K", Kind.UPDATE, "in_7", null, null, 4);
    bringIn(row);
    NewRun run = running("A-1");

    ClaimAnswer answer = claim(update(run, "K", "{\"price\":1}").name("charge"));

    assertThat(answer).isEqualTo(new Granted(row.number(), 5));
    EffectRecord stored = storedEffect(row.number());
    assertThat(stored.run()).isEqualTo(run.number());
    assertThat(stored.isImported()).isFalse();
    assertThat(store.retention().referring(row.number(), 10)).containsExactly(run.number());
  }

  @Test
  void an_older_version_than_the_imported_one_is_left_out_as_stale() {
    EffectImport row = imported("K", Kind.UPDATE, null, null, ObjectVersion.of(5));
    bringIn(row);

    ClaimAnswer older =
        claim(update(running("A-1"), "K", "{\"price\":1}").name("charge").version(4));
    ClaimAnswer same =
        claim(update(running("A-2"), "K", "{\"price\":2}").name("charge").version(5));

    assertThat(older).isInstanceOf(Reused.class);
    assertThat(((Reused) older).stale()).isTrue();
    assertThat(same).isEqualTo(new Granted(row.number(), 2));
  }

  @Test
  void a_run_that_reused_an_imported_row_cannot_undo_it() {
    EffectImport row = imported("K", Kind.CREATE, null, "1", null);
    bringIn(row);
    NewRun run = running("A-1");
    claim(create(run, "K"));

    var wish =
        new UndoClaim(create(run, "K").name("charge.undo").toClaim(), row.number(), 1, 1, null);
    Landed answer = land(next(run, new Change.Undo(wish)));

    assertThat(answer.answers().getFirst()).isInstanceOf(ClaimAnswer.Overtaken.class);
    assertThat(storedEffect(row.number()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void an_imported_row_lives_as_long_as_the_runs_that_reused_it() {
    EffectImport used = imported("used", Kind.CREATE, null, "1", null);
    EffectImport unused = imported("unused", Kind.CREATE, null, "1", null);
    bringIn(used, unused);
    NewRun run = running("A-1");
    claim(create(run, "used"));

    goes(run, new EffectReference(run.number(), used.number(), null));
    move(DEFAULT.multipliedBy(20));
    expire(unused);

    assertThat(store.effect(used.number())).isNull();
    assertThat(storedEffect(unused.number())).isEqualTo(unused.row());
    assertThat(claim(create(running("A-2"), "used"))).isInstanceOf(ClaimAnswer.Expired.class);
    assertThat(bringIn(used).kept())
        .containsExactly(
            new Answer.Imported.Kept(
                0, used.number(), "it was done before, and its record has expired"));
  }

  @Test
  void an_external_id_that_was_found_is_noted_once() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted open = granted(create(run, "open"));

    assertThat(adopt(charge, "in_1")).isTrue();
    assertThat(adopt(charge, "in_2")).isFalse();
    assertThat(adopt(open, "in_3")).isFalse();
    assertThat(adopt(new Granted(charge.effect() + 1_000, 1), "in_4")).isFalse();

    EffectRecord row = storedEffect(charge.effect());
    assertThat(row.externalId()).isEqualTo("in_1");
    assertThat(row.result()).isEqualTo("7");
    assertThat(row.run()).isEqualTo(run.number());
    assertThat(storedEffect(open.effect()).externalId()).isNull();
  }

  private void expire(EffectImport row) {
    land(always(new Change.ExpireEffects(List.of(row.number()), now.plus(LIFE))));
  }

  private boolean adopt(Granted effect, String externalId) {
    var change = new Change.AdoptId(effect.effect(), effect.revision(), externalId);
    return ((Answer.IdAdopted) land(always(change)).answers().getFirst()).adopted();
  }

  private Answer.Imported bringIn(EffectImport... rows) {
    var change = new Change.ImportEffects(List.of(rows));
    return (Answer.Imported) land(always(change)).answers().getFirst();
  }

  private EffectImport imported(
      String key,
      Kind kind,
      @Nullable String externalId,
      @Nullable String output,
      @Nullable ObjectVersion version) {
    return imported(key, kind, externalId, output, version, 1);
  }

  private EffectImport imported(
      String key,
      Kind kind,
      @Nullable String externalId,
      @Nullable String output,
      @Nullable ObjectVersion version,
      int revision) {
    return new EffectImport(
        nextNumber(),
        new EffectKey(TENANT, "charge", key, null),
        kind,
        revision,
        externalId,
        output,
        version,
        now,
        SOURCE);
  }

  private static Reused reused(EffectImport row) {
    return new Reused(row.number(), 1, SOURCE, row.output(), row.externalId(), false, false, false);
  }
}
