package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.Observation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The features that one seed uses. A seed with few of them goes deep, one with all goes wide. */
final class Features {
  private final List<Feature> drawn;
  private final Plan.@Nullable Palette palette;

  private Features(List<Feature> drawn, Plan.@Nullable Palette palette) {
    this.drawn = drawn;
    this.palette = palette;
  }

  static Features none() {
    return new Features(List.of(), null);
  }

  static Features of(List<Feature> drawn, Choices choices) {
    return new Features(drawn, Plan.Palette.draw(choices, stepsOf(drawn)));
  }

  /** Does the same with few destinations, at some of which people often decide. */
  static Features few(List<Feature> drawn, Choices choices) {
    return new Features(drawn, Plan.Palette.few(choices, stepsOf(drawn)));
  }

  private static List<Plan.Does> stepsOf(List<Feature> drawn) {
    return drawn.stream().map(Feature::does).filter(Objects::nonNull).toList();
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

  void cured(String run) {
    drawn.forEach(feature -> feature.cured(run));
  }

  void finish() {
    drawn.forEach(Feature::finish);
  }

  List<Observation> observations() {
    return drawn.stream().flatMap(feature -> feature.observations().stream()).toList();
  }
}
