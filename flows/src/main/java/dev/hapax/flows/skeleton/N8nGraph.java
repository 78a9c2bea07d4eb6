package dev.hapax.flows.skeleton;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The nodes of an n8n workflow and the ways between them. */
final class N8nGraph {
  private static final int MOST_NODES = 450;

  private final Map<String, N8nNode> nodes = new LinkedHashMap<>();
  private final Map<N8nNode, List<List<N8nNode>>> outputs = new LinkedHashMap<>();
  private final List<String> doubled = new ArrayList<>();

  N8nGraph(JsonNode workflow) {
    if (!workflow.path("nodes").isArray()) {
      throw new NotImportable(
          "expected a workflow of n8n: a JSON object with 'nodes' and 'connections'");
    }
    if (workflow.path("nodes").size() > MOST_NODES) {
      throw new NotImportable(
          "a workflow has at most %d nodes here, but this one has %,d: split it first"
              .formatted(MOST_NODES, workflow.path("nodes").size()));
    }
    for (JsonNode json : workflow.path("nodes")) {
      String name = json.path("name").asString("");
      if (nodes.putIfAbsent(name, N8nNode.of(name, json)) != null) {
        doubled.add(name);
      }
    }
    nodes.values().forEach(node -> outputs.put(node, outputsOf(workflow, node)));
  }

  private List<List<N8nNode>> outputsOf(JsonNode workflow, N8nNode node) {
    var all = new ArrayList<List<N8nNode>>();
    for (JsonNode output : workflow.path("connections").path(node.name()).path("main")) {
      var targets = new LinkedHashSet<N8nNode>();
      for (JsonNode target : output) {
        N8nNode next = nodes.get(target.path("node").asString(""));
        if (next != null) {
          targets.add(next);
        }
      }
      all.add(List.copyOf(targets));
    }
    return all;
  }

  Collection<N8nNode> nodes() {
    return nodes.values();
  }

  /** Names that several nodes have: n8n finds only one of them. */
  List<String> doubled() {
    return doubled;
  }

  List<N8nNode> output(N8nNode node, int number) {
    List<List<N8nNode>> all = outputs(node);
    return number < all.size() ? all.get(number) : List.of();
  }

  List<List<N8nNode>> outputs(N8nNode node) {
    return Objects.requireNonNull(outputs.get(node));
  }

  /** Returns the nodes that are reached from these, themselves first, the nearest ones before. */
  Set<N8nNode> reachable(List<N8nNode> from, @Nullable N8nNode without) {
    var reached = new LinkedHashSet<N8nNode>();
    Deque<N8nNode> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      N8nNode node = open.poll();
      if (!node.equals(without) && reached.add(node)) {
        outputs(node).forEach(open::addAll);
      }
    }
    return reached;
  }

  /** Returns the first node that all of these ways come to; null if there is none. */
  @Nullable N8nNode join(List<List<N8nNode>> ways, @Nullable N8nNode stop) {
    List<Set<N8nNode>> reached =
        ways.stream().filter(way -> !way.isEmpty()).map(way -> reachable(way, stop)).toList();
    if (reached.size() < 2) {
      return null;
    }
    return reached.getFirst().stream()
        .filter(node -> reached.stream().allMatch(one -> one.contains(node)))
        .findFirst()
        .orElse(null);
  }
}
