package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Found;
import org.jspecify.annotations.Nullable;

/**
 * Something that a text leads to.
 *
 * @param kind run, effect, event, approval, callback or flow
 * @param by what of it was found, for example key
 * @param exact false if it only begins with the text
 * @param value the text that was found
 * @param next the command that shows it
 */
public record FoundView(
    String kind,
    String by,
    boolean exact,
    String value,
    String id,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String flow,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String status,
    String next) {

  /**
   * Returns it as callers see it.
   *
   * @param flow that it belongs to; null if that is not known any more
   */
  public static FoundView of(Found hit, @Nullable String flow) {
    return switch (hit.what()) {
      case Found.What.OfRun(var run) ->
          of(hit, "run", run.id().toString(), flow, run.status().word(), "runs show");
      case Found.What.OfEffect(var effect) ->
          of(hit, "effect", effect.id(), flow, effect.state().word(), "effects show");
      case Found.What.OfEvent(var event) ->
          of(hit, "event", event.id(), flow, event.outcome().word(), "inbox show");
      case Found.What.OfApproval(var id, var _) ->
          of(hit, "approval", id, flow, null, "approvals show");
      case Found.What.OfCallback(var id, var run) ->
          new FoundView(
              "callback",
              hit.by(),
              hit.isExact(),
              hit.value(),
              id,
              flow,
              null,
              "hapax runs history " + run.id());
    };
  }

  private static FoundView of(
      Found hit,
      String kind,
      String id,
      @Nullable String flow,
      @Nullable String status,
      String verb) {
    return new FoundView(
        kind, hit.by(), hit.isExact(), hit.value(), id, flow, status, "hapax " + verb + " " + id);
  }

  public static FoundView ofFlow(String name, boolean isExact) {
    return new FoundView(
        "flow", "name", isExact, name, name, name, null, "hapax flows show " + name);
  }
}
