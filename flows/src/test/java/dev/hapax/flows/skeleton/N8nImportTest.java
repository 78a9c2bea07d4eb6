package dev.hapax.flows.skeleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A workflow of n8n becomes a flow that check accepts, without its credentials. */
class N8nImportTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("basedir", "."))
          .resolve("src/test/resources/dev/hapax/flows/skeleton");

  @Test
  void a_workflow_is_written_as_the_golden_file_says() throws IOException {
    ImportedFlows imported = of(Files.readString(FOLDER.resolve("orders.n8n.json")));
    var text = new StringBuilder(imported.flows().getFirst().text()).append('\n');
    imported.decisions().forEach(one -> text.append("# ").append(one.json()).append('\n'));
    Path golden = FOLDER.resolve("orders.yaml.txt");
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(golden, text.toString());
    }

    assertThat(Files.readString(golden)).isEqualTo(text.toString());
    assertThat(text.toString()).doesNotContain("hunter2", "of Ann", "9c2b6f6e");
    assertThat(codes(imported))
        .contains(
            "webhook-signature",
            "no-key",
            "expression",
            "credential",
            "connection",
            "guard",
            "node",
            "merge",
            "items",
            "respond",
            "disabled",
            "unreachable-nodes",
            "each-item");
  }

  @Test
  void a_cycle_and_ways_that_join_late_are_decisions() {
    ImportedFlows imported =
        of(
            workflow(
                List.of("a:set", "b:if", "c:set", "d:set", "e:set"),
                Map.of(
                    "a", List.of(List.of("b")),
                    "b", List.of(List.of("c"), List.of("d")),
                    "c", List.of(List.of("a")),
                    "d", List.of(List.of("e")))));

    assertThat(codes(imported)).contains("cycle", "condition");
    assertThat(imported.flows().getFirst().text()).contains("repeat from node 'a'");
  }

  @Test
  void several_ways_after_one_node_are_parallel_branches() {
    ImportedFlows imported =
        of(
            workflow(
                List.of("a:set", "b:set", "c:set", "d:set"),
                Map.of(
                    "a", List.of(List.of("b", "c")),
                    "b", List.of(List.of("d")),
                    "c", List.of(List.of("d")))));

    assertThat(imported.flows().getFirst().text()).contains("parallel:", "branches:");
    assertThat(codes(imported)).contains("parallel");
  }

  @Test
  void an_expression_is_translated_if_it_is_a_path() {
    var expressions = new N8nExpressions();
    expressions.now("Hook", N8nExpressions.WEBHOOK);
    expressions.now("Get", "steps.get.output.body");
    var left = new ArrayList<String>();

    assertThat(expressions.text("=a {{ $json.x.y }} b", left))
        .isEqualTo("a ${steps.get.output.body.x.y} b");
    assertThat(expressions.text("={{ $('Hook').item.json.body[\"order id\"] }}", left))
        .isEqualTo("${input['order id']}");
    assertThat(expressions.text("={{ $node[\"Get\"].json.list[0] }}", left))
        .isEqualTo("${steps.get.output.body.list[0]}");
    assertThat(expressions.text("no ${expression}", left)).isEqualTo("no $${expression}");
    assertThat(left).isEmpty();
    assertThat(expressions.text("={{ $now }}-{{ $('Hook').item.json.query.x }}", left))
        .isEqualTo("TODO-TODO");
    assertThat(left).containsExactly("$now", "$('Hook').item.json.query.x");
  }

  @Test
  void hostile_files_are_refused_or_harmless() {
    assertThatThrownBy(() -> N8nImport.of("f", "[".repeat(100_000)))
        .isInstanceOf(NotImportable.class);
    assertThatThrownBy(() -> N8nImport.of("f", "{\"nodes\": 1}")).isInstanceOf(NotImportable.class);
    assertThatThrownBy(() -> N8nImport.of("f", "{\"a\":1,\"a\":2}"))
        .isInstanceOf(NotImportable.class);
    assertThatThrownBy(() -> N8nImport.of("f", "7")).isInstanceOf(NotImportable.class);
    assertThatThrownBy(() -> N8nImport.of("f", "[]")).isInstanceOf(NotImportable.class);
    assertThatThrownBy(() -> N8nImport.of("f", "not json")).isInstanceOf(NotImportable.class);
    List<String> names =
        List.of(
            "../../../etc/passwd",
            "CON",
            "",
            "a\nb: c",
            "# x",
            "'\"",
            "${input}",
            "{{",
            "\u0000",
            "x".repeat(40_000),
            "日本語",
            "in",
            "1st",
            "- id: y",
            "\ud83d\ude00");
    for (String name : names) {
      String json =
          Json.write(
              Map.of(
                  "name",
                  name,
                  "nodes",
                  List.of(
                      Map.of("name", name, "type", name, "parameters", Map.of(name, List.of(name))),
                      Map.of("name", name, "type", "n8n-nodes-base.set"),
                      Map.of(
                          "name",
                          name + "2",
                          "type",
                          "n8n-nodes-base.set",
                          "parameters",
                          Map.of(
                              "values",
                              Map.of("string", List.of(Map.of("name", name, "value", name)))))),
                  "connections",
                  Map.of(name, Map.of("main", List.of(List.of(Map.of("node", name + "2")))))));
      ImportedFlows imported = of(json);

      assertThat(imported.flows().getFirst().name()).matches("[a-z0-9][a-z0-9-]{0,60}");
    }
  }

  /** Any graph: cycles, joins, forks, loops, branches inside of branches. */
  @Test
  void any_graph_becomes_a_flow_that_check_accepts() {
    List<String> kinds =
        List.of(
            "set",
            "if",
            "switch",
            "merge",
            "splitInBatches",
            "httpRequest",
            "wait",
            "noOp",
            "code",
            "emailSend",
            "executeWorkflow",
            "webhook",
            "manualTrigger",
            "postgres");
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      var nodes = new ArrayList<String>();
      for (int i = 0; i < 1 + random.nextInt(30); i++) {
        nodes.add("n" + i + ":" + kinds.get(random.nextInt(kinds.size())));
      }
      var ways = new TreeMap<String, List<List<String>>>();
      for (int i = 0; i < nodes.size(); i++) {
        var outputs = new ArrayList<List<String>>();
        for (int output = 0; output < random.nextInt(4); output++) {
          var targets = new ArrayList<String>();
          for (int target = 0; target < random.nextInt(3); target++) {
            targets.add("n" + random.nextInt(nodes.size()));
          }
          outputs.add(targets);
        }
        ways.put("n" + i, outputs);
      }
      String json = workflow(nodes, ways);
      try {
        of(json);
      } catch (NotImportable e) {
        assertThat(e.message()).as(json).contains("found none");
      }
    }
  }

  private static ImportedFlows of(String json) {
    ImportedFlows imported = N8nImport.of("workflow.json", json);
    imported.flows().forEach(CrontabImportTest::demandGood);
    return imported;
  }

  private static String workflow(List<String> nodes, Map<String, List<List<String>>> ways) {
    var all = new ArrayList<Map<String, Object>>();
    for (String node : nodes) {
      String[] parts = node.split(":", 2);
      all.add(
          Map.of(
              "name",
              parts[0],
              "type",
              "n8n-nodes-base." + parts[1],
              "typeVersion",
              3,
              "parameters",
              Map.of(
                  "values",
                  Map.of("string", List.of(Map.of("name", "x", "value", "={{ $json.y }}"))),
                  "method",
                  "POST",
                  "url",
                  "https://a.example/{{ $json.z }}",
                  "path",
                  "hook",
                  "toEmail",
                  "={{ $('n0').item.json.mail }}",
                  "operation",
                  "executeQuery",
                  "query",
                  "DELETE FROM t")));
    }
    var connections = new TreeMap<String, Object>();
    ways.forEach(
        (from, outputs) ->
            connections.put(
                from,
                Map.of(
                    "main",
                    outputs.stream()
                        .map(targets -> targets.stream().map(to -> Map.of("node", to)).toList())
                        .toList())));
    return Json.write(Map.of("name", "generated", "nodes", all, "connections", connections));
  }

  private static Set<String> codes(ImportedFlows imported) {
    var codes = new TreeSet<String>();
    imported.decisions().forEach(decision -> codes.add(decision.code()));
    return codes;
  }
}
