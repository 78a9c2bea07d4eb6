package dev.hapax.flows.connection;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a provider takes for tokens.
 *
 * @param byModel a name that ends with {@code *} means all names that begin so
 */
public record ModelPrices(Map<String, Price> byModel) {
  public static final ModelPrices NONE = new ModelPrices(Map.of());

  public ModelPrices {
    byModel = Map.copyOf(byModel);
  }

  /**
   * The price of a million tokens.
   *
   * @param cachedInput of those that the provider has cached
   */
  public record Price(BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
    private static final int MILLION = 6;

    /** Returns what these tokens cost, exactly. */
    public BigDecimal of(long inputTokens, long cachedTokens, long outputTokens) {
      BigDecimal whole =
          input
              .multiply(BigDecimal.valueOf(inputTokens - cachedTokens))
              .add(cachedInput.multiply(BigDecimal.valueOf(cachedTokens)))
              .add(output.multiply(BigDecimal.valueOf(outputTokens)))
              .movePointLeft(MILLION);
      return whole.signum() == 0 ? BigDecimal.ZERO : whole.stripTrailingZeros();
    }
  }

  /** Returns the price of the longest name that fits; null if none does. */
  public @Nullable Price of(String model) {
    Price exact = byModel.get(model);
    if (exact != null) {
      return exact;
    }
    return byModel.entrySet().stream()
        .filter(
            entry ->
                entry.getKey().endsWith("*")
                    && model.startsWith(entry.getKey().substring(0, entry.getKey().length() - 1)))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue)
        .orElse(null);
  }
}
