package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The features of seeds in which people put things right. The features of bodies are few, so that
 * people meet the same runs and effects again and again.
 */
final class RecoveryFeatures {
  private RecoveryFeatures() {}

  static Features draw(Outside outside, Mutation mutation) {
    Choices choices = outside.with().choices();
    List<Feature> drawn = new ArrayList<>();
    for (Feature people :
        List.of(
            new ReplayFeature(outside),
            new ReviewFeature(outside),
            new LedgerFeature(outside),
            new JobFeature(outside, new BulkWishes(outside)))) {
      boolean isIdle = choices.below(people instanceof ReplayFeature ? 8 : 3) == 1;
      if (!isIdle) {
        drawn.add(people);
      }
    }
    for (Feature feature :
        List.of(
            new BranchesFeature(),
            new LoopFeature(outside.world()),
            new ApprovalFeature(outside),
            new ChildFeature(),
            new LockFeature(outside.world()),
            new OutboxFeature(outside),
            new CompensationFeature(outside),
            new GateFeature(outside),
            new RetentionFeature(outside, mutation),
            new AlertFeature(outside))) {
      boolean isLikely = feature instanceof CompensationFeature;
      if (choices.below(isLikely ? 2 : 4) == 1) {
        drawn.add(feature);
        feature.prepare();
      }
    }
    return Features.few(drawn, choices);
  }
}
