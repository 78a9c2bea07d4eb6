package dev.hapax.app.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StalePlan;
import dev.hapax.flows.step.EffectLookup;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flow that carries out the repair that a reconciliation has planned, one effect after another.
 * It sends nothing itself: it replays the run of each effect, which forces the effect, and the
 * engine sends it as the next revision. Before that, the effect is looked up once more.
 */
public final class RepairFlow {
  /** No flow file can have this name. */
  public static final String NAME = "hapax.repair";

  static final String REPAIR = "repair";
  private static final int MOST = 100_000;

  private final Function<String, Hapax> tenants;
  private final ReconcileSources sources;
  private final LedgerLookups lookups = new LedgerLookups();
  private final RecordedItems<RepairPlan> plans = new RecordedItems<>(RepairFlow::possibleIn);
  private final Flow<RepairWish, RepairTotals> flow;

  public RepairFlow(Function<String, Hapax> tenants, ReconcileSources sources) {
    this.tenants = tenants;
    this.sources = sources;
    this.flow =
        Flow.of(NAME, RepairWish.class, RepairTotals.class)
            .key(RepairWish::reconciliation)
            .body(this::repair);
  }

  /**
   * What is repaired; the input of the run. A reconciliation is repaired once.
   *
   * @param flow whose effects are sent
   * @param by who asked for it
   */
  public record RepairWish(
      String tenant,
      String reconciliation,
      String flow,
      @Nullable Integer rate,
      String by,
      String reason) {
    /** Returns the wish of a run of this tenant: the run says whose effects are sent. */
    RepairWish of(String owner) {
      return tenant.equals(owner)
          ? this
          : new RepairWish(owner, reconciliation, flow, rate, by, reason);
    }
  }

  /**
   * How many effects have each result.
   *
   * @param replayed their runs send them again
   * @param found they are there by now, and are not sent
   * @param stale something has changed since the plan, and nothing is sent
   * @param refused the engine or the destination refused it, and nothing is sent
   */
  public record RepairTotals(long replayed, long found, long stale, long refused) {
    static final RepairTotals NONE = new RepairTotals(0, 0, 0, 0);

    RepairTotals and(String result) {
      return switch (result) {
        case "replayed" -> new RepairTotals(replayed + 1, found, stale, refused);
        case "found" -> new RepairTotals(replayed, found + 1, stale, refused);
        case "stale" -> new RepairTotals(replayed, found, stale + 1, refused);
        default -> new RepairTotals(replayed, found, stale, refused + 1);
      };
    }
  }

  /**
   * What became of one effect.
   *
   * @param result {@code replayed}, {@code found}, {@code stale} or {@code refused}
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Repaired(String effect, String result, @Nullable String run, @Nullable String problem) {}

  /**
   * How far it has come.
   *
   * @param seq of the last entry of the reconciliation's journal that was looked at
   * @param done how many of its plans are done
   */
  record State(long seq, int done, RepairTotals totals) {}

  /** What one round did; the journal has it. */
  record Round(@Nullable Repaired repaired, @Nullable State next) {}

  /** Returns the flow, to be registered once for all tenants. */
  public Flow<RepairWish, RepairTotals> flow() {
    return flow;
  }

  private RepairTotals repair(RunContext run, RepairWish asked) {
    RepairWish wish = asked.of(run.tenant());
    Hapax hapax = tenants.apply(wish.tenant());
    State end =
        run.repeat(
            "effects",
            MOST,
            (round, _, before) -> {
              State state = before == null ? new State(0, 0, RepairTotals.NONE) : before;
              Round done =
                  round.read(
                      REPAIR,
                      ReconcileFlow.PATIENT,
                      () -> next(hapax, run, round, wish, state),
                      Round.class);
              if (done.next() == null) {
                return Repetition.done(state);
              }
              CallPace.of(wish.rate(), null).rest(round, 1);
              return Repetition.again(done.next());
            },
            State.class);
    return Objects.requireNonNull(end).totals();
  }

