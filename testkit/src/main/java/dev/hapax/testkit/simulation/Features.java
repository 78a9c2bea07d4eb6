package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.Observation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The features that one seed uses. A seed with few of them goes deep, one with all goes wide. */
final class Features {
  private final Map<Plan.Does, Feature> all = new EnumMap<>(Plan.Does.class);
  private final List<Plan.Does> drawn = new ArrayList<>();

  /** What the parties outside are made of. */
  record Outside(
      SimulatedStore.Simulated with, Machine machine, UnreliableWorld world, Store durable) {}

  static Features none() {
    return new Features();
  }

  /** A subset, by the choices. */
  static Features draw(Outside outside, Mutation mutation) {
    var features = new Features();
    features.all.put(Plan.Does.BRANCHES, new BranchesFeature());
    features.all.put(Plan.Does.LOOP, new LoopFeature(outside.world()));
    features.all.put(Plan.Does.CALLBACK, new CallbackFeature(outside));
    features.all.put(Plan.Does.APPROVAL, new ApprovalFeature(outside));
    features.all.put(Plan.Does.KV, new KvFeature());
    features.all.put(Plan.Does.LOCK, new LockFeature(outside.world()));
    features.all.put(Plan.Does.CHILD, new ChildFeature());
    features.all.put(Plan.Does.PUBLISH, new OutboxFeature(outside));
    for (Plan.Does does : features.all.keySet()) {
      if (outside.with().choices().below(3) == 1) {
        features.drawn.add(does);
      }
    }
    return features;
  }

  /** For the generator of plans. */
  List<Plan.Does> drawn() {
    return drawn;
  }

  Feature of(Plan.Does does) {
    return Objects.requireNonNull(all.get(does), () -> "no feature does " + does);
  }

  List<Flow<Plan, String>> flows(Feature.Body body) {
    return drawn.stream().flatMap(does -> of(does).flows(body).stream()).toList();
  }

  void opened(Hapax hapax) {
    drawn.forEach(does -> of(does).opened(hapax));
  }

  void begin() {
    drawn.forEach(does -> of(does).begin());
  }

  void finish() {
    drawn.forEach(does -> of(does).finish());
  }

  List<Observation> observations() {
    return drawn.stream().flatMap(does -> of(does).observations().stream()).toList();
  }
}
