package dev.hapax.flows.step;

import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.Reach;
import dev.hapax.flows.expression.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of steps in drafts that have no {@code sample}. Nothing was sent, so they are made up
 * from what the file says; if that is not enough, the error names the sample.
 */
public final class MadeUp {
  private static final String OUTPUT = "output";
  private static final int SHOWN_OF_KEY = 8;

  private MadeUp() {}

  /**
   * Returns an output from which the effect's external id can be read.
   *
   * @param usual the output of this kind of step
   * @param key of the effect on the wire
   */
  static @Nullable Object output(StepRun step, @Nullable Object usual, String key) {
    EffectContract effect = step.step().effect();
    List<String> path =
        step.step().sample() != null || effect == null ? null : onlyPath(effect.externalId());
    if (path == null) {
      return usual;
    }
    return with(usual, path.subList(1, path.size()), id("draft-", key));
  }

  /**
   * Returns an output from which this external id can be read.
   *
   * @param origin begins the id
   * @param key of the effect on the wire
   */
  public static @Nullable Object output(
      @Nullable Template externalId, @Nullable Object usual, String origin, String key) {
    List<String> path = onlyPath(externalId);
    return path == null ? usual : with(usual, path.subList(1, path.size()), id(origin, key));
  }

  private static String id(String origin, String key) {
    return origin + key.substring(0, Math.min(SHOWN_OF_KEY, key.length()));
  }

  /** Returns the path that the text reads, if it does nothing else; null otherwise. */
  private static @Nullable List<String> onlyPath(@Nullable Template template) {
    if (template == null) {
      return null;
    }
    Reach reach = template.reach();
    boolean isPath =
        reach.paths().size() == 1
            && reach.functions().isEmpty()
            && template.source().startsWith("${")
            && template.source().endsWith("}");
    List<String> path = isPath ? reach.paths().iterator().next() : List.of();
    return path.size() > 1 && path.getFirst().equals(OUTPUT) ? path : null;
  }

  /** Returns the value with an id at this path, unless there is a value already. */
  private static @Nullable Object with(@Nullable Object value, List<String> path, String id) {
    if (path.isEmpty()) {
      return value == null ? id : value;
    }
    if (value != null && !(value instanceof Map<?, ?>)) {
      return value;
    }
    var members = new LinkedHashMap<String, @Nullable Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.put(String.valueOf(name), member));
    }
    String first = path.getFirst();
    members.put(first, with(members.get(first), path.subList(1, path.size()), id));
    return members;
  }

  /**
   * Returns a failure in a draft that names the samples that are missing, if an expression found no
   * value in an output that is made up.
   *
   * @param steps all steps of the file
   * @param ofOutput the texts of the flow's output
   */
  public static StepFailed explained(
      StepFailed failure, List<FlowStep> steps, Stream<Template> ofOutput) {
    if (!failure.code().equals("expression")) {
      return failure;
    }
    Stream<Template> texts =
        failure.step().equals(OUTPUT)
            ? ofOutput
            : steps.stream()
                .filter(step -> step.id().equals(failure.step()))
                .flatMap(FlowStep::templates);
    Set<String> read =
        texts.flatMap(text -> text.reach().steps().stream()).collect(Collectors.toSet());
    String message = String.valueOf(failure.getMessage());
    var madeUp = new TreeSet<String>();
    for (FlowStep step : steps) {
      boolean isNamed = read.contains(step.id()) && message.contains("steps." + step.id() + ".");
      if (isMadeUp(step) && (isNamed || isOwnId(step, failure.step(), message))) {
        madeUp.add(step.id());
      }
    }
    return madeUp.isEmpty() ? failure : naming(failure, madeUp);
  }

  /** Whether the step's external id could not be read from its own output. */
  private static boolean isOwnId(FlowStep step, String failed, String message) {
    Template id = step.effect() == null ? null : step.effect().externalId();
    return step.id().equals(failed) && id != null && message.contains(id.source());
  }

  private static boolean isMadeUp(FlowStep step) {
    return step.sample() == null
        && (step.kind().childFlow() != null
            || (step.effect() != null && !Guarded.isRead(step.effect())));
  }

  private static StepFailed naming(StepFailed failure, Set<String> madeUp) {
    String names = madeUp.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
    return new StepFailed(
        failure.code(),
        "%s. In a draft nothing is sent, and the output of step %s is made up. Add 'sample' to the step, with the values that are read from its output."
            .formatted(failure.getMessage(), names),
        failure.step(),
        failure.item(),
        failure.retryable());
  }
}
