package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Makes skeleton flows from workflows of n8n, one for each set of nodes that triggers lead to. */
public final class N8nImport {
  private static final int MOST_WORKFLOWS = 500;

  private final SkeletonNames names = new SkeletonNames();
  private final List<ImportedFlows.Skeleton> flows = new ArrayList<>();
  private final List<ImportDecision> decisions = new ArrayList<>();
  private final String file;

  private N8nImport(String file) {
    this.file = file;
  }

  /**
   * Reads the JSON of a workflow, or of a list of workflows, as n8n exports them.
   *
   * @param file its name, for comments
   * @throws NotImportable if it is something else
   */
  public static ImportedFlows of(String file, String text) {
    JsonNode root;
    try {
      root = Json.tree(text);
    } catch (NotSerializable e) {
      throw new NotImportable(
          "expected JSON as n8n exports it, but it is no JSON, is too deep, or repeats a name");
    }
    var reading = new N8nImport(file);
    if (root.isArray()) {
      if (root.size() > MOST_WORKFLOWS) {
        throw new NotImportable("at most %d workflows at once".formatted(MOST_WORKFLOWS));
      }
      root.forEach(reading::add);
    } else {
      reading.add(root);
    }
    if (reading.flows.isEmpty()) {
      throw new NotImportable("expected a workflow with nodes, found none");
    }
    return new ImportedFlows(List.copyOf(reading.flows), List.copyOf(reading.decisions));
  }

  private void add(JsonNode workflow) {
    var graph = new N8nGraph(workflow);
    var reached = new HashSet<N8nNode>();
    for (Map.Entry<List<N8nNode>, List<N8nNode>> start : starts(graph).entrySet()) {
      flow(workflow, graph, start.getValue(), start.getKey(), reached);
    }
    List<String> lost =
        graph.nodes().stream()
            .filter(node -> !node.isTrigger() && !node.isNote() && !reached.contains(node))
            .map(node -> N8nNotes.place(node.name()))
            .toList();
    if (!lost.isEmpty() && !flows.isEmpty()) {
      notes(flows.getLast().name())
          .add(
              "unreachable-nodes",
              "no trigger leads to %s".formatted(String.join(", ", lost)),
              "Nothing was written for them; add what is needed.");
    }
  }

  /** Triggers that lead to the same nodes start the same flow. */
  private static Map<List<N8nNode>, List<N8nNode>> starts(N8nGraph graph) {
    var starts = new LinkedHashMap<List<N8nNode>, List<N8nNode>>();
    graph.nodes().stream()
        .filter(node -> node.isTrigger() && !node.isDisabled())
        .forEach(
            trigger ->
                starts
                    .computeIfAbsent(graph.output(trigger, 0), _ -> new ArrayList<>())
                    .add(trigger));
    starts.remove(List.of());
    if (starts.isEmpty()) {
      Set<N8nNode> targets = new LinkedHashSet<>();
      graph.nodes().forEach(node -> graph.outputs(node).forEach(targets::addAll));
      List<N8nNode> first =
          graph.nodes().stream()
              .filter(node -> !node.isNote() && !node.isTrigger() && !targets.contains(node))
              .limit(1)
              .toList();
      List<N8nNode> any =
          graph.nodes().stream()
              .filter(node -> !node.isNote() && !node.isTrigger())
              .limit(1)
              .toList();
      List<N8nNode> begin = first.isEmpty() ? any : first;
      if (!begin.isEmpty()) {
        starts.put(begin, new ArrayList<>());
      }
    }
    return starts;
  }

  private void flow(
      JsonNode workflow,
      N8nGraph graph,
      List<N8nNode> triggers,
      List<N8nNode> first,
      Set<N8nNode> reached) {
    String title = workflow.path("name").asString("workflow");
    String name = names.flow(title, "workflow");
    N8nNotes notes = notes(name);
    var made = new N8nTriggers(notes, workflow.path("settings").path("timezone").asString(""));
    var expressions = new N8nExpressions();
    triggers.forEach(trigger -> expressions.now(trigger.name(), made.add(trigger)));
    boolean hasWebhook = triggers.stream().anyMatch(one -> one.kind().equals("webhook"));
    expressions.now("", hasWebhook ? N8nExpressions.WEBHOOK : "input");
    if (triggers.size() > 1) {
      notes.add(
          "several-triggers",
          "%d triggers start this flow, and each gives another input".formatted(triggers.size()),
          "Give each trigger an input of the same form, or make a flow for each.");
    }
    var walk = new N8nWalk(graph, notes);
    List<SkeletonStep> steps = new ArrayList<>(walk.from(first, expressions));
    reached.addAll(walk.written());
    if (steps.isEmpty()) {
      steps.add(SkeletonStep.todo("nothing", "add the steps of this flow"));
    }
    general(graph, made, notes);
    Map<String, Object> flow =
        ordered(
            "flow",
            name,
            "description",
            SkeletonYaml.literal("Imported from n8n: " + N8nNotes.place(title)),
            "key",
            "fingerprint");
    if (!made.triggers().isEmpty()) {
      flow.put("triggers", made.triggers());
    }
    flow.put("steps", steps);
    List<String> head =
        List.of(
            "From a workflow of n8n in %s. What a person must decide is marked TODO or was"
                .formatted(file),
            "printed by 'hapax import'.");
    flows.add(new ImportedFlows.Skeleton(name, SkeletonYaml.of(head, flow)));
  }

  private N8nNotes notes(String flow) {
    return new N8nNotes(flow, decisions);
  }

  private static void general(N8nGraph graph, N8nTriggers made, N8nNotes notes) {
    if (made.triggers().isEmpty()) {
      notes.add(
          "no-key",
          "n8n has no key for a run, so a start that is sent again is another run there",
          "The skeleton hashes the input. Set key to the id of the unit of work, for example ${input.orderId}.");
    }
    notes.add(
        "each-item",
        "n8n runs a node once for each item; a step runs once",
        "Where a node got several items, put its step into forEach.");
    for (String name : graph.doubled()) {
      notes.add(
          "doubled-name",
          "several nodes are named '%s'; only the first was read".formatted(N8nNotes.place(name)),
          "Rename them in n8n and import again.");
    }
  }
}
