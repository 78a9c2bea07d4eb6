package dev.hapax.run.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.hapax.flow.Alert;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.run.Gate;
import dev.hapax.run.journal.EffectEntry.Claimed;
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
            new StepEntry.StepDone(new Step("price", "7"), "{\"total\":40.00}"),
            "{'type':'step-done','step':{'name':'price','item':'7'},'output':'{\\\"total\\\":40.00}'}"),
        arguments(
            new StepEntry.StepDone(STEP, null), "{'type':'step-done','step':{'name':'charge'}}"),
        arguments(
            new StepEntry.Branched(STEP, "otherwise"),
            "{'type':'branched','step':{'name':'charge'},'branch':'otherwise'}"),
        arguments(
            new StepEntry.StepFailed(STEP, ERROR),
            "{'type':'step-failed','step':{'name':'charge'},'error':ERROR}"),
        arguments(
            new StepEntry.ReadFailed(STEP, 2, "503", AT),
            "{'type':'read-failed','step':{'name':'charge'},'attempt':2,'evidence':'503','retryAt':AT}"),
        arguments(
            new StepEntry.StepSettled(STEP, "1", "by hand", "ann"),
            "{'type':'step-settled','step':{'name':'charge'},'output':'1','reason':'by hand','actor':'ann'}"),
        arguments(
            new Claimed(STEP, 7, "charge", "A-1", Kind.CREATE, "keyed", null),
            "{'type':'claimed','step':{'name':'charge'},'effect':7,'name':'charge','key':'A-1','kind':'CREATE','guard':'keyed'}"),
        arguments(
            new Claimed(STEP, 7, "charge", "A-1", Kind.CREATE, "keyed", null, null, "/1.0"),
            "{'type':'claimed','step':{'name':'charge'},'effect':7,'name':'charge','key':'A-1','kind':'CREATE','guard':'keyed','branch':'/1.0'}"),
        arguments(
            new Claimed(STEP, 7, "charge", "A-1", Kind.CREATE, "keyed", null, true, null),
            "{'type':'claimed','step':{'name':'charge'},'effect':7,'name':'charge','key':'A-1','kind':'CREATE','guard':'keyed','undoable':true}"),
        arguments(
            new EffectEntry.Attempted(STEP, 1, 2),
            "{'type':'attempted','step':{'name':'charge'},'revision':1,'attempt':2}"),
        arguments(
            new EffectEntry.SentAgain(STEP, 1, 2),
            "{'type':'sent-again','step':{'name':'charge'},'revision':1,'attempt':2}"),
        arguments(
            new EffectEntry.NotApplied(STEP, 1, 2, "429", AT),
            "{'type':'not-applied','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'429','retryAt':AT}"),
        arguments(
            new EffectEntry.InDoubt(STEP, 1, 2, "reset", "send again", AT, null, null),
            "{'type':'doubt','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset','decision':'send again','retryAt':AT}"),
        arguments(
            new EffectEntry.InDoubt(STEP, 1, 2, "500", "a lookup tells", null, true, null),
            "{'type':'doubt','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'500','decision':'a lookup tells','repeatTellsNothing':true}"),
        arguments(
            new EffectEntry.InDoubt(STEP, 1, 1, "lost", "a lookup tells", null, null, AT),
            "{'type':'doubt','step':{'name':'charge'},'revision':1,'attempt':1,'evidence':'lost','decision':'a lookup tells','sentSince':AT}"),
        arguments(
            new EffectEntry.ProvenAbsent(STEP, 1, 2, "not found"),
            "{'type':'absent','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'not found'}"),
        arguments(
            new EffectEntry.InReview(STEP, 1, 2, "reset"),
            "{'type':'review','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset'}"),
        arguments(
            new EffectEntry.Settled(
                STEP, 1, SettleDecision.NOT_HAPPENED, null, null, "asked them", "ann"),
            "{'type':'settled','step':{'name':'charge'},'revision':1,'decision':'NOT_HAPPENED','reason':'asked them','actor':'ann'}"),
        arguments(
            new EffectEntry.SettledTooLate(STEP, 1, SettleDecision.ABANDON, "gone", "ann"),
            "{'type':'settled-too-late','step':{'name':'charge'},'revision':1,'decision':'ABANDON','reason':'gone','actor':'ann'}"),
        arguments(
            new EffectEntry.AnsweredLate(STEP, 1, SettleDecision.ABANDON, "ann", "ch_1", null),
            "{'type':'answered-late','step':{'name':'charge'},'revision':1,'decision':'ABANDON','actor':'ann','externalId':'ch_1'}"),
        arguments(
            new EffectEntry.AnsweredLate(STEP, 1, SettleDecision.HAPPENED, "ann", null, 7L),
            "{'type':'answered-late','step':{'name':'charge'},'revision':1,'decision':'HAPPENED','actor':'ann','effect':7}"),
        arguments(
            new EffectEntry.EffectDone(STEP, 1, 2, "{}", "ch_1", "2xx"),
            "{'type':'done','step':{'name':'charge'},'revision':1,'attempt':2,'output':'{}','externalId':'ch_1','decision':'2xx'}"),
        arguments(
            new EffectEntry.EffectFailed(STEP, 1, 2, ERROR),
            "{'type':'failed','step':{'name':'charge'},'revision':1,'attempt':2,'error':ERROR}"),
        arguments(
            new EffectEntry.Skipped(STEP, 1, 2, "reset"),
            "{'type':'skipped','step':{'name':'charge'},'revision':1,'attempt':2,'evidence':'reset'}"),
        arguments(
            new WaitEntry.WaitStarted(STEP, AT),
            "{'type':'wait','step':{'name':'charge'},'until':AT}"),
        arguments(new WaitEntry.WaitEnded(STEP), "{'type':'wait-ended','step':{'name':'charge'}}"),
        arguments(
            new LoopEntry.LoopStarted(STEP, 3),
            "{'type':'loop','step':{'name':'charge'},'items':3}"),
        arguments(
            new LoopEntry.ItemEnded(STEP, ERROR),
            "{'type':'item-ended','step':{'name':'charge'},'error':ERROR}"),
        arguments(
            new LoopEntry.LoopEnded(STEP, 2, 1, List.of()),
            "{'type':'loop-ended','step':{'name':'charge'},'succeeded':2,'failed':1,'failures':[]}"),
        arguments(
            new LoopEntry.LoopStarted(STEP, 100, true, 16),
            "{'type':'loop','step':{'name':'charge'},'items':100,'rounds':true,'ended':16}"),
        arguments(
            new LoopEntry.ItemEnded(STEP, null, "{}"),
            "{'type':'item-ended','step':{'name':'charge'},'output':'{}'}"),
        arguments(
            new LoopEntry.LoopEnded(STEP, 2, 0, List.of(), "[]"),
            "{'type':'loop-ended','step':{'name':'charge'},'succeeded':2,'failed':0,'failures':[],'results':'[]'}"),
        arguments(
            new StepEntry.Published(STEP, "m-1", "crm", "r-x"),
            "{'type':'published','step':{'name':'charge'},'message':'m-1','destination':'crm','delivery':'r-x'}"),
        arguments(
            new WaitEntry.CallbackOpened(STEP.inRound(2), 7, null),
            "{'type':'callback-opened','step':{'name':'charge','round':2},'number':7}"),
        arguments(
            new WaitEntry.CallbackOpened(STEP, 7, 2),
            "{'type':'callback-opened','step':{'name':'charge'},'number':7,'key':2}"),
        arguments(
            new WaitEntry.CallbackAwaited(STEP, 7, AT, null),
            "{'type':'callback-awaited','step':{'name':'charge'},'number':7,'expiresAt':AT}"),
        arguments(
            new WaitEntry.ApprovalLinked(STEP, 7, "ann", 2),
            "{'type':'approval-linked','step':{'name':'charge'},'number':7,'approver':'ann','key':2}"),
        arguments(
            new WaitEntry.ApprovalAsked(STEP, 7, "Send it?", List.of("finance"), AT, true, null),
            "{'type':'approval-asked','step':{'name':'charge'},'number':7,'ask':'Send it?','roles':['finance'],'expiresAt':AT,'failsIfRejected':true}"),
        arguments(
            new WaitEntry.WaitSettled(STEP, 7, WaitState.DECIDED, "1", "ann", AT),
            "{'type':'wait-settled','step':{'name':'charge'},'number':7,'state':'DECIDED','decision':'1','by':'ann','settledAt':AT}"),
        arguments(
            new CallEntry.Called(STEP, "ship", 2, "A-1", "r-x"),
            "{'type':'called','step':{'name':'charge'},'flow':'ship','release':2,'key':'A-1','child':'r-x'}"),
        arguments(
            new CallEntry.CallAwaited(STEP, 7),
            "{'type':'call-awaited','step':{'name':'charge'},'child':7}"),
        arguments(
            new CallEntry.CallRetried(STEP, 7),
            "{'type':'call-retried','step':{'name':'charge'},'child':7}"),
        arguments(
            new CallEntry.CallStopped(STEP, 7),
            "{'type':'call-stopped','step':{'name':'charge'},'child':7}"),
        arguments(
            new CallEntry.CallFailed(STEP, ERROR),
            "{'type':'call-failed','step':{'name':'charge'},'error':ERROR}"),
        arguments(
            new CallEntry.SpawnedRun(STEP, "ship", 2, "A-1", "r-x", true),
            "{'type':'spawned-run','step':{'name':'charge'},'flow':'ship','release':2,'key':'A-1','child':'r-x','anyInput':true}"),
        arguments(
            new StepEntry.KvAsked(STEP, KvAction.PUT_IF_ABSENT, "k", "1"),
            "{'type':'kv','step':{'name':'charge'},'action':'put-if-absent','key':'k','value':'1'}"),
        arguments(
            new RunEntry.Alerted(Alert.REVIEW, "m-1", "r-x"),
            "{'type':'alerted','alert':'REVIEW','message':'m-1','delivery':'r-x'}"),
        arguments(
            new RunEntry.Notified(STEP, "m-1", "people", "r-x"),
            "{'type':'notified','step':{'name':'charge'},'message':'m-1','destination':'people','delivery':'r-x'}"),
        arguments(
            new RunEntry.CompensationStarted(ERROR),
            "{'type':'compensation-started','cause':ERROR}"),
        arguments(
            new RunEntry.Queued(new Gate("customer", 2, Overflow.QUEUE)),
            "{'type':'queued','gate':{'key':'customer','limit':2,'overflow':'QUEUE'}}"),
        arguments(new RunEntry.SlotGranted(), "{'type':'slot'}"),
        arguments(
            new LockEntry.LockAsked(STEP, "k"),
            "{'type':'lock','step':{'name':'charge'},'key':'k'}"),
        arguments(
            new LockEntry.LockReleased(STEP, "k", 7),
            "{'type':'unlock','step':{'name':'charge'},'key':'k','fence':7}"),
        arguments(
            new RunEntry.TurnAwaited(STEP, "busy", AT),
            "{'type':'turn-awaited','step':{'name':'charge'},'because':'busy','until':AT}"),
        arguments(
            new EffectEntry.EffectFailed(STEP, 1, 2, ERROR, true),
            "{'type':'failed','step':{'name':'charge'},'revision':1,'attempt':2,'error':ERROR,'givenUp':true}"),
        arguments(new RunEntry.Occurred(AT), "{'type':'occurred','occurredAt':AT}"),
        arguments(new RunEntry.CodeMissing(3), "{'type':'code-missing','release':3}"),
        arguments(
            new EffectEntry.LeftBehind(STEP, 5, "mail", "A-1"),
            "{'type':'left-behind','step':{'name':'charge'},'effect':5,'name':'mail','key':'A-1'}"),
        arguments(
            new RunEntry.Retried("ann", "2", "1"),
            "{'type':'retried','actor':'ann','input':'2','previousInput':'1'}"),
        arguments(
            new RunEntry.Replayed(
                "ann",
                "wrong price",
                2,
                1,
                "2",
                "1",
                new ReplayTerms(
                    STEP,
                    7L,
                    List.of(new Step("all", null)),
                    List.of(new ReplayTerms.Corrected(STEP, "7")),
                    List.of(new Step("ask", null)),
                    List.of(new ReplayTerms.Forced("mail", "A-1", 1, "lost")),
                    List.of(
                        new ReplayTerms.Send(STEP, "mail", "A-1", 2, "1a2b"),
                        new ReplayTerms.Send(STEP, "post", null, null, null)))),
            "{'type':'replayed','actor':'ann','reason':'wrong price','release':2,'previousRelease':1,'input':'2','previousInput':'1','terms':{'from':{'name':'charge'},'after':7,'within':[{'name':'all'}],'outputs':[{'step':{'name':'charge'},'output':'7'}],'ask':[{'name':'ask'}],'force':[{'name':'mail','key':'A-1','revision':1,'reason':'lost'}],'sends':[{'step':{'name':'charge'},'name':'mail','key':'A-1','revision':2,'request':'1a2b'},{'step':{'name':'charge'},'name':'post'}]}}"),
        arguments(
            new RunEntry.Replayed(
                "ann",
                null,
                null,
                null,
                null,
                null,
                new ReplayTerms(null, null, List.of(), List.of(), List.of(), List.of(), List.of())),
            "{'type':'replayed','actor':'ann','terms':{}}"),
        arguments(
            new RunEntry.CancelRequested("ann", null), "{'type':'cancel-requested','actor':'ann'}"),
        arguments(new RunEntry.TimedOut(AT), "{'type':'timed-out','timeoutAt':AT}"),
        arguments(
            new RunEntry.KeyForgotten("ann", "again"),
            "{'type':'key-forgotten','actor':'ann','reason':'again'}"),
        arguments(
            new RunEntry.ValuesErased("ann", "asked", 7),
            "{'type':'erased','actor':'ann','reason':'asked','erasure':7}"),
        arguments(
            new RunEntry.CompensationStarted(ERROR),
            "{'type':'compensation-started','cause':ERROR}"),
        arguments(
            new RunEntry.Quarantined("alone at two ends"),
            "{'type':'quarantined','evidence':'alone at two ends'}"),
        arguments(
            new RunEntry.Resumed("ann", "mended"),
            "{'type':'resumed','actor':'ann','reason':'mended'}"),
        arguments(new RunEntry.TriedNow("ann"), "{'type':'tried-now','actor':'ann'}"),
        arguments(
            new RunEntry.Ended(RunStatus.FAILED, null, ERROR),
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
            new ClaimAnswer.Expired(7, 2, EffectState.DONE, "ch_1"),
            "{'answer':'effect-expired','effect':7,'revision':2,'state':'DONE','externalId':'ch_1'}"),
        arguments(
            new ClaimAnswer.ResultErased(7, 2, "r-x", "ch_1"),
            "{'answer':'effect-erased','effect':7,'revision':2,'fromRun':'r-x','externalId':'ch_1'}"),
        arguments(
            new Answer.RunErased(Answer.RunErased.Outcome.MORE, 200),
            "{'answer':'run-erased','outcome':'MORE','next':200}"),
        arguments(
            new ClaimAnswer.Abandoned(7, 1, 2),
            "{'answer':'abandoned','effect':7,'revision':1,'attempts':2}"),
        arguments(
            new ClaimAnswer.ReviewFirst(7, 1, "reused"),
            "{'answer':'review-first','effect':7,'revision':1,'evidence':'reused'}"),
        arguments(
            new ClaimAnswer.Overtaken(7, "revision 2 is newer"),
            "{'answer':'overtaken','effect':7,'what':'revision 2 is newer'}"),
        arguments(
            new ClaimAnswer.ReviewRework(7, 1, 2, "1", "ext-1", true),
            "{'answer':'review-rework','effect':7,'revision':1,'attempts':2,'output':'1','externalId':'ext-1','reused':true}"),
        arguments(
            new ClaimAnswer.UndoFirst(7, 1, "ext-1"),
            "{'answer':'undo-first','effect':7,'revision':1,'externalId':'ext-1'}"),
        arguments(new ClaimAnswer.NotPlanned(2), "{'answer':'not-planned','revision':2}"),
        arguments(
            new ClaimAnswer.NotPlanned(2, "1a", "2b"),
            "{'answer':'not-planned','revision':2,'planned':'1a','wanted':'2b'}"),
        arguments(new ClaimAnswer.Refused(), "{'answer':'refused'}"),
        arguments(
            new Answer.Spawned(7, true, false), "{'answer':'spawned','run':7,'isFresh':true}"),
        arguments(
            new Answer.SpawnExpired("r-x", RunStatus.FAILED, AT),
            "{'answer':'spawn-expired','run':'r-x','status':'FAILED','endedAt':AT}"),
        arguments(
            new Answer.Heard(7, WaitState.DECIDED, "1", "ann", AT, true),
            "{'answer':'heard','number':7,'state':'DECIDED','decision':'1','by':'ann','at':AT,'isFirst':true}"),
        arguments(
            new Answer.Queued("r-x", List.of(7L)),
            "{'answer':'queued','behind':'r-x','displaced':[7]}"),
        arguments(new Answer.Locked(7), "{'answer':'locked','fence':7}"),
        arguments(new Answer.LockTaken("r-x"), "{'answer':'lock-taken','behind':'r-x'}"),
        arguments(
            new Answer.LockImpossible("deadlock", "why"),
            "{'answer':'lock-impossible','code':'deadlock','why':'why'}"),
        arguments(
            new Answer.Kv("1", 7, true), "{'answer':'kv','value':'1','version':7,'written':true}"),
        arguments(
            new Answer.Canceling(new Run.Cancel("ann", "why", true)),
            "{'answer':'canceling','first':{'actor':'ann','reason':'why','compensate':true}}"),
        arguments(new Answer.NotEnded(), "{'answer':'not-ended'}"),
        arguments(new Answer.Decided(true), "{'answer':'decided','holds':true}"),
        arguments(new Answer.Fired(2, 1), "{'answer':'fired','started':2,'skipped':1}"),
        arguments(
            new Answer.Imported(2, 1, List.of(new Answer.Imported.Kept(3, 7, "why"))),
            "{'answer':'imported','added':2,'same':1,'kept':[{'index':3,'effect':7,'difference':'why'}]}"),
        arguments(new Answer.IdAdopted(true), "{'answer':'id-adopted','adopted':true}"),
        arguments(
            new Answer.Received(7, InboxOutcome.STALE, "r-x", "older"),
            "{'answer':'received','event':7,'outcome':'STALE','run':'r-x','detail':'older'}"),
        arguments(
            new CallAnswer.UnderWay(7, true, true, true),
            "{'answer':'call-under-way','child':7,'isOwn':true,'begins':true,'inputDiffers':true}"),
        arguments(
            new CallAnswer.Ended(7, true, true, RunStatus.FAILED, "1", ERROR),
            "{'answer':'call-ended','child':7,'isOwn':true,'inputDiffers':true,'status':'FAILED','output':'1','error':ERROR}"),
        arguments(new CallAnswer.KeyReused(7), "{'answer':'call-key-reused','child':7}"),
        arguments(new CallAnswer.Cycle(7), "{'answer':'call-cycle','child':7}"),
        arguments(new CallAnswer.LetGo(7), "{'answer':'call-let-go','child':7}"),
        arguments(new CallAnswer.Gone(7), "{'answer':'call-gone','child':7}"));
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
  void an_answer_has_its_text_and_comes_back(Answer answer, String expected) {
    String text = JournalRow.writeAnswers(List.of(answer));

    assertThat(text).isEqualTo("[" + json(expected) + "]");
    assertThat(row("[]", text).readAnswers()).containsExactly(answer);
  }

  @Test
  void no_entry_and_no_answer_is_without_its_text_here() {
    assertThat(typesOf(entries()))
        .containsOnly(leavesOf(JournalEntry.class).toArray(Class<?>[]::new));
    assertThat(typesOf(answers())).containsOnly(leavesOf(Answer.class).toArray(Class<?>[]::new));
  }

  private static Stream<Class<?>> leavesOf(Class<?> type) {
    Class<?>[] below = type.getPermittedSubclasses();
    return below == null ? Stream.of(type) : Stream.of(below).flatMap(JournalRowTest::leavesOf);
  }

  @Test
  void every_word_of_an_entry_comes_back() {
    for (Kind kind : Kind.values()) {
      var entry = new Claimed(STEP, 7, "charge", "A-1", kind, "keyed", null);
      assertThat(row(JournalRow.write(List.of(entry)), null).readEntries()).containsExactly(entry);
    }
    for (RunStatus status : RunStatus.values()) {
      var entry = new RunEntry.Ended(status, null, null);
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
