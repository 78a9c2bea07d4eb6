package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.StartOutlook;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Flow;
import dev.hapax.flows.InvalidInput;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A flow as the API starts it: with JSON from a caller. */
public sealed interface Startable {
  static Startable of(LoadedFlow file) {
    return new OfFile(file);
  }

  static <I> Startable of(Flow<I, ?> java) {
    return new OfJava<>(java);
  }

  Flow<?, ?> flow();

  /** Starts a run; it is durable when this returns. */
  RunHandle<?> start(Hapax hapax, Object input, @Nullable String key, Caller caller);

  /** Returns what {@link #start} would do; nothing starts. */
  StartOutlook outlook(Hapax hapax, Object input, @Nullable String key);

  /** Returns the schema of its input; null if it has none. */
  @Nullable JsonSchema schema();

  /** Continues a failed run with a corrected input. */
  void retry(Hapax hapax, String run, String actor, Object corrected);

  /** Returns why this value cannot be the input of a run; empty if its code decides. */
  List<String> inputProblems(Object input);

  /** Returns why this value cannot be the answer that the step waits for; empty if it can. */
  List<String> callbackProblems(String step, @Nullable Object value);

  /** A flow file; its schema says which inputs it takes. */
  record OfFile(LoadedFlow file) implements Startable {
    @Override
    public Flow<?, ?> flow() {
      return file.flow();
    }

    @Override
    public RunHandle<?> start(Hapax hapax, Object input, @Nullable String key, Caller caller) {
      try {
        return file.start(hapax, input, key, caller);
      } catch (InvalidInput e) {
        throw invalid(String.valueOf(e.getMessage()), e.problems());
      } catch (ExpressionFailed e) { // from its key, or its limit's key: nothing has begun
        throw Problem.invalidInput(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public StartOutlook outlook(Hapax hapax, Object input, @Nullable String key) {
      try {
        return hapax.outlook(file.flow(), file.fitting(input), key);
      } catch (InvalidInput e) {
        throw invalid(String.valueOf(e.getMessage()), e.problems());
      } catch (ExpressionFailed e) {
        throw Problem.invalidInput(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public @Nullable JsonSchema schema() {
      return file.file().input();
    }

    @Override
    public void retry(Hapax hapax, String run, String actor, Object corrected) {
      List<String> problems = inputProblems(corrected);
      if (!problems.isEmpty()) {
        throw invalid("the corrected input does not fit " + file.flow(), problems);
      }
      try {
        hapax.retry(run, actor, file.flow(), corrected);
      } catch (ExpressionFailed e) {
        throw Problem.invalidInput(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public List<String> inputProblems(Object input) {
      JsonSchema schema = schema();
      return schema == null ? List.of() : schema.problems(input);
    }

    @Override
    public List<String> callbackProblems(String step, @Nullable Object value) {
      return file.file().allSteps().stream()
          .filter(one -> step.equals(one.id()) || step.endsWith("/" + one.id()))
          .map(one -> one.kind().answerSchema())
          .filter(Objects::nonNull)
          .flatMap(schema -> schema.problems(value).stream())
          .toList();
    }

    private static Problem invalid(String detail, List<String> problems) {
      return Problem.invalidInput(detail).with("problems", problems);
    }
  }

  /** A flow in Java; the class of its input says which inputs it takes. */
  record OfJava<I>(Flow<I, ?> flow) implements Startable {
    @Override
    public RunHandle<?> start(Hapax hapax, Object input, @Nullable String key, Caller caller) {
      return hapax.start(flow, typed(input), key, caller);
    }

    @Override
    public StartOutlook outlook(Hapax hapax, Object input, @Nullable String key) {
      return hapax.outlook(flow, typed(input), key);
    }

    @Override
    public @Nullable JsonSchema schema() {
      return null;
    }

    @Override
    public void retry(Hapax hapax, String run, String actor, Object corrected) {
      hapax.retry(run, actor, flow, typed(corrected));
    }

    private I typed(Object input) {
      return Json.read(Json.write(input), flow.input());
    }

    @Override
    public List<String> inputProblems(Object input) {
      return List.of();
    }

    @Override
    public List<String> callbackProblems(String step, @Nullable Object value) {
      return List.of();
    }
  }
}
