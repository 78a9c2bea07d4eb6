package dev.hapax.app.mcp.tool;

import dev.hapax.app.mcp.tool.ToolResult.Outcome;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says to a model what became of a run and what is safe to do. A doubt is an outcome and no error:
 * a model that sees an error plans the call anew, under another key.
 */
final class RunOutcome {
  /** How long a call waits; clients give up after 30 to 60 seconds. */
  static final int WAIT_SECONDS = 15;

  private final JsonNode run;
  private final boolean wasThere;

  private RunOutcome(JsonNode run, boolean wasThere) {
    this.run = run;
    this.wasThere = wasThere;
  }

  /**
   * The result for a run.
   *
   * @param run as the API shows it
   * @param wasThere whether an earlier call had started it
   */
  static ToolResult of(JsonNode run, boolean wasThere) {
    return new RunOutcome(run, wasThere).result();
  }

  private ToolResult result() {
    ToolResult result = ToolResult.of(sentence(), data(), isError(), outcome());
    return outcome() == Outcome.RUNNING ? result.ofOpenRun(id()) : result;
  }

  private String id() {
    return run.path("id").asString("");
  }

  private String status() {
    return run.path("status").asString("");
  }

  private Outcome outcome() {
    return switch (status()) {
      case "succeeded" -> Outcome.DONE;
      case "review" -> Outcome.REVIEW;
      case "failed", "partial", "compensated", "canceled" -> Outcome.FAILED;
      default -> Outcome.RUNNING;
    };
  }

  private boolean isError() {
    return outcome() == Outcome.FAILED;
  }

  private String sentence() {
    String name = "Run %s of flow '%s'".formatted(id(), run.path("flow").asString(""));
    return switch (outcome()) {
      case DONE ->
          wasThere
              ? "%s succeeded. An earlier call had started it: this is its recorded result, and nothing was done again."
                  .formatted(name)
              : "%s succeeded.".formatted(name);
      case REVIEW ->
          "%s is in review: it is not known whether one of its effects happened. It is not safe to repeat this with another key or other arguments. A person decides, at %s. Report this, and do not try again by yourself."
              .formatted(name, "the page /runs/" + id() + " of the Hapax server");
      case FAILED ->
          "%s ended as %s%s. The same call again gets this result. Do not repeat it with another key: what is done would be done again. After the cause is removed, a person can retry the run; finished work is not repeated."
              .formatted(name, status(), error());
      default ->
          "%s is under way (%s). This is no error, and it goes on by itself. Ask later with run_status {\"run\": \"%s\"}, or repeat this very call: both are safe and start nothing new."
              .formatted(name, status(), id());
    };
  }

  private String error() {
    JsonNode error = run.path("error");
    return error.isObject()
        ? " (%s: %s)".formatted(error.path("code").asString(""), error.path("message").asString(""))
        : "";
  }

  private ObjectNode data() {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("run", id());
    for (String member : new String[] {"flow", "key", "status"}) {
      data.set(member, run.path(member));
    }
    data.put("duplicate", wasThere);
    Preview preview = Preview.of(run.path("output"), Preview.USUAL);
    data.set("output", preview.value());
    if (!preview.isWhole()) {
      data.put(
          "outputNote",
          "a preview of %,d characters: get_run with pointer /output/… shows a part"
              .formatted(preview.bytes()));
    }
    if (run.path("error").isObject()) {
      data.set("error", Preview.of(run.get("error"), Preview.USUAL).value());
    }
    return data;
  }
}
