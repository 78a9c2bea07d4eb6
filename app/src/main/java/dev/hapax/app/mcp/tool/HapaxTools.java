package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.flow.Names;
import dev.hapax.flows.file.FlowFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tools of a server: those of Hapax itself, and the caller's exposed flows. */
public final class HapaxTools implements ToolBox {
  private static final int FLOWS_AT_ONCE = 200;
  private static final String AFTER = "after:";

  private final AgentRoutes routes;
  private final ExposedFlows flows;
  private final Map<String, AgentTool> own = new LinkedHashMap<>();

  /** Finds the flows of a tenant. */
  public interface ExposedFlows {
    /** Returns the file of the live release; null if there is none. */
    @Nullable FlowFile live(String tenant, String flow);

    /** Returns the names of at most this many flows after a name, in order. */
    List<String> names(String tenant, @Nullable String after, int most);
  }

  /**
   * The tools of a server.
   *
   * @param dangerous the names of dangerous tools that are on
   */
  public HapaxTools(
      AgentRoutes routes, ExposedFlows flows, DraftProver prover, Set<String> dangerous) {
    this.routes = routes;
    this.flows = flows;
    for (AgentTool tool : all(routes, prover)) {
      String name = tool.definition().name();
      if (tool.kind() != AgentTool.Kind.DANGEROUS || dangerous.contains(name)) {
        own.put(name, tool);
      }
    }
  }

  /** Every tool of Hapax; a new one gets a line here. */
  static List<AgentTool> all(AgentRoutes routes, DraftProver prover) {
    return List.of(
        new RunStatusTool(routes),
        new OnceTool(routes),
        new FindTool(routes),
        new ListFlowsTool(routes),
        new GetFlowTool(routes),
        new GetReleaseTool(routes),
        new GetDraftTool(routes),
        new CheckDraftTool(routes),
        new PushDraftTool(routes),
        new RunDraftTool(routes),
        new ProveDraftTool(routes, prover),
        new ListRunsTool(routes),
        new GetRunTool(routes),
        new RunHistoryTool(routes),
        new ExplainRunTool(routes),
        new ListEffectsTool(routes),
        new GetEffectTool(routes),
        new ExplainEffectTool(routes),
        new ListReviewsTool(routes),
        new ListApprovalsTool(routes),
        new GetApprovalTool(routes),
        new ReleaseFlowTool(routes),
        new PromoteFlowTool(routes),
        new RetryRunTool(routes),
        new ResumeRunTool(routes),
        new CancelRunTool(routes),
        new SettleEffectTool(routes),
        new DecideApprovalTool(routes));
  }

  @Override
  public Part list(Call caller, @Nullable String cursor) {
    var found = new ArrayList<AgentTool>();
    if (cursor == null) {
      own.values().stream().filter(tool -> tool.isFor(caller)).forEach(found::add);
    }
    String tenant = caller.actor().tenant();
    List<String> names = flows.names(tenant, after(cursor), FLOWS_AT_ONCE);
    for (String name : names) {
      if (caller.mayUse(name)) { // first: a file that need not be read is not compiled
        AgentTool tool = ofFlow(caller, name);
        if (tool != null) {
          found.add(tool);
        }
      }
    }
    return new Part(found, names.size() < FLOWS_AT_ONCE ? null : AFTER + names.getLast());
  }

  private static @Nullable String after(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    if (!cursor.startsWith(AFTER)) {
      throw new IllegalArgumentException("cursor: expected the nextCursor of the part before");
    }
    return Names.flow(cursor.substring(AFTER.length()));
  }

  @Override
  public @Nullable AgentTool find(Call caller, String name) {
    AgentTool tool = own.get(name);
    if (tool != null) {
      return tool.isFor(caller) ? tool : null;
    }
    String flow = FlowTool.flowName(name);
    return isName(flow) ? ofFlow(caller, flow) : null;
  }

  private static boolean isName(String flow) {
    try {
      Names.flow(flow);
      return true;
    } catch (IllegalArgumentException e) {
      return false; // callers may ask for any text
    }
  }

  private @Nullable AgentTool ofFlow(Call caller, String name) {
    String tenant = caller.actor().tenant();
    FlowFile file = flows.live(tenant, name);
    if (file == null || !file.isTool() || own.containsKey(FlowTool.toolName(name))) {
      return null;
    }
    Function<String, @Nullable FlowFile> others = other -> flows.live(tenant, other);
    var tool = new FlowTool(routes, file, others);
    return tool.isFor(caller) ? tool : null;
  }
}
