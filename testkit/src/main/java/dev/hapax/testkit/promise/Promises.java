package dev.hapax.testkit.promise;

import java.util.List;

/** All promises that have a checker. A checker is added here. */
public final class Promises {
  private Promises() {}

  /**
   * Returns the promises that hold although the store has lost the last writes. The others are
   * about rows that must be there, and those may be lost.
   */
  public static List<Promise> afterALoss() {
    return List.of(new EffectHappensOnce(), new LeasesAreKept(), new JournalHasNoGaps());
  }

  /** Returns all promises. */
  public static List<Promise> all() {
    return List.of(
        new AcceptedIsDurable(),
        new AcceptedCancelIsKept(),
        new OneRunPerKey(),
        new FinishedStepsStayFinished(),
        new IntentBeforeSend(),
        new OneKeyPerIntent(),
        new EffectHappensOnce(),
        new DoneMeansSent(),
        new NoDoubtIsDropped(),
        new NoPhantom(),
        new RetriesKeepTheirTerms(),
        new WaitsFireOnceAndNotEarly(),
        new UndoneInReverse(),
        new FirstAnswerDecides(),
        new EndedRunsAskNobody(),
        new CallersHearTheEnd(),
        new ItemsAreHandledOnce(),
        new OneHolderPerLock(),
        new NoMoreThanTheLimit(),
        new NoMoreCallsThanAllowed(),
        new OneRunPerEvent(),
        new OneRunPerInstant(),
        new ExpiredIsNotRepeated(),
        new AlertsAreSentOnce(),
        new CountersAreExact(),
        new ReferencedValuesStay(),
        new MessagesAreDelivered(),
        new MessagesKeepTheirLine(),
        new JobsAreCarriedOut(),
        new ReplaysAreCarriedOut(),
        new ReplaysKeepToTheirPlan(),
        new NewerWorkStays(),
        new ImportedIsNotSent(),
        new AdoptedIdsAreTrue(),
        new SettledIsUndone(),
        new LateAnswersAreEvidence(),
        new LeasesAreKept(),
        new JournalHasNoGaps(),
        new OnlyPoisonIsKeptOut(),
        new StoreIsNoOutcome(),
        new EveryDecisionIsExplained());
  }
}
