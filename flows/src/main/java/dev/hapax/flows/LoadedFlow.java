package dev.hapax.flows;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.JsonSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow from a file, ready to be registered.
 *
 * @param findings warnings; a file with errors is not loaded
 */
public record LoadedFlow(FlowFile file, Flow<Object, Object> flow, List<Finding> findings) {
  /** Starts a run, durable when this returns; refuses an input that does not fit the schema. */
  public RunHandle<Object> start(Hapax hapax, Object input) {
    return start(hapax, input, null);
  }

  /** As above, with a key for a flow that computes none. */
  public RunHandle<Object> start(Hapax hapax, Object input, @Nullable String key) {
    return hapax.start(flow, fitting(input), key);
  }

  /**
   * The same input if it fits the schema.
   *
   * @throws InvalidInput if it does not
   */
  public Object fitting(Object input) {
    JsonSchema schema = file.input();
    List<String> problems = schema == null ? List.of() : schema.problems(input);
    if (!problems.isEmpty()) {
      throw new InvalidInput(file.name(), problems);
    }
    return input;
  }
}
