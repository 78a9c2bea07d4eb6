package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns the graph of a workflow into the tree of a flow: each node once, branches inside. */
final class N8nWalk {
  /** Deeper files are refused. */
  private static final int DEEPEST = 8;

  private final N8nGraph graph;
  private final N8nNotes notes;
  private final N8nSteps steps;
  private final SkeletonNames names = new SkeletonNames();
  private final Set<N8nNode> written = new HashSet<>();
  private final Set<N8nNode> open = new HashSet<>();
  private int depth;

  N8nWalk(N8nGraph graph, N8nNotes notes) {
    this.graph = graph;
    this.notes = notes;
    this.steps = new N8nSteps(notes);
  }

  Set<N8nNode> written() {
    return written;
  }

  /** Returns the steps from these nodes on; several of them are parallel branches. */
  List<SkeletonStep> from(List<N8nNode> first, N8nExpressions expressions) {
    var made = new ArrayList<SkeletonStep>();
    follow(made, first, null, expressions);
    return made;
  }

  private void follow(
      List<SkeletonStep> made,
      List<N8nNode> first,
      @Nullable N8nNode stop,
      N8nExpressions expressions) {
    var path = new ArrayList<N8nNode>();
    List<N8nNode> next = first;
    while (!next.isEmpty()) {
      if (next.size() > 1) {
        next = fork(made, next, stop, expressions);
        continue;
      }
      N8nNode node = next.getFirst();
      if (node.equals(stop)) {
        break;
      }
      if (!written.add(node)) {
        made.add(back(node));
        break;
      }
      open.add(node);
      path.add(node);
      next = step(made, node, stop, expressions);
    }
    path.forEach(open::remove);
  }

  /** Adds the step of a node, and returns the nodes that come after it. */
  private List<N8nNode> step(
      List<SkeletonStep> made, N8nNode node, @Nullable N8nNode stop, N8nExpressions expressions) {
    List<N8nNode> after = graph.output(node, 0);
    if (node.isDisabled()) {
      notes.add(
          node,
          "",
          "disabled",
          "the node is disabled, so it was left out",
          "Add it if it is needed.");
      return after;
    }
    if (node.isEmpty()) {
      passOn(node, expressions);
      return after;
    }
    String id = names.step(node.name(), "step");
    if (node.kind().equals("if") || node.kind().equals("switch")) {
      return choice(made, node, id, stop, expressions);
    }
    if (node.isLoop()) {
      return loop(made, node, id, expressions);
    }
    N8nSteps.Made step = steps.of(node, id, expressions);
    made.add(step.step());
    expressions.now(node.name(), step.place());
    for (int i = 1; i < graph.outputs(node).size(); i++) {
      if (!graph.output(node, i).isEmpty()) {
        notes.add(
            node,
            id,
            "outputs",
            "output %d of the node leads to other nodes, which were left out".formatted(i + 1),
            "Add them: onError: continue with a step that has when, or choose.");
      }
    }
    return after;
  }

  private void passOn(N8nNode node, N8nExpressions expressions) {
    if (node.kind().equals("merge")) {
      notes.add(
          node,
          "",
          "merge",
          "the node joins the items of several ways; a flow just goes on, and every step sees all outputs",
          "Where the joined items are used, name the step: ${steps.ID.output}.");
      expressions.now(node.name(), null);
    } else {
      expressions.now(node.name(), expressions.current());
    }
  }

  private SkeletonStep back(N8nNode node) {
    boolean isCycle = open.contains(node);
    String name = N8nNotes.place(node.name());
    String id = names.step((isCycle ? "back to " : "on to ") + node.name(), "step");
    notes.add(
        node,
        id,
        isCycle ? "cycle" : "joined-ways",
        isCycle
            ? "the workflow goes back to node '%s'".formatted(name)
            : "several ways lead to node '%s', and its step is only in the first of them"
                .formatted(name),
        isCycle
            ? "Put the steps in between into repeat: {until: …, maxRounds: …, steps: […]}."
            : "Move the step behind the branches, or make it a flow of its own.");
    return SkeletonStep.todo(
        id, (isCycle ? "repeat from node '%s'" : "go on with node '%s'").formatted(name));
  }

  private List<N8nNode> fork(
      List<SkeletonStep> made,
      List<N8nNode> ways,
      @Nullable N8nNode stop,
      N8nExpressions expressions) {
    List<List<N8nNode>> each = ways.stream().map(List::of).toList();
    N8nNode join = graph.join(each, stop);
    N8nNode first = ways.getFirst();
    String id = names.step("branches", "step");
    notes.add(
        first,
        id,
        "parallel",
        "several nodes follow one; n8n runs their ways one after another, a parallel step runs them together",
        "Keep it if they are independent of each other, else put their steps into one list.");
    var branches = new LinkedHashMap<String, Object>();
    var branchNames = new SkeletonNames();
    for (N8nNode way : ways) {
      List<SkeletonStep> steps = branch(List.of(way), join == null ? stop : join, expressions);
      if (!steps.isEmpty()) {
        branches.put(branchNames.step(way.name(), "branch"), steps);
      }
    }
    if (!branches.isEmpty()) {
      made.add(new SkeletonStep(id).with("parallel", Map.of("branches", branches)));
    }
    expressions.now("", null);
    return join == null ? List.of() : List.of(join);
  }

