package dev.hapax.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.hapax.flow.Kind;
import dev.hapax.run.JournalEntry.Claimed;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The stored text of every entry and answer. A released name never changes: old journals must be
 * readable for ever.
 */
class JournalRowTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123Z");
  private static final Step STEP = new Step("charge", null);
  private static final Failure ERROR = new Failure("rejected", "declined", "charge", "7", true);
  private static final String ERROR_TEXT =
      "{\"code\":\"rejected\",\"message\":\"declined\",\"step\":\"charge\",\"item\":\"7\",\"retryable\":true}";

  static Stream<Arguments> entries() {
    return Stream.of(
        arguments(
            new JournalEntry.StepDone(new Step("price", "7"), "{\"total\":40.00}"),
            "{'type':'step-done','step':{'name':'price','item':'7'},'output':'{\\\"total\\\":40.00}'}"),
        arguments(
            new JournalEntry.StepDone(STEP, null), "{'type':'step-done','step':{'name':'charge'}}"),
        arguments(
            new JournalEntry.StepFailed(STEP, ERROR),
            "{'type':'step-failed','step':{'name':'charge'},'error':ERROR}"),
        arguments(
            new JournalEntry.ReadFailed(STEP, 2, "503", AT),
            "{'type':'read-failed','step':{'name':'charge'},'attempt':2,'evidence':'503','retryAt':AT}"),
        arguments(
            new JournalEntry.StepSettled(STEP, "1", "by hand", "ann"),
            "{'type':'step-settled','step':{'name':'charge'},'output':'1','reason':'by hand','actor':'ann'}"),
        arguments(
            new Claimed(STEP, 7, "charge", "A-1", Kind.CREATE, "keyed", null),
            "{'type':'claimed','step':{'name':'charge'},'effect':7,'name':'charge','key':'A-1','kind':'CREATE','guard':'keyed'}"),
        arguments(
            new Claimed(STEP, 7, "charge", "A-1", Kind.CREATE, "keyed", null, true),
            "{'type':'claimed','step':{'name':'charge'},'effect':7,'name':'charge','key':'A-1','kind':'CREATE','guard':'keyed','undoable':true}"),
        arguments(
            new JournalEntry.Attempted(STEP, 1, 2),
            "{'type':'attempted','step':{'name':'charge'},'revision':1,'attempt':2}"),
        arguments(
            new JournalEntry.SentAgain(STEP, 1, 2),
            "{'type':'sent-again','step':{'name':'charge'},'revision':1,'attempt':2}"),
        arguments(
            new JournalEntry.NotApplied(STEP, 1, 2, "429", AT),
            "{'type':'not-applied','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'429','retryAt':AT}"),
        arguments(
            new JournalEntry.InDoubt(STEP, 1, 2, "reset", "send again", AT),
            "{'type':'doubt','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset','decision':'send again','retryAt':AT}"),
        arguments(
            new JournalEntry.ProvenAbsent(STEP, 1, 2, "not found"),
            "{'type':'absent','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'not found'}"),
        arguments(
            new JournalEntry.InReview(STEP, 1, 2, "reset"),
            "{'type':'review','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset'}"),
        arguments(
            new JournalEntry.Settled(
                STEP, 1, SettleDecision.NOT_HAPPENED, null, null, "asked them", "ann"),
            "{'type':'settled','step':{'name':'charge'},'revision':1,'decision':'NOT_HAPPENED','reason':'asked them','actor':'ann'}"),
        arguments(
            new JournalEntry.EffectDone(STEP, 1, 2, "{}", "ch_1", "2xx"),
            "{'type':'done','step':{'name':'charge'},'revision':1,'attempt':2,'output':'{}','externalId':'ch_1','decision':'2xx'}"),
        arguments(
            new JournalEntry.EffectFailed(STEP, 1, 2, ERROR),
            "{'type':'failed','step':{'name':'charge'},'revision':1,'attempt':2,'error':ERROR}"),
        arguments(
            new JournalEntry.Skipped(STEP, 1, 2, "reset"),
            "{'type':'skipped','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset'}"),
        arguments(
            new JournalEntry.WaitStarted(STEP, AT),
            "{'type':'wait','step':{'name':'charge'},'until':AT}"),
        arguments(
            new JournalEntry.WaitEnded(STEP), "{'type':'wait-ended','step':{'name':'charge'}}"),
        arguments(
            new JournalEntry.LoopStarted(STEP, 3),
            "{'type':'loop','step':{'name':'charge'},'items':3}"),
        arguments(
            new JournalEntry.ItemEnded(STEP, ERROR),
            "{'type':'item-ended','step':{'name':'charge'},'error':ERROR}"),
        arguments(
            new JournalEntry.LoopEnded(STEP, 2, 1, List.of()),
            "{'type':'loop-ended','step':{'name':'charge'},'succeeded':2,'failed':1,'failures':[]}"),
        arguments(
            new JournalEntry.Published(STEP, "m-1", "crm", "r-x"),
            "{'type':'published','step':{'name':'charge'},'message':'m-1','destination':'crm','delivery':'r-x'}"),
        arguments(
            new JournalEntry.CallbackOpened(STEP.inRound(2), 7),
            "{'type':'callback-opened','step':{'name':'charge','round':2},'number':7}"),
        arguments(
            new JournalEntry.CallbackAwaited(STEP, 7, AT),
            "{'type':'callback-awaited','step':{'name':'charge'},'number':7,'expiresAt':AT}"),
        arguments(
            new JournalEntry.ApprovalAsked(STEP, 7, "Send it?", List.of("finance"), AT, true),
            "{'type':'approval-asked','step':{'name':'charge'},'number':7,'ask':'Send it?','roles':['finance'],'expiresAt':AT,'failsIfRejected':true}"),
        arguments(
            new JournalEntry.WaitSettled(STEP, 7, Wait.State.DECIDED, "1", "ann", AT),
            "{'type':'wait-settled','step':{'name':'charge'},'number':7,'state':'DECIDED','decision':'1','by':'ann','settledAt':AT}"),
        arguments(
            new JournalEntry.Retried("ann", "2", "1"),
            "{'type':'retried','actor':'ann','input':'2','previousInput':'1'}"),
        arguments(
            new JournalEntry.CancelRequested("ann", null),
            "{'type':'cancel-requested','actor':'ann'}"),
        arguments(new JournalEntry.TimedOut(AT), "{'type':'timed-out','timeoutAt':AT}"),
        arguments(
            new JournalEntry.KeyForgotten("ann", "again"),
            "{'type':'key-forgotten','actor':'ann','reason':'again'}"),
        arguments(
            new JournalEntry.CompensationStarted(ERROR),
            "{'type':'compensation-started','cause':ERROR}"),
        arguments(
            new JournalEntry.Ended(RunStatus.FAILED, null, ERROR),
            "{'type':'ended','status':'FAILED','error':ERROR}"));
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        arguments(new ClaimAnswer.Granted(7, 2), "{'answer':'granted','effect':7,'revision':2}"),
        arguments(
            new ClaimAnswer.Reused(7, 1, "r-x", "{}", "ch_1", true, true, true),
            "{'answer':'reused','effect':7,'revision':1,'fromRun':'r-x','output':'{}','externalId':'ch_1',"
                + "'contentDiffers':true,'superseded':true,'stale':true}"),
        arguments(
            new ClaimAnswer.Reused(7, 1, "r-x", null, null, false, false, false),
            "{'answer':'reused','effect':7,'revision':1,'fromRun':'r-x'}"),
        arguments(
            new ClaimAnswer.Held(7, "r-x", EffectState.DOUBT),
            "{'answer':'held','effect':7,'byRun':'r-x','state':'DOUBT'}"),
        arguments(
            new ClaimAnswer.Conflict(7, "r-x", "the request differs"),
            "{'answer':'conflict','effect':7,'byRun':'r-x','what':'the request differs'}"),
        arguments(
            new ClaimAnswer.Abandoned(7, 1, 2),
            "{'answer':'abandoned','effect':7,'revision':1,'attempts':2}"),
        arguments(
            new ClaimAnswer.ReviewFirst(7, 1, "reused"),
            "{'answer':'review-first','effect':7,'revision':1,'evidence':'reused'}"),
        arguments(
            new ClaimAnswer.Overtaken(7, "revision 2 is newer"),
            "{'answer':'overtaken','effect':7,'what':'revision 2 is newer'}"),
        arguments(new ClaimAnswer.Refused(), "{'answer':'refused'}"));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void an_entry_has_its_text_and_comes_back(JournalEntry entry, String expected) {
    String text = JournalRow.write(List.of(entry));

    assertThat(text).isEqualTo("[" + json(expected) + "]");
    assertThat(row(text, null).readEntries()).containsExactly(entry);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void an_answer_has_its_text_and_comes_back(ClaimAnswer answer, String expected) {
    String text = JournalRow.writeAnswers(List.of(answer));

    assertThat(text).isEqualTo("[" + json(expected) + "]");
    assertThat(row("[]", text).readAnswers()).containsExactly(answer);
  }

  @Test
  void no_entry_and_no_answer_is_without_its_text_here() {
    assertThat(typesOf(entries())).containsOnly(JournalEntry.class.getPermittedSubclasses());
    assertThat(typesOf(answers())).containsOnly(ClaimAnswer.class.getPermittedSubclasses());
  }

  @Test
  void every_word_of_an_entry_comes_back() {
    for (Kind kind : Kind.values()) {
      var entry = new Claimed(STEP, 7, "charge", "A-1", kind, "keyed", null);
      assertThat(row(JournalRow.write(List.of(entry)), null).readEntries()).containsExactly(entry);
    }
    for (RunStatus status : RunStatus.values()) {
      var entry = new JournalEntry.Ended(status, null, null);
      assertThat(row(JournalRow.write(List.of(entry)), null).readEntries()).containsExactly(entry);
    }
  }

  @Test
  void a_row_without_stored_answers_has_none_to_read() {
    assertThat(row("[]", null).readAnswers()).isEmpty();
  }

  private static Stream<Class<?>> typesOf(Stream<Arguments> golden) {
    return golden.map(arguments -> Objects.requireNonNull(arguments.get()[0]).getClass());
  }

  private static JournalRow row(String entries, @Nullable String answers) {
    return new JournalRow(1, 1, 1, AT, entries, answers);
  }

  /** The golden texts are written with single quotes, to be readable. */
  private static String json(String golden) {
    return golden
        .replace('\'', '"')
        .replace(":AT", ":\"2026-03-01T10:00:00.123Z\"")
        .replace(":ERROR", ":" + ERROR_TEXT);
  }
}
