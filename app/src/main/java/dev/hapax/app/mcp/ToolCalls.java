package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.mcp.tool.AgentCall;
import dev.hapax.app.mcp.tool.AgentTool;
import dev.hapax.app.mcp.tool.ToolBox;
import dev.hapax.app.mcp.tool.ToolResult;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Calls tools for both revisions, and counts the calls. Safe for many threads. */
final class ToolCalls {
  private final ToolBox tools;
  private final BiConsumer<AgentTool.Kind, ToolResult.Outcome> watch;

  ToolCalls(ToolBox tools, BiConsumer<AgentTool.Kind, ToolResult.Outcome> watch) {
    this.tools = tools;
    this.watch = watch;
  }

  ToolBox tools() {
    return tools;
  }

  /** Returns the tool that the message names; null if the caller has none of this name. */
  @Nullable AgentTool named(Call call, McpMessage message) {
    return tools.find(call, message.text("name"));
  }

  /** Returns the result; a refusal of ours is one, too. */
  ToolResult call(AgentTool tool, Call call, McpMessage message) throws InterruptedException {
    ToolResult result = carriedOut(tool, call, message);
    watch.accept(tool.kind(), result.outcome());
    return result;
  }

  private static ToolResult carriedOut(AgentTool tool, Call call, McpMessage message)
      throws InterruptedException {
    try {
      String key = CallKey.of(call, message, tool.takesKey());
      var asked = new AgentCall(call, message.arguments(), key);
      call.forgetBody();
      return tool.call(asked);
    } catch (Problem problem) {
      return refused("%s: %s".formatted(problem.name(), problem.detail()));
    } catch (NotFound | NotPossible | IllegalArgumentException e) {
      return refused(String.valueOf(e.getMessage()));
    }
  }

  private static ToolResult refused(String detail) {
    return ToolResult.of("Refused: " + detail, null, true, ToolResult.Outcome.REFUSED);
  }
}