  private List<N8nNode> choice(
      List<SkeletonStep> made,
      N8nNode node,
      String id,
      @Nullable N8nNode stop,
      N8nExpressions expressions) {
    expressions.now(node.name(), expressions.current());
    List<List<N8nNode>> ways = graph.outputs(node);
    N8nNode join = graph.join(ways, stop);
    List<@Nullable String> conditions = conditions(node, ways.size(), expressions);
    var choices = new ArrayList<Map<String, Object>>();
    boolean isUnknown = false;
    for (int i = 0; i < ways.size(); i++) {
      String condition = i < conditions.size() ? conditions.get(i) : null;
      boolean isLast = i >= conditions.size();
      isUnknown = isUnknown || (!isLast && condition == null);
      List<SkeletonStep> steps = branch(ways.get(i), join == null ? stop : join, expressions);
      if (isLast && !steps.isEmpty()) {
        choices.add(Map.of("otherwise", steps));
        break;
      }
      if (!isLast) {
        List<SkeletonStep> some =
            steps.isEmpty()
                ? List.of(
                    new SkeletonStep(names.step("nothing", "step"))
                        .with("set", Map.of("done", true)))
                : steps;
        choices.add(
            ordered("when", condition == null ? false : "${" + condition + "}", "steps", some));
      }
    }
    if (isUnknown) {
      notes.add(
          node,
          id,
          "condition",
          "a condition of the node was not translated",
          "Write the conditions of step '%s', then remove the step before it that fails."
              .formatted(id));
      made.add(
          SkeletonStep.todo(
                  names.step(id + " todo", "step"),
                  "write the conditions of step '%s'".formatted(id))
              .comment(N8nComment.of(node)));
    }
    if (!choices.isEmpty()) {
      made.add(new SkeletonStep(id).with("choose", choices));
    }
    return join == null ? List.of() : List.of(join);
  }

  /** Returns a condition per output; the outputs behind them are taken otherwise. */
  private static List<@Nullable String> conditions(
      N8nNode node, int outputs, N8nExpressions expressions) {
    var translation = new N8nConditions(expressions);
    var conditions = new ArrayList<@Nullable String>();
    JsonNode parameters = node.parameters();
    if (node.kind().equals("if")) {
      conditions.add(translation.of(parameters.path("conditions"), node.text("combineOperation")));
      return conditions;
    }
    for (JsonNode rule : parameters.path("rules").path("values")) {
      conditions.add(translation.of(rule.path("conditions"), ""));
    }
    for (JsonNode rule : parameters.path("rules").path("rules")) {
      conditions.add(
          translation.comparison(
              parameters.path("value1"),
              rule.path("operation").asString("equal"),
              rule.path("value2")));
    }
    if (conditions.isEmpty() && outputs > 0) {
      conditions.add(null);
    }
    return conditions;
  }

  private List<N8nNode> loop(
      List<SkeletonStep> made, N8nNode node, String id, N8nExpressions expressions) {
    int into = node.loopOutput();
    String items = expressions.current();
    N8nExpressions inside = expressions.inside();
    inside.now(node.name(), "item");
    inside.perItem();
    List<SkeletonStep> body = branch(graph.output(node, into), node, inside);
    notes.add(
        node,
        id,
        "items",
        "the loop takes the items of the node before it; which list that is, only a person knows",
        "Set items to the list and itemKey to the id of an item, for example ${item.id}.");
    if (!body.isEmpty()) {
      String list = items == null || items.equals(N8nExpressions.WEBHOOK) ? "input" : items;
      made.add(
          new SkeletonStep(id)
              .with("forEach", ordered("items", "${" + list + "}", "atOnce", 1, "steps", body))
              .with("itemKey", "${canonical(item)}"));
    }
    expressions.now(node.name(), null);
    return graph.output(node, 1 - into);
  }

  private List<SkeletonStep> branch(
      List<N8nNode> first, @Nullable N8nNode stop, N8nExpressions expressions) {
    var made = new ArrayList<SkeletonStep>();
    if (depth >= DEEPEST && !first.isEmpty()) {
      N8nNode node = first.getFirst();
      String id = names.step("deeper", "step");
      notes.add(
          node,
          id,
          "too-deep",
          "branches are nested more than %d levels deep".formatted(DEEPEST),
          "Make the inner part a flow of its own, and run it with a step of kind flow.");
      made.add(SkeletonStep.todo(id, "move the inner branches into a flow"));
      return made;
    }
    depth++;
    follow(made, first, stop, expressions.inside());
    depth--;
    return made;
  }
}
