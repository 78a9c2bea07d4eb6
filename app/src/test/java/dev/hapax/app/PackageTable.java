package dev.hapax.app;

import static java.util.stream.Collectors.toCollection;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which package may import which: the rules of {@link ArchitectureTest}, and the table of
 * docs/architecture/packages.md read into the same shape.
 *
 * <p>An import is a short name, looked up below the package itself, then beside it, then below
 * {@code dev.hapax}; a name with {@code .*} means the package and those below it; {@code core} and
 * {@code flows} mean all packages of that module, {@code everything} all there are. Two things are
 * understood in every row: all may import {@code time} and {@code json}, and a row outside core
 * that imports anything may import core.
 */
record PackageTable(Map<String, Row> rows) {

  record Row(String module, String name, List<String> imports) {
    boolean importsNone() {
      return imports.equals(List.of("none"));
    }
  }

  /** The table of Hapax. A package that has no row here fails the test, so new ones come here. */
  static final PackageTable HAPAX =
      PackageTable.of(
          row("core", "dev.hapax", "core"),
          row("core", "dev.hapax.flow", "none"),
          row("core", "dev.hapax.run", "flow"),
          row("core", "dev.hapax.run.journal", "run, flow"),
          row("core", "dev.hapax.run.ledger", "journal, flow"),
          row("core", "dev.hapax.run.retention", "ledger, value, journal, run, flow"),
          row("core", "dev.hapax.run.wait", "journal, flow"),
          row("core", "dev.hapax.run.value", "journal, flow"),
          row("core", "dev.hapax.run.start", "journal, run, flow"),
          row("core", "dev.hapax.time", "flow"),
          row("core", "dev.hapax.json", "none"),
          row("core", "dev.hapax.limit", "flow"),
          row("core", "dev.hapax.store", "run.*, flow"),
          row("core", "dev.hapax.resource", "store, run.value, flow"),
          row("core", "dev.hapax.admission", "store, run, flow"),
          row("core", "dev.hapax.effect", "limit, store, run.*, flow"),
          row("core", "dev.hapax.engine.replay", "effect, store, run.*, flow"),
          row("core", "dev.hapax.engine.writing", "replay, effect, store, run.*, flow"),
          row("core", "dev.hapax.engine.code", "run, flow"),
          row("core", "dev.hapax.engine.start", "code, writing, admission, store, run, flow"),
          row(
              "core",
              "dev.hapax.engine.parts",
              "start, writing, replay, effect, limit, resource, store, run.*, flow"),
          row(
              "core",
              "dev.hapax.engine.pass",
              "parts, start, writing, replay, effect, limit, resource, admission, store, run.*,"
                  + " flow"),
          row(
              "core",
              "dev.hapax.engine",
              "pass, parts, start, code, writing, replay, effect, limit, resource, admission,"
                  + " history, store, run.*, flow"),
          row(
              "core",
              "dev.hapax.engine.plan",
              "engine, parts, start, code, pass, replay, effect, resource, admission, store, run.*,"
                  + " flow"),
          row(
              "core",
              "dev.hapax.engine.control",
              "engine, plan, parts, code, replay, resource, store, run.*, flow"),
          row("core", "dev.hapax.job", "engine.control, engine.start, engine, store, run, flow"),
          row("core", "dev.hapax.subject", "engine, store, run.journal, run.ledger, run, flow"),
          row("core", "dev.hapax.history", "run.journal, run.wait, run, flow"),
          row("core", "dev.hapax.export", "store, flow"),
          row("store", "dev.hapax.store.jdbc", "core"),
          row("store", "dev.hapax.store.sqlite", "jdbc"),
          row("store", "dev.hapax.store.postgres", "jdbc"),
          row("store", "dev.hapax.store.destination", "jdbc"),
          row("flows", "dev.hapax.flows", "flows"),
          row("flows", "dev.hapax.flows.expression", "core"),
          row("flows", "dev.hapax.flows.yaml", "expression"),
          row("flows", "dev.hapax.flows.connection", "core"),
          row("flows", "dev.hapax.flows.preset", "yaml, connection, expression"),
          row("flows", "dev.hapax.flows.model", "connection, core"),
          row("flows", "dev.hapax.flows.alert", "yaml, connection, expression"),
          row("flows", "dev.hapax.flows.step", "model, alert, yaml, connection, expression"),
          row("flows", "dev.hapax.flows.trigger", "yaml, expression"),
          row("flows", "dev.hapax.flows.queue", "connection"),
          row(
              "flows",
              "dev.hapax.flows.file",
              "trigger, step, alert, connection, yaml, expression"),
          row(
              "flows",
              "dev.hapax.flows.check",
              "file, trigger, step, alert, connection, yaml, expression"),
          row("flows", "dev.hapax.flows.explain", "file, trigger, step, alert, expression"),
          row("flows", "dev.hapax.flows.interpret", "file, step, expression"),
          row("flows", "dev.hapax.flows.graph", "file, trigger, step, expression"),
          row("flows", "dev.hapax.flows.format", "file, yaml, expression"),
          row("flows", "dev.hapax.flows.skeleton", "trigger, connection"),
          row("connectors", "dev.hapax.connector.kafka", "flows.queue, flows.connection"),
          row("connectors", "dev.hapax.connector.rabbitmq", "flows.queue, flows.connection"),
          row("testkit", "dev.hapax.testkit", "memory"),
          row("testkit", "dev.hapax.testkit.contract", "core"),
          row("testkit", "dev.hapax.testkit.memory", "core"),
          row("testkit", "dev.hapax.testkit.promise", "core"),
          row("testkit", "dev.hapax.testkit.simulation", "memory, promise"),
          row("testkit", "dev.hapax.testkit.fault", "none"),
          row("testkit", "dev.hapax.testkit.mutant", "fault"),
          row("trial", "dev.hapax.trial", "recording, sandbox, testkit, flows"),
          row(
              "trial",
              "dev.hapax.trial.cases",
              "dev.hapax.trial, recording, sandbox, testkit, flows"),
          row(
              "trial",
              "dev.hapax.trial.proof",
              "dev.hapax.trial, cases, recording, sandbox, testkit, flows"),
          row("trial", "dev.hapax.trial.recording", "sandbox, flows"),
          row("trial", "dev.hapax.trial.sandbox", "flows"),
          row("app", "dev.hapax.app", "everything"),
          row("app", "dev.hapax.app.demo", "core"),
          row("app", "dev.hapax.app.config", "flows"),
          row("app", "dev.hapax.app.data", "core"),
          row("app", "dev.hapax.app.wire", "core"),
          row("app", "dev.hapax.app.tls", "none"),
          row("app", "dev.hapax.app.http", "tls, core"),
          row("app", "dev.hapax.app.secret.form", "core, flows"),
          row("app", "dev.hapax.app.secret", "form, outside, http, wire, data, core, flows"),
          row("app", "dev.hapax.app.secret.outside", "core, flows"),
          row("app", "dev.hapax.app.access", "secret.*, http, wire, data, core, flows"),
          row("app", "dev.hapax.app.oidc", "access, config, http, tls, core, flows"),
          row("app", "dev.hapax.app.ui", "http"),
          row("app", "dev.hapax.app.api", "http, wire, core, flows"),
          row("app", "dev.hapax.app.once", "api, http, wire, core, flows"),
          row("app", "dev.hapax.app.observe", "http, core, flows"),
          row("app", "dev.hapax.app.mcp", "mcp.tool, http, core"),
          row("app", "dev.hapax.app.mcp.tool", "dev.hapax.app.http, core, flows"),
          row("app", "dev.hapax.app.release", "data, http, wire, core, flows"),
          row("app", "dev.hapax.app.reconcile", "release, http, wire, core, flows"),
          row(
              "app",
              "dev.hapax.app.deploy",
              "alert, release, secret, secret.form, http, wire, data, core, flows"),
          row("app", "dev.hapax.app.webhook", "release, http, wire, trial, core, flows"),
          row("app", "dev.hapax.app.schedule", "reconcile, release, http, wire, core, flows"),
          row("app", "dev.hapax.app.queue", "release, http, wire, data, trial, core, flows"),
          row("app", "dev.hapax.app.alert", "release, http, data, core, flows"),
          row("app", "dev.hapax.app.cli.output", "core"),
          row("app", "dev.hapax.app.cli.connection", "dev.hapax.app.tls, output"),
          row("app", "dev.hapax.app.cli.verb", "connection, output"),
          row("app", "dev.hapax.app.cli.runs", "verb, connection, output, dev.hapax.app.receipt"),
          row("app", "dev.hapax.app.cli.agent", "verb, connection, output"),
          row("app", "dev.hapax.app.cli.bulk", "verb, connection, output"),
          row(
              "app",
              "dev.hapax.app.cli.authoring",
              "verb, connection, output, dev.hapax.app.webhook, dev.hapax.app.queue,"
                  + " dev.hapax.app.secret.form, trial,"
                  + " trial.cases, trial.proof, flows"),
          row("app", "dev.hapax.app.cli.folder", "verb, connection, output, flows"),
          row("app", "dev.hapax.app.cli.operations", "verb, connection, output, flows"),
          row("app", "dev.hapax.app.cli.dev", "verb, connection, output"),
          row("app", "dev.hapax.app.receipt", "core"),
          row("app", "dev.hapax.app.desk", "receipt, access, http, wire, data, core"),
          row(
              "app",
              "dev.hapax.app.dev",
              "trial.cases, trial.recording, trial.sandbox, cli.connection, cli.output, webhook,"
                  + " secret.form, http, core, flows"),
          row(
              "app",
              "dev.hapax.app.cli",
              "runs, agent, bulk, authoring, folder, operations, verb, connection, output"));

