package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job.
 *
 * @param spec what was asked for
 * @param totals what it has found: {@code items}, and the counts of its kind
 * @param open the items without a result so far
 * @param rate the most items in a second
 * @param appliedBy who let it act; null for a plan
 * @param problem why it failed
 * @param results a page of its items; absent in lists
 * @param next the value of {@code ?after=} for the next page of results; absent after the last one
 */
public record JobView(
    String id,
    String kind,
    String state,
    @JsonRawValue String spec,
    Map<String, Long> totals,
    long done,
    long failed,
    long skipped,
    long open,
    int rate,
    String createdBy,
    @Nullable String appliedBy,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String problem,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Result> results,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String next) {

  /**
   * An item of a job, and what came of it.
   *
   * @param subject the id of a run, an effect or an event
   * @param state open, doing, done, failed or skipped
   * @param problem why it failed or was skipped
   * @param detail what its kind noted about it
   */
  public record Result(
      long position,
      String subject,
      @Nullable String flow,
      @Nullable String key,
      String state,
      @Nullable String problem,
      @Nullable @JsonRawValue String detail,
      @Nullable Instant at) {
    public static Result of(JobItem item) {
      return new Result(
          item.position(),
          item.subject(),
          item.flow(),
          item.key(),
          item.state().word(),
          item.problem(),
          JsonText.raw(item.detail()),
          item.at());
    }

    /** The same item with another detail, as JSON text. */
    Result detail(@Nullable String json) {
      return new Result(position, subject, flow, key, state, problem, json, at);
    }
  }

  /** The corrections of a replay are kept as JSON text, and shown as what the text says. */
  private static String spec(String kept) {
    JsonNode spec = Json.tree(kept);
    if (!(spec.path("wish") instanceof ObjectNode wish)) {
      return kept;
    }
    if (wish.path("input").isString()) {
      wish.set("input", Json.tree(wish.path("input").asString()));
    }
    if (wish.path("outputs") instanceof ObjectNode outputs) {
      for (Map.Entry<String, JsonNode> output : List.copyOf(outputs.properties())) {
        outputs.set(output.getKey(), Json.tree(output.getValue().asString()));
      }
    }
    return Json.write(spec);
  }

  /** Returns the job without its items. */
  public static JobView of(Job job) {
    return of(job, null, null);
  }

  public static JobView of(Job job, @Nullable List<Result> results, @Nullable String next) {
    return new JobView(
        job.id(),
        job.kind(),
        job.state().word(),
        spec(job.spec()),
        job.totals(),
        job.done(),
        job.failed(),
        job.skipped(),
        job.items() - job.done() - job.failed() - job.skipped(),
        job.rate(),
        job.createdBy(),
        job.appliedBy(),
        job.createdAt(),
        job.endedAt(),
        job.problem(),
        results,
        next);
  }
}
