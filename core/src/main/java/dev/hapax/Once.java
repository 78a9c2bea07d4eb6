package dev.hapax;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Names;
import dev.hapax.flow.RunContext;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An effect without a flow: {@link #call} happens once per key, no matter how often it is called
 * and when the process dies. Made by {@link Hapax#once}. Safe for many threads.
 *
 * @param <I> the request
 * @param <O> the result
 */
public final class Once<I, O> {
  private static final String FLOW = Names.OWN_FLOWS + "once/";
  private static final String STEP = "send";
  private static final int FINGERPRINT_BYTES = 16;
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final BiFunction<I, Duration, O> caller;

  /**
   * An effect that this function carries out, or finds the result of.
   *
   * @param caller gets the request, and how long it may wait
   */
  Once(BiFunction<I, Duration, O> caller) {
    this.caller = caller;
  }

  /** Returns the flow of an effect: its only step. */
  static <I, O> Flow<I, O> flow(
      String name,
      Class<I> request,
      Class<O> result,
      Function<I, Effect<I>> effect,
      RunContext.RequestSender<I, ? extends O> sender) {
    Function<I, Effect<I>> named = input -> effect.apply(input).name(name);
    return Flow.of(FLOW + Names.effect(name), request, result)
        .key(input -> runKey(named.apply(input), input))
        .body((run, input) -> run.<I, O>effect(STEP, named.apply(input), sender, result));
  }

  /** An update may be wanted again with other content, which then is another run. */
  private static <I> String runKey(Effect<I> effect, I input) {
    if (effect.kind() != Kind.UPDATE) {
      return effect.key();
    }
    byte[] hash = Digest.sha256(CanonicalJson.of(Json.write(input)));
    return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES) + ":" + effect.key();
  }

  /**
   * Carries out the effect and returns its result. Called again with the same request, it returns
   * the recorded result; after a failure it tries again. Throws KeyReused if the key was used with
   * another request, RunFailed if the destination refused or all attempts are used up, and
   * RunInReview if the outcome is unknown and a person must settle it.
   */
  public O call(I request) {
    return call(request, FOR_EVER);
  }

  /** As above; throws RunUnfinished if there is no result in time. The effect goes on. */
  public O call(I request, Duration atMost) {
    return caller.apply(request, atMost);
  }
}
