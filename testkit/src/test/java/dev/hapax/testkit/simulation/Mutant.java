package dev.hapax.testkit.simulation;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.OnDoubt;
import dev.hapax.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Broken builds that can be made at the ports. */
enum Mutant {
  /** The last batch is acknowledged when it is only about to be written. */
  ACKNOWLEDGES_BEFORE_COMMIT,
  COMMIT_ERROR_TAKEN_AS_ROLLBACK,
  BATCH_CHANGED_AFTER_UNKNOWN_COMMIT,
  RECOVERS_ONLY_ONCE,
  RECOVERS_BY_TIMESTAMP,
  DOUBT_DROPPED_AT_RECOVERY,
  RUN_ID_IN_THE_KEY,
  ATTEMPT_IN_THE_KEY,
  /** What a lease's epoch would be with several nodes. */
  START_IN_THE_KEY,
  ERROR_TAKEN_AS_NOT_APPLIED,
  INTENT_AFTER_SEND,
  OUTCOME_BEFORE_SEND,
  NOT_FOUND_TRUSTED_AT_ONCE,
  DOUBT_RESENT_WITHOUT_GUARD,
  KEY_WINDOW_IGNORED,
  CLIENT_RESENDS,
  NEW_RELEASE_FOR_A_RUNNING_RUN,
  SECOND_ANSWER_TOLD_IT_DECIDED,
  ANSWER_ACKNOWLEDGED_BEFORE_COMMIT,
  ITEM_HANDLED_AGAIN_AFTER_ITS_END,
  LOCK_GRANTED_TO_TWO,
  REUSED_EFFECT_UNDONE_UNASKED,
  UNDONE_EFFECT_STAYS_LOCKED,
  GATE_IGNORED,
  EVENT_VERSIONS_IGNORED,
  MISSED_INSTANTS_FORGOTTEN,
  EXPIRED_EFFECT_SENT_AGAIN,
  ALERT_DROPPED,
  REFERENCES_FORGOTTEN,
  CALLS_AT_ONCE_IGNORED,
  FENCE_NOT_CHECKED,
  ENDED_LEASE_REVIVED,
  RUNS_TAKEN_BEFORE_THE_LEASE_ENDS,
  LEASE_JUDGED_BY_A_FAST_CLOCK,
  RUNS_TAKEN_OVER_BY_TIMESTAMP,
  NODE_TAKES_COMMIT_ERROR_AS_ROLLBACK,
  FAILOVER_IGNORED;

  /** The runs in which it shows. */
  Generator generator() {
    return switch (this) {
      case SECOND_ANSWER_TOLD_IT_DECIDED,
          ANSWER_ACKNOWLEDGED_BEFORE_COMMIT,
          ITEM_HANDLED_AGAIN_AFTER_ITS_END,
          LOCK_GRANTED_TO_TWO,
          REUSED_EFFECT_UNDONE_UNASKED,
          UNDONE_EFFECT_STAYS_LOCKED,
          GATE_IGNORED,
          EVENT_VERSIONS_IGNORED,
          MISSED_INSTANTS_FORGOTTEN,
          EXPIRED_EFFECT_SENT_AGAIN,
          ALERT_DROPPED,
          REFERENCES_FORGOTTEN,
          CALLS_AT_ONCE_IGNORED ->
          Generator.MIXED;
      case FENCE_NOT_CHECKED,
          ENDED_LEASE_REVIVED,
          RUNS_TAKEN_BEFORE_THE_LEASE_ENDS,
          LEASE_JUDGED_BY_A_FAST_CLOCK,
          RUNS_TAKEN_OVER_BY_TIMESTAMP,
          NODE_TAKES_COMMIT_ERROR_AS_ROLLBACK,
          FAILOVER_IGNORED ->
          Generator.NODES;
      default -> Generator.CORE;
    };
  }

