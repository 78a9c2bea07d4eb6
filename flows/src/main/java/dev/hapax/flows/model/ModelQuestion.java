package dev.hapax.flows.model;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a model is asked, in no provider's words.
 *
 * @param system null if there is no such text
 * @param schema of the answer, reduced; null if any text is an answer
 * @param tools that it has; a conversation in which it used some names them to its end
 * @param canUseTools whether it may use them in this answer
 * @param maxTokens of the answer
 * @param temperature null for the provider's own
 */
public record ModelQuestion(
    String model,
    @Nullable String system,
    List<Turn> turns,
    @Nullable Map<String, Object> schema,
    List<ToolForm> tools,
    boolean canUseTools,
    int maxTokens,
    @Nullable BigDecimal temperature) {}
