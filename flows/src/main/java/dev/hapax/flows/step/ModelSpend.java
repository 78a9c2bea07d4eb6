package dev.hapax.flows.step;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.model.ModelTokens;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The durable account of what model calls cost. A call reserves the most that it can cost before it
 * is made, and is settled afterwards. Safe for many threads, and for several nodes.
 */
public interface ModelSpend {
  /** Counts nothing, for flows that are not registered with an engine. Refuses every budget. */
  ModelSpend NONE =
      new ModelSpend() {
        @Override
        public Reservation reserve(Wish wish) {
          if (!wish.budgets().isEmpty()) {
            throw new Rejected(
                "no-account",
                "a budget needs the durable map: register the flow with FlowFiles.register(hapax,"
                    + " flow). Nothing was sent.");
          }
          return new Reservation(wish, "", 0);
        }

        @Override
        public List<Map<String, Object>> settle(Reservation reservation, Settled settled) {
          return List.of();
        }

        @Override
        public long remember(String run, String place, long value) {
          return value;
        }
      };

  /**
   * A budget that a call must keep to.
   *
   * @param account one of {@link Account}'s that the wish names
   */
  record Budget(Account account, String name, BigDecimal most) {}

  /** What calls are counted by. */
  enum Account {
    RUN,
    FLOW,
    FLOW_DAY,
    CONNECTION_DAY,
    TENANT_DAY
  }

  /**
   * A call that is to be made.
   *
   * @param question its hash: all attempts of the run to get an answer to it are one account, also
   *     those of a retry or a replay. Its earlier attempts are over
   * @param atMost it can cost; null if its price is not known
   */
  record Wish(
      String run,
      String flow,
      String step,
      String question,
      String connection,
      String model,
      @Nullable BigDecimal atMost,
      List<Budget> budgets) {}

  /** The right to make one call. */
  record Reservation(Wish wish, String day, int attempt) {}

  /**
   * What became of a call.
   *
   * @param outcome {@code answered}, or the code of its failure
   * @param cost null if that is unknown: then the reserved amount counts
   * @param tokens null if they are unknown
   */
  record Settled(String outcome, @Nullable BigDecimal cost, @Nullable ModelTokens tokens) {}

  /**
   * Reserves what the call can cost at most.
   *
   * @throws Rejected with {@code budget-exceeded} if a budget does not cover it
   * @throws NotApplied if the store cannot answer now
   */
  Reservation reserve(Wish wish);

  /**
   * Replaces the reserved amount with the real one. If the store cannot answer, the amount stays
   * reserved.
   *
   * @return all attempts of this call, as people see them
   */
  List<Map<String, Object>> settle(Reservation reservation, Settled settled);

  /** Returns what all calls of the tenant may cost on one day; null if that is not limited. */
  default @Nullable BigDecimal tenantPerDay() {
    return null;
  }

  /** Returns the value that the run has remembered for this place; remembers this one if none. */
  long remember(String run, String place, long value);

  /** How long the account of a run or a day is kept after its last change. */
  Duration KEPT = Duration.ofDays(400);
}