  /** After a name: the package and the packages below it. */
  private static final String BELOW = ".*";

  private static final Set<String> IMPORTED_BY_ALL = Set.of("dev.hapax.time", "dev.hapax.json");

  static PackageTable of(Row... rows) {
    var byName = new LinkedHashMap<String, Row>();
    for (Row row : rows) {
      byName.put(row.name(), row);
    }
    return new PackageTable(byName);
  }

  static Row row(String module, String name, String imports) {
    return new Row(module, name, Arrays.stream(imports.split(",")).map(String::strip).toList());
  }

  boolean holds(String name) {
    return rows.containsKey(name);
  }

  private Row rowOf(String name) {
    Row row = rows.get(name);
    if (row == null) {
      throw new IllegalArgumentException("'" + name + "' has no row in PackageTable.HAPAX");
    }
    return row;
  }

  Set<String> packagesOf(String... modules) {
    return rows.values().stream()
        .filter(row -> List.of(modules).contains(row.module()))
        .map(Row::name)
        .collect(toCollection(TreeSet::new));
  }

  /** Our packages that the given one may import, besides itself. */
  Set<String> importsOf(String name) {
    return importsOf(rowOf(name));
  }

  /** Read from outside, a row is still understood with the modules and names of this table. */
  Set<String> importsOf(Row row) {
    var allowed = new TreeSet<String>();
    if (!row.importsNone()) {
      row.imports().forEach(word -> allowed.addAll(packagesMeantBy(word, row.name())));
      if (!row.module().equals("core")) {
        allowed.addAll(packagesOf("core"));
      }
    }
    IMPORTED_BY_ALL.stream().filter(this::holds).forEach(allowed::add);
    allowed.remove(row.name());
    return allowed;
  }

