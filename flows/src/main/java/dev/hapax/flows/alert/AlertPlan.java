package dev.hapax.flows.alert;

import dev.hapax.flow.Alert;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who hears of which alert.
 *
 * @param channels of each alert; an alert that is not among them is not sent
 * @param tooLong how long a wait for people or systems may last before it is an alert; null: as the
 *     surroundings say
 * @param window in which alerts with the same cause are gathered; null: as the surroundings say
 */
public record AlertPlan(
    Map<Alert, List<Channel>> channels, @Nullable Duration tooLong, @Nullable Duration window) {
  /** No alerts. */
  public static final AlertPlan NONE = new AlertPlan(Map.of(), null, null);

  /** The usual window. */
  public static final Duration WINDOW = Duration.ofMinutes(10);

  public AlertPlan {
    channels = Map.copyOf(channels);
  }

  public boolean isEmpty() {
    return channels.isEmpty();
  }

  /** Returns all its channels, each once. */
  public Stream<Channel> all() {
    return channels.values().stream().flatMap(List::stream).distinct();
  }

  /** Returns what a flow with this plan does, if the other one is for all flows. */
  public AlertPlan over(AlertPlan forAll) {
    var both = new EnumMap<Alert, List<Channel>>(Alert.class);
    both.putAll(forAll.channels);
    both.putAll(channels);
    return new AlertPlan(
        both, tooLong == null ? forAll.tooLong : tooLong, window == null ? forAll.window : window);
  }
}
