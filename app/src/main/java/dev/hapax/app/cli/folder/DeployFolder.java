package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A folder that is deployed: {@code connections/NAME.yaml}, {@code alerts.yaml}, {@code
 * env/NAME.yaml}, cases in {@code *.test.yaml}, {@code dev.yaml} and {@code stand-in.yaml} for
 * {@code hapax dev}; every other YAML file is a flow.
 *
 * @param flows by file
 * @param connections by name, with the values of the environment
 * @param alerts of the tenant, with the values of the environment; null if there is no file
 * @param cases how many files have cases
 */
record DeployFolder(
    SortedMap<String, String> flows,
    SortedMap<String, Map<String, Object>> connections,
    @Nullable Map<String, Object> alerts,
    EnvironmentFile environment,
    int cases) {
  private static final String CONNECTIONS = "connections/";
  private static final String ENVIRONMENTS = "env/";
  private static final Set<String> DEV = Set.of("dev.yaml", "stand-in.yaml");
  private static final String ALERTS = "alerts.yaml";
  private static final Set<String> SETTINGS = Set.of("settings.yaml", "hapax.yaml");
  private static final Pattern FLOW = Pattern.compile("(?m)^[\"']?flow[\"']?\\s*:");

  /** Reads and checks all files; refuses all problems at once. */
  static DeployFolder read(Path folder, @Nullable String environment) throws IOException {
    var problems = new ArrayList<Finding>();
    SortedMap<String, String> files = FolderFiles.read(folder, problems);
    var flows = new TreeMap<String, String>();
    var connections = new TreeMap<String, Map<String, Object>>();
    Map<String, Object> alerts = null;
    int cases = 0;
    for (Map.Entry<String, String> file : files.entrySet()) {
      String name = file.getKey();
      if (name.startsWith(CONNECTIONS)) {
        connection(name, file.getValue(), connections, problems);
      } else if (isCase(name)) {
        cases++;
      } else if (name.equals(ALERTS) && !isFlow(file.getValue())) {
        alerts = YamlForms.read(name, file.getValue(), problems);
      } else if (SETTINGS.contains(name) && !isFlow(file.getValue())) {
        problems.add(
            FolderFiles.problem(
                name,
                "the settings of a server process, such as ports and its store, are not deployed",
                "Remove it here; settings are in the server's own hapax.yaml, in HAPAX_ variables and in flags."));
      } else if (!name.startsWith(ENVIRONMENTS) && !isForDev(name, file.getValue())) {
        flows.put(name, file.getValue());
      }
    }
    check(flows, problems);
    EnvironmentFile values = environment(files, environment, problems);
    values
        .connections()
        .forEach(
            (name, form) ->
                connections.put(
                    name, YamlForms.merged(connections.getOrDefault(name, Map.of()), form)));
    if (!values.alerts().isEmpty()) {
      alerts = YamlForms.merged(alerts == null ? Map.of() : alerts, values.alerts());
    }
    if (!problems.isEmpty()) {
      throw Refusal.of(Exit.REFUSED, "findings", "nothing was sent: the folder has errors")
          .details(Map.of("findings", problems.stream().map(Finding::json).toList()))
          .hint("each finding names its fix");
    }
    if (flows.isEmpty() && connections.isEmpty() && alerts == null) {
      throw Refusal.of(
              Exit.REFUSED, "empty", "'%s' has no flows and no connections".formatted(folder))
          .hint("flows are files such as order.yaml, connections are in connections/NAME.yaml");
    }
    return new DeployFolder(flows, connections, alerts, values, cases);
  }

  /** A flow in a file of this name is deployed, so that none is left out unseen. */
  private static boolean isForDev(String file, String text) {
    return DEV.contains(file) && !isFlow(text);
  }

  private static boolean isFlow(String text) {
    return FLOW.matcher(text).find();
  }

  private static boolean isCase(String file) {
    return file.endsWith(".test.yaml") || file.endsWith(".test.yml");
  }

  private static void connection(
      String file,
      String text,
      Map<String, Map<String, Object>> connections,
      List<Finding> problems) {
    String name = file.substring(CONNECTIONS.length()).replaceFirst("\\.ya?ml$", "");
    if (name.contains("/")) {
      problems.add(
          FolderFiles.problem(
              file, "is in a folder below connections/", "Move it to connections/NAME.yaml."));
      return;
    }
    Map<String, Object> form = YamlForms.read(file, text, problems);
    if (form != null && connections.put(name, form) != null) {
      problems.add(
          FolderFiles.problem(
              file, "connection '%s' is in two files".formatted(name), "Keep one of them."));
    }
  }

  /** Refuses errors, and two files of one flow: the server could not tell which one is meant. */
  private static void check(SortedMap<String, String> flows, List<Finding> problems) {
    var files = new LinkedHashMap<String, String>();
    flows.forEach(
        (file, text) -> {
          Check.Result checked = Check.check(file, text);
          FlowFile flow = checked.file();
          if (flow == null || checked.hasErrors()) {
            problems.addAll(checked.findings());
            return;
          }
          String other = files.putIfAbsent(flow.name(), file);
          if (other != null) {
            problems.add(
                FolderFiles.problem(
                    file,
                    "flow '%s' is also in %s".formatted(flow.name(), other),
                    "Keep one of them, or give one another name."));
          }
        });
  }

  private static EnvironmentFile environment(
      SortedMap<String, String> files, @Nullable String name, List<Finding> problems) {
    if (name == null) {
      return EnvironmentFile.NONE;
    }
    for (String end : List.of(".yaml", ".yml")) {
      String text = files.get(ENVIRONMENTS + name + end);
      if (text != null) {
        return EnvironmentFile.read(name, ENVIRONMENTS + name + end, text, problems);
      }
    }
    List<String> known =
        files.keySet().stream().filter(file -> file.startsWith(ENVIRONMENTS)).toList();
    throw Refusal.of(
            Exit.NOT_FOUND,
            "environment-not-found",
            "there is no %s%s.yaml".formatted(ENVIRONMENTS, name))
        .hint(known.isEmpty() ? "the folder has no env/ files" : "there are " + known);
  }

  /** Returns the body of a request, without the plan. */
  Map<String, Object> body() {
    var body = new LinkedHashMap<String, Object>();
    if (environment.name() != null) {
      body.put("environment", environment.name());
    }
    if (environment.approval() != null) {
      body.put("approval", environment.approval());
    }
    var sources = new ArrayList<Map<String, String>>();
    flows.forEach(
        (file, text) -> {
          var source = new LinkedHashMap<String, String>();
          source.put("file", file);
          source.put("text", text);
          sources.add(source);
        });
    body.put("flows", sources);
    body.put("connections", connections);
    if (alerts != null) {
      body.put("alerts", alerts);
    }
    return body;
  }
}
