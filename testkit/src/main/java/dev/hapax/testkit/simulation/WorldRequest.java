package dev.hapax.testkit.simulation;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.testkit.promise.Sending;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request on its way through the world. */
final class WorldRequest {
  final Instant at;
  final SimulatedDestination destination;
  final Order order;
  final @Nullable EffectRecord intent;

  /** The effect that it undoes, as the store held it when the request left. */
  final @Nullable EffectRecord target;

  Sending.Heard heard = Sending.Heard.NOTHING;
  int copiesUnderWay;
  boolean hasReturned;
  boolean applied;
  @Nullable String result;

  /**
   * The content of a request.
   *
   * @param run who asks
   * @param key the business key
   * @param offered the result that it brings along, if it has one
   */
  record Order(
      String run, String key, String wireKey, @Nullable String content, @Nullable String offered) {}

  WorldRequest(
      Instant at,
      SimulatedDestination destination,
      Order order,
      @Nullable EffectRecord intent,
      @Nullable EffectRecord target) {
    this.at = at;
    this.destination = destination;
    this.order = order;
    this.intent = intent;
    this.target = target;
  }

  Sending toSending() {
    return new Sending(
        at,
        destination.name(),
        order.key(),
        order.run(),
        destination.kind() == Kind.ADDITIVE,
        destination.guardWord(),
        destination.mayRepeat(),
        destination.retry().attempts(),
        order.wireKey(),
        order.content(),
        intent,
        target,
        heard,
        applied,
        result);
  }
}
