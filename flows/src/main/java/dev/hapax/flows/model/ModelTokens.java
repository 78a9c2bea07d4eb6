package dev.hapax.flows.model;

import java.math.BigDecimal;

/**
 * The tokens of a call.
 *
 * @param input with those that the provider had cached
 * @param cachedInput those of the input that the provider had cached
 */
public record ModelTokens(long input, long cachedInput, long output) {
  /** A larger number is no count, but a way to break sums. */
  private static final long MOST = 1_000_000_000_000L;

  static final BigDecimal MOST_OF_CALL = BigDecimal.valueOf(MOST);

  public static final ModelTokens NONE = new ModelTokens(0, 0, 0);

  /** Bounds what a provider says. */
  public ModelTokens {
    input = bounded(input);
    cachedInput = Math.min(bounded(cachedInput), input);
    output = bounded(output);
  }

  private static long bounded(long count) {
    return Math.clamp(count, 0, MOST);
  }

  public ModelTokens plus(ModelTokens other) {
    return new ModelTokens(
        input + other.input, cachedInput + other.cachedInput, output + other.output);
  }
}
