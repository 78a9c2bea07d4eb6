package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The features that one seed uses. A seed with few of them goes deep, one with all goes wide. */
final class Features {
  private final List<Feature> drawn = new ArrayList<>();
  private Plan.@Nullable Palette palette;

  /** The parts that the parties outside use. */
  record Outside(
      SimulatedStore.Simulated with, Machines machines, UnreliableWorld world, Store durable) {}

  /** Draws a subset by the choices. Each node keeps its own limits of destinations. */
  static Features draw(Generator generator, Outside outside, Mutation mutation) {
    if (generator == Generator.CORE
        || outside.with().swarm().has(Fault.STANDBY_TAKES_OVER)
        || (generator == Generator.NODES && outside.with().choices().below(2) == 0)) {
      return new Features();
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
            new LimitFeature(outside, mutation));
    var features = new Features();
    for (Feature feature : all) {
      boolean fits = generator == Generator.MIXED || !(feature instanceof LimitFeature);
      if (outside.with().choices().below(3) == 1 && fits) {
        features.drawn.add(feature);
        feature.prepare();
      }
    }
    List<Plan.Does> steps =
        features.drawn.stream().map(Feature::does).filter(Objects::nonNull).toList();
    features.palette = Plan.Palette.draw(outside.with().choices(), steps);
    return features;
  }

  /** Returns the parts that plans are made of; null for those without features. */
  Plan.@Nullable Palette palette() {
    return palette;
  }

  boolean has(Class<? extends Feature> kind) {
    return drawn.stream().anyMatch(kind::isInstance);
  }

  Feature of(Plan.Does does) {
    return drawn.stream().filter(feature -> feature.does() == does).findFirst().orElseThrow();
  }

  List<Flow<Plan, String>> flows(Feature.Body body) {
    return drawn.stream().flatMap(feature -> feature.flows(body).stream()).toList();
  }

  List<Flow<Plan, String>> ownFlows(Feature.Body body) {
    return drawn.stream().flatMap(feature -> feature.ownFlows(body).stream()).toList();
  }

  void opened(Hapax hapax) {
    drawn.forEach(feature -> feature.opened(hapax));
  }

  void begin() {
    drawn.forEach(Feature::begin);
  }

  void finish() {
    drawn.forEach(Feature::finish);
  }

  List<Observation> observations() {
    return drawn.stream().flatMap(feature -> feature.observations().stream()).toList();
  }
}
