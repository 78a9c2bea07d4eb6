package dev.hapax.app.api;

import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Job;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a caller may do with jobs: the same as with each of their items. */
final class JobTerms {
  private final StartableFlows flows;

  JobTerms(StartableFlows flows) {
    this.flows = flows;
  }

  /** Refuses a caller that may not do this to a single item either. */
  void refuseOthers(Call call, String kind, String spec) {
    JsonNode tree = Json.tree(spec);
    TokenScope scope = scope(kind, tree.path("filter"));
    if (!call.actor().may(scope)) {
      throw Problem.forbidden(
          "a job '%s' needs a token with the scope %s".formatted(kind, scope.word()));
    }
    boolean corrects = !tree.path("wish").path("outputs").isEmpty();
    if (corrects && !call.actor().may(TokenScope.EFFECTS_SETTLE)) {
      throw Problem.forbidden(
          "outputs: a person who gives the result of a step settles it, which needs a token with the"
              + " scope "
              + TokenScope.EFFECTS_SETTLE.word());
    }
    boolean forces = !tree.path("wish").path("force").isEmpty();
    if (forces && !call.actor().may(TokenScope.EFFECTS_SETTLE)) {
      throw Problem.forbidden(
          "force: a person who sends an effect again decides about it, which needs a token with the"
              + " scope "
              + TokenScope.EFFECTS_SETTLE.word());
    }
  }

  private static TokenScope scope(String kind, JsonNode filter) {
    return switch (kind) {
      case "settle", "reconcile" -> TokenScope.EFFECTS_SETTLE;
      case "delete" -> TokenScope.ADMIN;
      case "redeliver" -> isOfEvents(filter) ? TokenScope.INBOX_WRITE : TokenScope.RUNS_WRITE;
      default -> TokenScope.RUNS_WRITE;
    };
  }

  private static TokenScope readScope(String kind, JsonNode filter) {
    return switch (scope(kind, filter)) {
      case EFFECTS_SETTLE -> TokenScope.EFFECTS_READ;
      case INBOX_WRITE -> TokenScope.INBOX_READ;
      default -> TokenScope.RUNS_READ;
    };
  }

  private static boolean isOfEvents(JsonNode filter) {
    if (filter.hasNonNull("source") || filter.hasNonNull("outcome")) {
      return true;
    }
    for (JsonNode id : filter.path("ids")) {
      if (id.asString("").startsWith("i-")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the flows that the jobs of this caller are limited to; null for all. Labels count as
   * they are now.
   */
  @Nullable List<String> within(Actor actor) {
    FlowLimit limit = actor.flows();
    if (limit.isAll()) {
      return null;
    }
    List<String> names = new ArrayList<>(limit.names());
    limit.labels().forEach(label -> names.addAll(flows.labelled(actor.tenant(), label)));
    return List.copyOf(names);
  }

  /** Whether the caller may see a job: its items, and all flows that it may touch. */
  static boolean maySee(Call call, Job job) {
    JsonNode spec = Json.tree(job.spec());
    if (!call.actor().may(readScope(job.kind(), spec.path("filter")))) {
      return false;
    }
    if (call.actor().flows().isAll()) {
      return true;
    }
    JsonNode within = spec.path("within");
    List<String> names = new ArrayList<>();
    within.forEach(name -> names.add(name.asString("")));
    String flow = spec.path("filter").path("flow").asString("");
    if (!within.isArray() && !flow.isEmpty()) {
      names.add(flow);
    }
    return (within.isArray() || !names.isEmpty())
        && names.stream().allMatch(name -> mayUse(call, name));
  }

  private static boolean mayUse(Call call, String name) {
    if (!name.endsWith("*")) {
      return call.mayUse(name);
    }
    String beginning = name.substring(0, name.length() - 1);
    return call.actor().flows().names().stream()
        .anyMatch(
            own -> own.endsWith("*") && beginning.startsWith(own.substring(0, own.length() - 1)));
  }
}
