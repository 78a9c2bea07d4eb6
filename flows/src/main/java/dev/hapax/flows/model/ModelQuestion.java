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
 * @param maxTokens of the answer
 * @param temperature null for the provider's own
 */
public record ModelQuestion(
    String model,
    @Nullable String system,
    List<Turn> turns,
    @Nullable Map<String, Object> schema,
    List<ToolForm> tools,
    int maxTokens,
    @Nullable BigDecimal temperature) {}
