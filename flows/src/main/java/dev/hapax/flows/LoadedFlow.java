package dev.hapax.flows;

import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Flow;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.flows.yaml.JsonSchema;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A flow from a file, ready to be registered.
 *
 * @param findings warnings; a file with errors is not loaded
 * @param format in which its release was made
 */
public record LoadedFlow(
    FlowFile file, Flow<Object, Object> flow, List<Finding> findings, FlowFormat format) {
  /** Starts a run, durable when this returns; refuses an input that does not fit the schema. */
  public RunHandle<Object> start(Hapax hapax, Object input) {
    return start(hapax, input, null);
  }

  /** As above, with a key for a flow that computes none. */
  public RunHandle<Object> start(Hapax hapax, Object input, @Nullable String key) {
    return start(hapax, input, key, null);
  }

  /** As above, with the caller who starts the run; null if none is known. */
  public RunHandle<Object> start(
      Hapax hapax, Object input, @Nullable String key, @Nullable Caller caller) {
    return hapax.start(flow, fitting(input), key, caller);
  }

  /**
   * Returns the input if it fits the schema.
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

  /**
   * Answers a callback of one of its runs; a value that does not fit the step's schema decides
   * nothing.
   */
  public Callbacks.Receipt answer(Hapax hapax, String token, @Nullable Object value) {
    Callbacks.Owner owner = hapax.callbacks().owner(token);
    List<String> problems = owner.isOpen() ? problemsOf(owner.step(), value) : List.of();
    if (!problems.isEmpty()) {
      throw new InvalidAnswer(owner.step(), problems);
    }
    return hapax.callbacks().answer(token, value);
  }

  private List<String> problemsOf(String step, @Nullable Object value) {
    return file.allSteps().stream()
        .filter(one -> one.id().equals(step))
        .map(one -> one.kind().answerSchema())
        .flatMap(schema -> schema == null ? Stream.empty() : schema.problems(value).stream())
        .toList();
  }
}
