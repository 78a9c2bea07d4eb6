package dev.hapax.testkit.promise;

import java.util.List;

/** A promise of Hapax, as a check that can fail. */
public interface Promise {
  /** Returns every way in which the evidence breaks the promise, in words; empty if it was kept. */
  List<String> brokenBy(Evidence evidence);

  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Returns the promises that hold although the store has lost the last writes. The others are
   * about rows that must be there, and those may be lost.
   */
  static List<Promise> afterALoss() {
    return List.of(new EffectHappensOnce(), new LeasesAreKept(), new JournalHasNoGaps());
  }

  /** Returns all promises. */
  static List<Promise> all() {
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
        new LeasesAreKept(),
        new JournalHasNoGaps(),
        new EveryDecisionIsExplained());
  }
}
