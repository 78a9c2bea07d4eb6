package dev.hapax.app.api;

import dev.hapax.flow.Flow;
import dev.hapax.flows.yaml.JsonSchema;
import org.jspecify.annotations.Nullable;

/**
 * What a start of a flow takes.
 *
 * @param computesKey whether the flow computes the key of a run from its input
 * @param schema JSON Schema (2020-12) of the input; null if every input is taken
 */
record InputView(String flow, int release, boolean computesKey, @Nullable Object schema) {
  static InputView of(Startable startable) {
    Flow<?, ?> flow = startable.flow();
    JsonSchema schema = startable.schema();
    return new InputView(
        flow.name(), flow.release(), flow.computesKey(), schema == null ? null : schema.source());
  }
}
