package dev.hapax.admission;

import dev.hapax.flow.Caller;
import dev.hapax.flow.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A request to start a run, the same for every way in.
 *
 * @param key from the caller; if the flow computes a key, both must be equal
 * @param otherwise the key of a run for which neither the caller nor its flow has one; null for a
 *     random key
 * @param caller null if none is known
 */
public record StartRequest<I>(
    String tenant,
    Flow<I, ?> flow,
    I input,
    @Nullable String key,
    @Nullable String otherwise,
    @Nullable Caller caller) {

  /** A start by a caller, who may give a key. */
  public static <I> StartRequest<I> byCaller(
      String tenant, Flow<I, ?> flow, I input, @Nullable String key, @Nullable Caller caller) {
    return new StartRequest<>(tenant, flow, input, key, null, caller);
  }

  /** A start by something that has a name itself: an event, or an instant of a schedule. */
  public static <I> StartRequest<I> namedBy(String cause, String tenant, Flow<I, ?> flow, I input) {
    return new StartRequest<>(tenant, flow, input, null, cause, null);
  }
}
