package dev.hapax.flows.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer of a model.
 *
 * @param model that answered, as the provider names it; null if it does not say
 * @param tokens null if the provider does not count them
 */
public record ModelAnswer(
    String text,
    List<WantedTool> calls,
    Finish finish,
    @Nullable String model,
    @Nullable ModelTokens tokens) {
  /** Why the model stopped. */
  public enum Finish {
    STOP("stop"),
    /** It wants to use tools. */
    TOOLS("tools"),
    /** It has used all tokens that it had. */
    LENGTH("length"),
    /** It does not want to answer. */
    REFUSAL("refusal"),
    /** The provider has withheld the answer. */
    FILTER("filter");

    private final String word;

    Finish(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }
}
