package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import java.util.Map;

/** A tool of an MCP server. Called by many threads at once; it may block. */
public interface AgentTool {
  /** What a tool does, for the figures. */
  enum Kind {
    FLOW,
    READ,
    WRITE,
    ONCE,
    DANGEROUS
  }

  ToolDefinition definition();

  Kind kind();

  /** Whether this caller's token allows what the tool does. */
  boolean isFor(Call caller);

  /** Whether its argument {@code idempotencyKey}, if it is given, is the key of the call. */
  default boolean takesKey() {
    return true;
  }

  /** Returns it as {@code tools/list} shows it. A call that has a key may always be repeated. */
  default Map<String, Object> json() {
    boolean hasKey = kind() == Kind.FLOW || kind() == Kind.ONCE || kind() == Kind.READ;
    ToolDefinition definition = definition();
    return definition.json(hasKey || definition.hints().isIdempotent());
  }

  /** Returns the result; a refusal is a result, too, so that the model learns what to do. */
  ToolResult call(AgentCall call) throws InterruptedException;
}
