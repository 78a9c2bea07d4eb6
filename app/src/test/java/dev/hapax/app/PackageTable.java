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
 * ARCHITECTURE.md read into the same shape.
 *
 * <p>An import is a short name, looked up below the package itself, then beside it, then below
 * {@code dev.hapax}; {@code core} and {@code flows} mean all packages of that module, {@code
 * everything} all there are. Two things are understood in every row, as in the style guide: all may
 * import {@code time} and {@code json}, and a row outside core that imports anything may import
 * core.
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
          row("core", "dev.hapax.time", "none"),
          row("core", "dev.hapax.json", "none"),
          row("core", "dev.hapax.limit", "flow"),
          row("core", "dev.hapax.store", "run, flow"),
          row("core", "dev.hapax.resource", "store, run, flow"),
          row("core", "dev.hapax.kv", "resource, store, run, flow"),
          row("core", "dev.hapax.admission", "store, run, flow"),
          row("core", "dev.hapax.inbox", "engine, admission, store, run, flow"),
          row("core", "dev.hapax.schedule", "engine, admission, store, run, flow"),
          row("core", "dev.hapax.effect", "limit, store, run, flow"),
          row("core", "dev.hapax.engine", "effect, limit, resource, store, run, flow"),
          row("core", "dev.hapax.outbox", "engine, store, run, flow"),
          row("core", "dev.hapax.history", "store, run, flow"),
          row("store", "dev.hapax.store.jdbc", "core"),
          row("store", "dev.hapax.store.sqlite", "jdbc"),
          row("store", "dev.hapax.store.postgres", "jdbc"),
          row("store", "dev.hapax.store.destination", "jdbc"),
          row("flows", "dev.hapax.flows", "flows"),
          row("flows", "dev.hapax.flows.expression", "core"),
          row("flows", "dev.hapax.flows.file", "expression"),
          row("flows", "dev.hapax.flows.connection", "expression"),
          row("flows", "dev.hapax.flows.step", "file, connection, expression"),
          row("flows", "dev.hapax.flows.check", "step, file, connection, expression"),
          row("flows", "dev.hapax.flows.interpret", "step, file, expression"),
          row("flows", "dev.hapax.flows.graph", "file, expression"),
          row("testkit", "dev.hapax.testkit", "memory, simulation"),
          row("testkit", "dev.hapax.testkit.contract", "core"),
          row("testkit", "dev.hapax.testkit.memory", "core"),
          row("testkit", "dev.hapax.testkit.promise", "core"),
          row("testkit", "dev.hapax.testkit.simulation", "memory, promise"),
          row("testkit", "dev.hapax.testkit.fault", "none"),
          row("testkit", "dev.hapax.testkit.mutant", "fault"),
          row("app", "dev.hapax.app", "everything"),
          row("app", "dev.hapax.app.demo", "core"),
          row("app", "dev.hapax.app.config", "flows"),
          row("app", "dev.hapax.app.data", "core"),
          row("app", "dev.hapax.app.wire", "core"),
          row("app", "dev.hapax.app.http", "core"),
          row("app", "dev.hapax.app.secret", "http, wire, data, core, flows"),
          row("app", "dev.hapax.app.access", "secret, http, wire, data, core, flows"),
          row("app", "dev.hapax.app.api", "http, wire, core, flows"),
          row("app", "dev.hapax.app.observe", "http, core"),
          row("app", "dev.hapax.app.release", "data, http, wire, core, flows"),
          row("app", "dev.hapax.app.webhook", "release, http, wire, core, flows"),
          row("app", "dev.hapax.app.schedule", "release, http, wire, core, flows"),
          row("app", "dev.hapax.app.queue", "http, wire, core, flows"),
          row("app", "dev.hapax.app.mcp", "http, wire, core, flows"),
          row("app", "dev.hapax.app.ui", "http, wire, core, flows"),
          row("app", "dev.hapax.app.cli", "wire, config, flows"));

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

  private Set<String> packagesMeantBy(String word, String importer) {
    return switch (word) {
      case "everything" -> rows.keySet();
      case "core", "all of core" -> packagesOf("core");
      case "flows", "all of flows" -> packagesOf("flows");
      default -> Set.of(packageCalled(word, importer));
    };
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
