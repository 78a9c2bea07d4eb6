package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.RetriesKeepTheirTerms;
import dev.hapax.testkit.promise.Sending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a person began anew is not held against the engine, and what no person did is. */
class RetriesKeepTheirTermsTest {
  private static final int SEEDS = 60;
  private static final int MOST = 3;
  private static final String RUN = "r-" + "a".repeat(26);
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = FIRST.plusSeconds(600);

  private final RetriesKeepTheirTerms promise = new RetriesKeepTheirTerms();

  @Test
  void a_decision_counts_although_the_journal_of_its_run_has_expired() {
    assertThat(promise.brokenBy(ofAnExpiredRun(MOST + 1, settle(ClientCall.Answer.ACCEPTED))))
        .isEmpty();
    assertThat(promise.brokenBy(ofAnExpiredRun(MOST + 1, settle(ClientCall.Answer.UNKNOWN))))
        .isEmpty();
  }

  @Test
  void without_a_decision_it_was_sent_too_often() {
    assertThat(promise.brokenBy(ofAnExpiredRun(MOST, settle(ClientCall.Answer.REFUSED)))).isEmpty();
    assertThat(promise.brokenBy(ofAnExpiredRun(MOST + 1, settle(ClientCall.Answer.REFUSED))))
        .singleElement()
        .asString()
        .contains("more than 3 times");
  }

  @Test
  void a_decision_begins_one_budget_and_no_more() {
    assertThat(promise.brokenBy(ofAnExpiredRun(2 * MOST + 1, settle(ClientCall.Answer.ACCEPTED))))
        .singleElement()
        .asString()
        .contains("more than 6 times");
  }

  @Test
  void an_undo_that_is_claimed_again_has_a_budget_of_its_own() {
    List<Sending> sendings = new ArrayList<>(Collections.nCopies(MOST, sentUnder(FIRST)));
    sendings.addAll(Collections.nCopies(MOST, sentUnder(LATER)));
    assertThat(promise.brokenBy(evidence(sendings, List.of()))).isEmpty();

    sendings.add(sentUnder(LATER));
    assertThat(promise.brokenBy(evidence(sendings, List.of()))).hasSize(1);
  }

  @Test
  void a_refusal_speaks_for_its_own_claim_only() {
    int seen = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Evidence truth =
          Simulation.run(Generator.CORE, Choices.of(seed), Mutation.NONE, false).evidence();
      Sending noted = notedAsNotApplied(truth);
      EffectRecord intent = noted == null ? null : noted.intent();
      if (noted == null || intent == null) {
        continue;
      }
      assertThat(promise.brokenBy(with(truth, refused(noted, intent.firstSentAt())))).isNotEmpty();
      assertThat(promise.brokenBy(with(truth, refused(noted, Instant.EPOCH)))).isEmpty();
      seen++;
    }
    assertThat(seen).isPositive();
  }

  private static @Nullable Sending notedAsNotApplied(Evidence truth) {
    for (Sending sending : truth.sendings()) {
      for (Run run : truth.runs()) {
        if (run.id().toString().equals(sending.run())
            && truth.journal(run).stream().anyMatch(line -> isNoteOf(line, sending))) {
          return sending;
        }
      }
    }
    return null;
  }

  private static boolean isNoteOf(JournalLine line, Sending sending) {
    EffectRecord intent = sending.intent();
    return intent != null
        && line.entry() instanceof EffectEntry.NotApplied note
        && note.step().equals(intent.step())
        && note.revision() == intent.revision()
        && note.attempt() == intent.attempts();
  }

  private static Evidence with(Evidence truth, Sending one) {
    List<Sending> sendings = new ArrayList<>(truth.sendings());
    sendings.add(one);
    return new Evidence(
        truth.store(),
        truth.tenant(),
        sendings,
        truth.stepCalls(),
        truth.calls(),
        truth.observations());
  }

  private static Sending refused(Sending one, @Nullable Instant claimedAt) {
    EffectRecord intent = Objects.requireNonNull(one.intent(), "the intent");
    return sent(one.run(), claimed(intent, claimedAt), Sending.Heard.REJECTED);
  }

  private static EffectRecord claimed(EffectRecord row, @Nullable Instant at) {
    return new EffectRecord(
        row.number(),
        row.key(),
        row.kind(),
        row.guard(),
        row.state(),
        row.revision(),
        row.run(),
        row.step(),
        row.attempts(),
        null,
        null,
        null,
        null,
        null,
        at,
        null,
        null);
  }

  private static Evidence ofAnExpiredRun(int times, ClientCall call) {
    return evidence(Collections.nCopies(times, sentUnder(FIRST)), List.of(call));
  }

  private static Evidence evidence(List<Sending> sendings, List<ClientCall> calls) {
    return new Evidence(
        new MemoryStore(), UnreliableWorld.TENANT, sendings, List.of(), calls, List.of());
  }

  private static ClientCall settle(ClientCall.Answer answer) {
    return Client.about(ClientCall.Wish.SETTLE, answer, RUN, "operator-1");
  }

  private static Sending sentUnder(Instant claimedAt) {
    var intent =
        new EffectRecord(
            1,
            new EffectKey(UnreliableWorld.TENANT, "voucher.undo", "key-0", null),
            Kind.CREATE,
            "keyed",
            EffectState.PENDING,
            1,
            1,
            new Step("step.undo", null),
            1,
            null,
            null,
            null,
            null,
            null,
            claimedAt,
            null,
            null);
    return sent(RUN, intent, Sending.Heard.NOT_APPLIED);
  }

  private static Sending sent(String run, EffectRecord intent, Sending.Heard heard) {
    return new Sending(
        FIRST,
        intent.key().name(),
        intent.key().key(),
        run,
        false,
        intent.guard(),
        false,
        MOST,
        intent.wireKey(),
        null,
        intent,
        null,
        heard,
        false,
        null);
  }
}
