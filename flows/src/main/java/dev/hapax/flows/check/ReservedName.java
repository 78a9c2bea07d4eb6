package dev.hapax.flows.check;

import dev.hapax.flow.Names;
import dev.hapax.flows.file.FlowFile;
import java.util.Set;

/** A flow whose name belongs to Hapax itself, as a flow or as a tool; a server refuses the file. */
final class ReservedName implements Rule {
  /** All tools of Hapax, also those that are off; a test of the tools keeps the list complete. */
  private static final Set<String> TOOLS =
      Set.of(
          "cancel_run",
          "check_draft",
          "decide_approval",
          "explain_effect",
          "explain_run",
          "find",
          "get_approval",
          "get_draft",
          "get_effect",
          "get_flow",
          "get_release",
          "get_run",
          "list_approvals",
          "list_effects",
          "list_flows",
          "list_reviews",
          "list_runs",
          "once",
          "promote_flow",
          "prove_draft",
          "push_draft",
          "release_flow",
          "resume_run",
          "retry_run",
          "run_draft",
          "run_history",
          "run_status",
          "settle_effect");

  /** Stands for a slash in the name of a tool. */
  static final String SLASH = "__";

  @Override
  public String id() {
    return "reserved-name";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public boolean appliesToReleases() {
    return false;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (Names.isOwnFlow(flow.name())) {
      report.add(
          flow.position(),
          "flow '%s': names that begin with '%s' are reserved for Hapax"
              .formatted(flow.name(), Names.OWN_FLOWS),
          "Choose another name.");
    }
    if (flow.isTool() && TOOLS.contains(flow.name())) {
      report.add(
          flow.position(),
          "flow '%s': Hapax has a tool with this name, so the flow cannot be one"
              .formatted(flow.name()),
          "Choose another name, or leave 'expose' out.");
    }
    if (flow.isTool() && flow.name().contains(SLASH)) {
      report.add(
          flow.position(),
          "flow '%s': in the name of a tool '%s' stands for '/', so the tool would be that of another flow"
              .formatted(flow.name(), SLASH),
          "Choose another name, or leave 'expose' out.");
    }
  }
}
