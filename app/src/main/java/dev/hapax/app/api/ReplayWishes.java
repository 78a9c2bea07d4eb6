package dev.hapax.app.api;

import dev.hapax.JobRequest;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads from a request how runs are to be replayed. */
final class ReplayWishes {
  private static final String LIVE = "live";

  private final StartableFlows flows;

  ReplayWishes(StartableFlows flows) {
    this.flows = flows;
  }

  /** An effect that is to be sent again. */
  record ForceBody(@Nullable String effect, @Nullable String reason) {}

  /** The members of a request that say how runs are replayed. */
  record Wanted(
      @Nullable JsonNode fromStep,
      @Nullable JsonNode release,
      @Nullable JsonNode input,
      @Nullable Map<String, JsonNode> outputs,
      @Nullable List<String> ask,
      @Nullable List<ForceBody> force) {
    boolean isNothing() {
      return fromStep == null
          && release == null
          && input == null
          && outputs == null
          && ask == null
          && force == null;
    }
  }

  /** Of one run: checks the input against its flow. */
  ReplayWish of(Wanted wanted, Run run) {
    Integer release = number(wanted.release());
    if (release == null && wanted.release() != null) {
      Startable live = flows.find(run.tenant(), run.flow());
      if (live == null) {
        throw Problem.invalidInput(
            "release: flow '%s' has no live release; expected a number".formatted(run.flow()));
      }
      release = live.flow().release();
    }
    JsonNode input = wanted.input();
    if (input != null) {
      refuseMisfit(input, run, release == null ? run.release() : release);
    }
    return of(wanted, release);
  }

  /** Adds to the request of a job of many runs how they are replayed. */
  JobRequest with(JobRequest request, Wanted wanted) {
    Integer release = number(wanted.release());
    JobRequest more = request.with("wish", of(wanted, release));
    return wanted.release() != null && release == null ? more.with("release", LIVE) : more;
  }

  private static ReplayWish of(Wanted wanted, @Nullable Integer release) {
    JsonNode from = wanted.fromStep();
    boolean isText = from != null && from.isString();
    String step = from == null ? null : isText ? from.stringValue() : text(from, "step");
    String item = from == null || isText ? null : text(from, "item");
    if (from != null && step == null) {
      throw Problem.invalidInput("fromStep: expected a step, or {step, item}");
    }
    refuseNulls("ask", wanted.ask());
    refuseNulls("force", wanted.force());
    JsonNode input = wanted.input();
    return new ReplayWish(
        step,
        item,
        release,
        input == null ? null : Json.write(input),
        texts(wanted.outputs()),
        wanted.ask() == null ? List.of() : wanted.ask(),
        force(wanted.force()));
  }

  /** JSON lists may hold null. */
  static void refuseNulls(String name, @Nullable List<? extends @Nullable Object> list) {
    if (list != null && list.stream().anyMatch(Objects::isNull)) {
      throw Problem.invalidInput("%s: expected a list without null".formatted(name));
    }
  }

  private static @Nullable String text(JsonNode object, String name) {
    JsonNode value = object.get(name);
    return value == null || !value.isString() ? null : value.stringValue();
  }

  /** Returns the number of the release; null for none, and for the live one. */
  private static @Nullable Integer number(@Nullable JsonNode wanted) {
    if (wanted == null || (wanted.isString() && wanted.stringValue().equals(LIVE))) {
      return null;
    }
    if (wanted.isIntegralNumber() && wanted.canConvertToInt()) {
      return wanted.intValue();
    }
    throw Problem.invalidInput("release: expected a number, or 'live' for the live release");
  }

  private void refuseMisfit(JsonNode input, Run run, int release) {
    Startable flow = flows.find(run.tenant(), run.flow(), release);
    List<String> problems = flow == null ? List.of() : flow.inputProblems(Call.value(input));
    if (!problems.isEmpty()) {
      throw Problem.invalidInput("the corrected input does not fit the flow")
          .with("problems", problems);
    }
  }

  private static Map<String, String> texts(@Nullable Map<String, JsonNode> outputs) {
    var texts = new LinkedHashMap<String, String>();
    if (outputs != null) {
      outputs.forEach(
          (step, output) -> texts.put(step, output == null ? "null" : Json.write(output)));
    }
    return texts;
  }

  private static List<ReplayWish.Force> force(@Nullable List<ForceBody> wanted) {
    return wanted == null
        ? List.of()
        : wanted.stream()
            .map(
                one ->
                    new ReplayWish.Force(
                        Runs.needed("force.effect", one.effect()),
                        Runs.needed("force.reason", one.reason())))
            .toList();
  }
}
