package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tools that a caller sees. Safe for many threads. */
public interface ToolBox {
  /**
   * A part of the list.
   *
   * @param next the cursor of the next part; null if there is none
   */
  record Part(List<AgentTool> tools, @Nullable String next) {}

  /**
   * Returns a part of the caller's tools.
   *
   * @param cursor null for the first part
   * @throws IllegalArgumentException if the cursor is none of ours
   */
  Part list(Call caller, @Nullable String cursor);

  /** Returns the tool of this name; null if this caller has none. */
  @Nullable AgentTool find(Call caller, String name);
}