  private Round next(Hapax hapax, RunContext run, RunContext round, RepairWish wish, State state)
      throws Exception {
    var place = new RecordedItems.Place(state.seq(), state.done());
    List<RecordedItems.Item<RepairPlan>> left =
        plans.from(hapax, wish.reconciliation(), place, 1).items();
    if (left.isEmpty()) {
      plans.end(wish.reconciliation());
      return new Round(null, null);
    }
    RecordedItems.Place at = left.getFirst().place();
    Repaired repaired = repaired(hapax, run, round, wish, left.getFirst().value());
    return new Round(
        repaired, new State(at.seq(), at.done() + 1, state.totals().and(repaired.result())));
  }

  private static List<RepairPlan> possibleIn(Hapax hapax, HistoryEntry entry) {
    return MissingCheck.plansIn(hapax, entry).stream().filter(RepairPlan::possible).toList();
  }

  /** Repeated without harm: a replay that this repair has begun is not begun again. */
  private Repaired repaired(
      Hapax hapax, RunContext run, RunContext round, RepairWish wish, RepairPlan plan)
      throws Exception {
    String owner = String.valueOf(plan.run());
    String mark = "repair " + run.id();
    if (isReplayed(hapax, owner, mark, plan)) {
      return new Repaired(plan.effect(), "replayed", owner, null);
    }
    var planner = new RepairPlanner(hapax, wish.reconciliation());
    EffectRecord row = planner.unchanged(plan.effect(), plan.revision());
    if (row == null) {
      return stale(plan, "the effect has changed since the plan");
    }
    Repaired hindered = hindrance(hapax, round, wish, plan, row);
    if (hindered != null) {
      return hindered;
    }
    try {
      ReplayPlan now = planner.replay(row, String.valueOf(plan.absent()));
      if (!now.digest().equals(plan.digest())) {
        return stale(plan, "the run has changed since the plan. Reconcile again");
      }
      hapax.replays().apply(now, wish.by(), "%s (%s)".formatted(wish.reason(), mark));
      return new Repaired(plan.effect(), "replayed", owner, null);
    } catch (StalePlan e) {
      return stale(plan, String.valueOf(e.getMessage()));
    } catch (NotPossible e) {
      return new Repaired(plan.effect(), "refused", owner, String.valueOf(e.getMessage()));
    }
  }

  private static Repaired stale(RepairPlan plan, String why) {
    return new Repaired(plan.effect(), "stale", plan.run(), why);
  }

  /** Returns why nothing may be sent; null if the lookup still does not find it. */
  private @Nullable Repaired hindrance(
      Hapax hapax, RunContext round, RepairWish wish, RepairPlan plan, EffectRecord row)
      throws Exception {
    ReconcileWish missed = ReconcileReading.wish(hapax.run(wish.reconciliation()));
    EffectLookup lookup =
        sources.lookup(wish.tenant(), wish.flow(), missed.release(), missed.stepOf(row));
    if (lookup == null) {
      return new Repaired(
          plan.effect(), "refused", plan.run(), "the release that was reconciled has no lookup");
    }
    Map<Long, EffectLookup.Answer> answers =
        lookups.ask(hapax, round, plan.effect(), lookup, wish.flow(), List.of(row));
    return switch (answers.get(row.number())) {
      case EffectLookup.Answer.Absent _ -> null;
      case EffectLookup.Answer.Present _ ->
          new Repaired(plan.effect(), "found", plan.run(), "a lookup found it just now");
      case EffectLookup.Answer.Unasked unasked ->
          new Repaired(plan.effect(), "refused", plan.run(), unasked.why());
      case null -> new Repaired(plan.effect(), "refused", plan.run(), "it was not looked up");
    };
  }

  /** The run's own history says whether this repair has replayed it for this effect. */
  private static boolean isReplayed(Hapax hapax, String owner, String mark, RepairPlan plan) {
    for (HistoryEntry entry : hapax.historyOf(owner)) {
      if (entry.type().equals("replayed")
          && String.valueOf(entry.evidence()).endsWith("(%s)".formatted(mark))
          && Objects.equals(entry.step(), plan.step())
          && Objects.equals(entry.item(), plan.item())) {
        return true;
      }
    }
    return false;
  }
}
