package dev.hapax.app.crash;

import dev.hapax.app.crash.CrashingStore.Moment;
import dev.hapax.testkit.fault.SinkClient.Stage;
import dev.hapax.testkit.fault.SinkFaults.First;

/**
 * The named instants at which a process dies, with one run per guard under way. {@code after} a
 * commit waits until all runs that come there have come; the stages of a request gather all five
 * senders, so that every guard dies at that very point.
 */
enum Boundary {
  ACCEPT_BEFORE_COMMIT(Moment.ACCEPT.before(), 1, First.BY_CHANCE),
  ACCEPT_AFTER_COMMIT(Moment.ACCEPT.after(), 5, First.BY_CHANCE),
  ACKNOWLEDGEMENT_BEFORE(Boundary.ACKNOWLEDGE, 5, First.BY_CHANCE),
  INTENT_BEFORE_COMMIT(Moment.INTENT.before(), 1, First.BY_CHANCE),
  INTENT_AFTER_COMMIT(Moment.INTENT.after(), 5, First.BY_CHANCE),
  REQUEST_BEFORE(point(Stage.BEFORE), 5, First.BY_CHANCE),
  REQUEST_HALF_WRITTEN(point(Stage.HALF_WRITTEN), 5, First.BY_CHANCE),
  REQUEST_WRITTEN(point(Stage.WRITTEN), 5, First.BY_CHANCE),
  ANSWER_RECEIVED(point(Stage.ANSWERED), 5, First.BY_CHANCE),
  OUTCOME_BEFORE_COMMIT(Moment.OUTCOME.before(), 1, First.BY_CHANCE),
  OUTCOME_AFTER_COMMIT(Moment.OUTCOME.after(), 5, First.BY_CHANCE),
  TIMER_BEFORE_COMMIT(Moment.TIMER.before(), 1, First.BY_CHANCE),
  TIMER_AFTER_COMMIT(Moment.TIMER.after(), 5, First.BY_CHANCE),
  END_BEFORE_COMMIT(Moment.END.before(), 1, First.BY_CHANCE),
  END_AFTER_COMMIT(Moment.END.after(), 5, First.BY_CHANCE),
  /** Every guard tries again what was not applied. */
  RETRY_BEFORE_COMMIT(Moment.RETRY.before(), 1, First.REFUSED),
  RETRY_AFTER_COMMIT(Moment.RETRY.after(), 5, First.REFUSED),
  /** All but the unguarded one settle their doubt by themselves. */
  DOUBT_BEFORE_COMMIT(Moment.DOUBT.before(), 1, First.LOST),
  DOUBT_AFTER_COMMIT(Moment.DOUBT.after(), 4, First.LOST),
  /** The lookup finds what happened, so three are left that send again. */
  RESEND_BEFORE_COMMIT(Moment.RESEND.before(), 1, First.LOST),
  RESEND_AFTER_COMMIT(Moment.RESEND.after(), 3, First.LOST),
  REVIEW_BEFORE_COMMIT(Moment.REVIEW.before(), 1, First.LOST),
  REVIEW_AFTER_COMMIT(Moment.REVIEW.after(), 1, First.LOST);

  /** After {@code start} has returned, before the caller knows. */
  static final String ACKNOWLEDGE = "acknowledge.before";

  private final String point;
  private final int nth;
  private final First firstRequest;

  Boundary(String point, int nth, First firstRequest) {
    this.point = point;
    this.nth = nth;
    this.firstRequest = firstRequest;
  }

  /** The name of a request's stage as a crash point. */
  static String point(Stage stage) {
    return switch (stage) {
      case BEFORE -> "request.before";
      case HALF_WRITTEN -> "request.half";
      case WRITTEN -> "request.written";
      case ANSWERED -> "answer.received";
    };
  }

  String crashAt() {
    return point + ":" + nth;
  }

  String lastWord() {
    return CrashPoint.LAST_WORD + point;
  }

  /** What the sink does to the first request of each key, so that this boundary is reached. */
  First firstRequest() {
    return firstRequest;
  }

  /** Whether the process dies with an attempt of every guard in flight. */
  boolean leavesAllInFlight() {
    return point.startsWith("request.") || point.startsWith("answer.");
  }
}