  /** Anew for every seed: some keep state. */
  Mutation mutation() {
    return switch (this) {
      case ACKNOWLEDGES_BEFORE_COMMIT -> new EarlyAnswer();
      case COMMIT_ERROR_TAKEN_AS_ROLLBACK, NODE_TAKES_COMMIT_ERROR_AS_ROLLBACK ->
          new BrokenCommit.TakenAsRollback();
      case FENCE_NOT_CHECKED -> BrokenNodes.withLeases(new BrokenNodes.Unfenced());
      case ENDED_LEASE_REVIVED -> BrokenNodes.withLeases(new BrokenNodes.Revived());
      case RUNS_TAKEN_BEFORE_THE_LEASE_ENDS -> BrokenNodes.withLeases(new BrokenNodes.NotEnded());
      case LEASE_JUDGED_BY_A_FAST_CLOCK ->
          BrokenNodes.withLeases(new BrokenNodes.JudgedByAFastClock());
      case RUNS_TAKEN_OVER_BY_TIMESTAMP -> new BrokenNodes.ByTimestamp();
      case FAILOVER_IGNORED -> new BrokenNodes.WithoutFailovers();
      case BATCH_CHANGED_AFTER_UNKNOWN_COMMIT -> new BrokenCommit.ChangedBatch();
      case RECOVERS_ONLY_ONCE -> new BrokenRecovery.OnlyOnce();
      case RECOVERS_BY_TIMESTAMP -> new BrokenRecovery.ByTimestamp();
      case DOUBT_DROPPED_AT_RECOVERY -> new BrokenRecovery.WithoutDoubts();
      case SECOND_ANSWER_TOLD_IT_DECIDED -> new BrokenFeature.SecondAnswerDecides();
      case ANSWER_ACKNOWLEDGED_BEFORE_COMMIT -> new BrokenFeature.AnswerAcknowledgedFirst();
      case ITEM_HANDLED_AGAIN_AFTER_ITS_END -> new BrokenFeature.ItemEndsForgotten();
      case LOCK_GRANTED_TO_TWO -> new BrokenFeature.LockForEverybody();
      case REUSED_EFFECT_UNDONE_UNASKED -> new BrokenFeature.ReusedUndoneUnasked();
      case UNDONE_EFFECT_STAYS_LOCKED -> new BrokenFeature.UndoneStaysLocked();
      case GATE_IGNORED -> new BrokenDoor.GateIgnored();
      case EVENT_VERSIONS_IGNORED -> new BrokenDoor.VersionsIgnored();
      case MISSED_INSTANTS_FORGOTTEN -> new BrokenDoor.MissedForgotten();
      case EXPIRED_EFFECT_SENT_AGAIN -> new BrokenDoor.TombstoneIgnored();
      case ALERT_DROPPED -> new BrokenDoor.AlertsDropped();
      case REFERENCES_FORGOTTEN -> new BrokenFeature.ReferencesForgotten();
      case CALLS_AT_ONCE_IGNORED ->
          new Mutation() {
            @Override
            public dev.hapax.flow.Destination bears(dev.hapax.flow.Destination destination) {
              return dev.hapax.flow.Destination.of(destination.name());
            }
          };
      case RUN_ID_IN_THE_KEY ->
          new Mutation() {
            @Override
            public String wireKey(String wireKey, String run) {
              return wireKey + run;
            }
          };
      case ATTEMPT_IN_THE_KEY ->
          new Mutation() {
            private final Map<String, Integer> attempts = new HashMap<>();

            @Override
            public String wireKey(String wireKey, String run) {
              return wireKey + attempts.merge(wireKey, 1, Integer::sum);
            }
          };
      case START_IN_THE_KEY ->
          new Mutation() {
            private int starts;

            @Override
            public Store store(Store store) {
              starts++;
              return store;
            }

            @Override
            public String wireKey(String wireKey, String run) {
              return wireKey + starts;
            }
          };
      case ERROR_TAKEN_AS_NOT_APPLIED ->
          new Mutation() {
            @Override
            public String send(Sender sender) throws Exception {
              try {
                return sender.send();
              } catch (IOException e) {
                throw new NotApplied("taken as not applied", e);
              }
            }
          };
      case INTENT_AFTER_SEND -> new LateIntent();
      case OUTCOME_BEFORE_SEND ->
          new Mutation() {
            private int sent;

            @Override
            public String send(Sender sender) throws Exception {
              return ++sent % 5 == 0 ? "\"told before it was done\"" : sender.send();
            }
          };
      case NOT_FOUND_TRUSTED_AT_ONCE -> declaring(it -> it.looksUp() ? hasty(it) : it);
      case DOUBT_RESENT_WITHOUT_GUARD ->
          declaring(
              it ->
                  it.guard() == SimulatedDestination.Guarded.NONE
                      ? it.onDoubt(OnDoubt.REPEAT)
                      : it);
      case KEY_WINDOW_IGNORED -> declaring(it -> it.window(Duration.ofDays(3650)));
      case CLIENT_RESENDS ->
          new Mutation() {
            @Override
            public String send(Sender sender) throws Exception {
              try {
                return sender.send();
              } catch (IOException e) {
                return sender.send();
              }
            }
          };
      case NEW_RELEASE_FOR_A_RUNNING_RUN ->
          new Mutation() {
            private int starts;

            @Override
            public Store store(Store store) {
              starts++;
              return store;
            }

            @Override
            public int codeFor(int release) {
              return starts > 1 ? PlannedFlows.NEWEST : release;
            }
          };
    };
  }

  private static SimulatedDestination hasty(SimulatedDestination it) {
    return it.timeout(Duration.ofMillis(50)).settle(Duration.ofMillis(1));
  }

  private static Mutation declaring(UnaryOperator<SimulatedDestination> change) {
    return new Mutation() {
      @Override
      public SimulatedDestination declared(SimulatedDestination destination) {
        return change.apply(destination);
      }
    };
  }
}
