package dev.hapax.testkit.simulation;

import dev.hapax.JobRequest;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.json.Json;
import dev.hapax.run.StoredMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of every kind. A person who settles many reviews at once has looked at each of them, at the
 * moment of the request; the job acts later. Replays are planned, and applied by another visit.
 * Another kind of job is another row of the switch.
 */
final class BulkWishes implements JobFeature.BulkWork {
  private static final int KINDS = 10;

  private final Outside outside;
  private final DrawnReplays replays;

  BulkWishes(Outside outside) {
    this.outside = outside;
    this.replays = new DrawnReplays(outside);
  }

  @Override
  public JobRequest draw(Choices choices, String name) {
    return switch (choices.below(KINDS)) {
      case 0 -> JobRequest.cancel(flow(choices), name, "no longer wanted");
      case 1 -> JobRequest.cancelAndCompensate(flow(choices), name, "not wanted at all");
      case 2 -> JobRequest.redeliver(JobSelection.everything(), name);
      case 3 -> settle(SettleDecision.NOT_HAPPENED, name);
      case 4 -> settle(SettleDecision.HAPPENED, name);
      case 5 ->
          JobRequest.settle(
              JobSelection.everything(), SettleDecision.ABANDON, "nobody will know", name);
      case 6, 7 -> replay(choices, name);
      default -> JobRequest.retry(JobSelection.everything(), name);
    };
  }

  /** Of one run with all its corrections, or of all runs of its flow. */
  private JobRequest replay(Choices choices, String name) {
    List<Run> runs = EndedRuns.of(outside);
    if (runs.isEmpty()) {
      return JobRequest.retry(JobSelection.everything(), name);
    }
    Run run = runs.get(choices.below(runs.size()));
    ReplayWish wish = replays.draw(run).forcing(List.of()); // people force one effect at a time
    boolean isOfOne = wish.input() != null || choices.below(2) == 1;
    JobSelection selection =
        isOfOne ? JobSelection.of(run.id().toString()) : JobSelection.NONE.flow(run.flow());
    return JobRequest.replay(selection, wish, name);
  }

  private static JobSelection flow(Choices choices) {
    return JobSelection.NONE.flow(choices.oneOf("order", "sync", "event", "hurry", "saga"));
  }

  /** All reviews that can be decided so by what the destinations have now. */
  private JobRequest settle(SettleDecision decision, String name) {
    var reviews = EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.REVIEW);
    List<EffectRecord> fitting =
        outside.durable().effects(reviews).stream()
            .filter(row -> !row.key().name().startsWith(StoredMessage.FLOWS))
            .filter(row -> (held(row) != null) == (decision == SettleDecision.HAPPENED))
            .filter(row -> !outside.world().canStillLand(row.wireKey()))
            .toList();
    if (fitting.isEmpty()) {
      return JobRequest.retry(JobSelection.everything(), name);
    }
    EffectRecord first = fitting.getFirst();
    String result = held(first);
    List<EffectRecord> seen =
        decision == SettleDecision.HAPPENED ? List.of(first) : fitting; // the result is its own
    JobRequest request = JobRequest.settle(seen, decision, "seen at the destination", name);
    return result == null || result.equals("null")
        ? request
        : request.with("result", Json.read(result, Object.class));
  }

  private @Nullable String held(EffectRecord row) {
    return outside.world().held(SimulatedDestination.named(row.key().name()), row.wireKey());
  }
}
