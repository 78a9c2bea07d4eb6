package dev.hapax.app;

import dev.hapax.app.mcp.tool.HapaxTools;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.Releases;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.FlowFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The released flow files, as MCP finds those that are tools. */
record ToolFlows(LiveFlows live, Releases releases) implements HapaxTools.ExposedFlows {
  @Override
  public @Nullable FlowFile live(String tenant, String flow) {
    LoadedFlow found = live.findReadable(tenant, flow);
    return found == null ? null : found.file();
  }

  @Override
  public List<String> names(String tenant, @Nullable String after, int most) {
    return releases.flows(tenant, after, most).stream().map(state -> state.name().flow()).toList();
  }
}
