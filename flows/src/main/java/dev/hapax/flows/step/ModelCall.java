package dev.hapax.flows.step;

import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.model.ModelTokens;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One call of a model that has ended, for metrics and traces. It names no prompt and no answer.
 *
 * @param outcome of the call: the word for an answer, or the code of the failure
 * @param finish why the model stopped; null without an answer
 * @param answeredBy the model as the provider names it; null if it does not
 */
public record ModelCall(
    String flow,
    String connection,
    ModelDialect dialect,
    String model,
    String outcome,
    @Nullable String finish,
    @Nullable String answeredBy,
    @Nullable ModelTokens tokens,
    @Nullable BigDecimal cost) {}