  /** The packages that a word of a row names. */
  Set<String> packagesMeantBy(String word, String importer) {
    return switch (word) {
      case "none" -> Set.of();
      case "everything" -> rows.keySet();
      case "core", "all of core" -> packagesOf("core");
      case "flows", "all of flows" -> packagesOf("flows");
      default ->
          word.endsWith(BELOW)
              ? packagesFrom(packageCalled(word.replace(BELOW, ""), importer))
              : Set.of(packageCalled(word, importer));
    };
  }

  private Set<String> packagesFrom(String root) {
    return rows.keySet().stream()
        .filter(name -> name.equals(root) || name.startsWith(root + "."))
        .collect(toCollection(TreeSet::new));
  }

  private String packageCalled(String word, String importer) {
    String beside = importer.substring(0, importer.lastIndexOf('.'));
    return Stream.of(word, importer + "." + word, beside + "." + word, "dev.hapax." + word)
        .filter(this::holds)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s imports '%s', which is no package of the table".formatted(importer, word)));
  }

  private static final Pattern MARKDOWN_ROW = Pattern.compile("\\| `([a-z.]+)` \\|.*\\|([^|]+)\\|");

  /**
   * The rows of a markdown document that begin with a package of ours, in the form {@code | package
   * | holds | imports |}: what each may import. Backquotes in the last column are left out.
   */
  Map<String, Set<String>> readMarkdown(String markdown) {
    var found = new TreeMap<String, Set<String>>();
    for (String line : markdown.lines().map(String::strip).toList()) {
      if (!line.startsWith("| `dev.hapax")) {
        continue;
      }
      Matcher cells = MARKDOWN_ROW.matcher(line);
      if (!cells.matches()) {
        throw new IllegalArgumentException(
            "expected '| `dev.hapax.x` | holds | imports |', got '" + line + "'");
      }
      Row ours = rowOf(cells.group(1));
      String imports = cells.group(2).replace("`", "");
      found.put(ours.name(), importsOf(row(ours.module(), ours.name(), imports)));
    }
    return found;
  }
}
