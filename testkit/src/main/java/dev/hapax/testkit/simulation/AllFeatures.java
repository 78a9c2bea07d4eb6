package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;

/** All features that a seed can use. A feature is added here. */
final class AllFeatures {
  private static final int MANY = 7;

  private AllFeatures() {}

  /** Draws a subset by the choices. Each node keeps its own limits of destinations. */
  static Features draw(Generator generator, Outside outside, Mutation mutation) {
    if (generator == Generator.RECOVERY) {
      return RecoveryFeatures.draw(outside, mutation);
    }
    if (generator == Generator.CORE
        || outside.with().swarm().has(Fault.STANDBY_TAKES_OVER)
        || (generator == Generator.NODES && outside.with().choices().below(2) == 0)) {
      return Features.none();
    }
    List<Feature> all =
        List.of(
            new BranchesFeature(),
            new LoopFeature(outside.world()),
            new CallbackFeature(outside),
            new ApprovalFeature(outside),
            new KvFeature(),
            new LockFeature(outside.world()),
            new ChildFeature(),
            new OutboxFeature(outside),
            new CompensationFeature(outside),
            new GateFeature(outside),
            new InboxFeature(outside),
            ScheduleFeature.draw(outside),
            new RetentionFeature(outside, mutation),
            new AlertFeature(outside),
            new ResourceFeature(outside),
            new LimitFeature(outside, mutation),
            new PoisonFeature(outside));
    List<Feature> drawn = new ArrayList<>();
    for (Feature feature : all) {
      boolean fits = generator == Generator.MIXED || !(feature instanceof LimitFeature);
      if (outside.with().choices().below(3) == 1 && fits) {
        drawn.add(feature);
        feature.prepare();
      }
    }
    if (drawn.size() >= MANY) { // draws nothing, so that lists of choices that were kept stay
      drawn.add(new JobFeature(outside));
    }
    return Features.of(drawn, outside.with().choices());
  }
}
