package dev.hapax.trial.cases;

import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.FieldReader;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.trial.FlowFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cases of one file.
 *
 * @param text of the file; empty if it could not be read
 * @param problems what is wrong with the file or one of its cases; then no case of it runs
 */
public record CaseFile(Path path, String text, List<TestCase> cases, List<FileProblem> problems) {
  private static final int MOST_CASES = 10_000;

  /** Reads a file, and looks for its flow in the folder. */
  public static CaseFile read(FlowFolder folder, Path path) {
    return read(folder, path, path);
  }

  /** As above, for a text that is to become the file of another path. */
  static CaseFile read(FlowFolder folder, Path source, Path path) {
    var problems = new ArrayList<FileProblem>();
    String name = folder.shown(path);
    var start = new Position(name, 1, 1);
    String text;
    try {
      text = FlowFolder.readSmall(source);
    } catch (IOException e) {
      problems.add(
          new FileProblem(
              FileProblem.YAML,
              start,
              "the file " + e.getMessage(),
              "A file of cases is UTF-8 of at most 1 MB."));
      return new CaseFile(path, "", List.of(), problems);
    }
    List<TestCase> cases =
        text.isBlank() ? empty(start, problems) : cases(folder, path, text, problems);
    return new CaseFile(
        path,
        text,
        problems.isEmpty() ? cases : List.of(),
        problems.stream().sorted((a, b) -> a.position().compareTo(b.position())).toList());
  }

  private static List<TestCase> empty(Position start, List<FileProblem> problems) {
    problems.add(
        new FileProblem(FileProblem.YAML, start, "the file is empty", "Begin with 'cases:'."));
    return List.of();
  }

  private static List<TestCase> cases(
      FlowFolder folder, Path path, String text, List<FileProblem> problems) {
    Node root = new Yaml(folder.shown(path), problems).read(text);
    if (root == null) {
      return List.of();
    }
    var reader = new FieldReader(CaseShapes.ALL, new ExpressionCompiler(null, Set.of()), problems);
    Fields file = reader.read(root, CaseShapes.ALL.named(CaseShapes.FILE));
    if (file == null || reader.isIncomplete() || !problems.isEmpty()) {
      return List.of();
    }
    FlowFile flow = flowOf(folder, path, file, problems);
    if (flow == null) {
      return List.of();
    }
    refuseMissingChildren(folder, flow, file.position(), problems);
    List<Fields> all = file.list("cases");
    if (all.size() > MOST_CASES) {
      problems.add(
          new FileProblem(
              FileProblem.SCHEMA,
              file.position("cases"),
              "a file has at most %,d cases".formatted(MOST_CASES),
              "Split it."));
      return List.of();
    }
    refuseEqualNames(all, problems);
    var cases = new ArrayList<TestCase>();
    for (Fields one : all) {
      cases.add(new CaseReader(folder, flow, problems).read(one, cases.size()));
    }
    return cases;
  }

  private static @Nullable FlowFile flowOf(
      FlowFolder folder, Path path, Fields file, List<FileProblem> problems) {
    Position position = file.has("flow") ? file.position("flow") : file.position();
    String name = file.textOrNull("flow");
    FlowFolder.Entry entry = name == null ? beside(folder, path) : folder.flows().get(name);
    if (entry == null) {
      problems.add(missing(folder, path, position, name));
      return null;
    }
    if (entry.checked().file() == null || entry.checked().hasErrors()) {
      problems.add(
          new FileProblem(
              "flow-errors",
              position,
              "the flow in %s has errors".formatted(entry.path().getFileName()),
              "Correct them first: hapax check %s".formatted(folder.shown(entry.path()))));
      return null;
    }
    return entry.checked().file();
  }

  private static void refuseMissingChildren(
      FlowFolder folder, FlowFile flow, Position position, List<FileProblem> problems) {
    for (FlowFolder.Entry entry : folder.with(flow.name())) {
      for (FlowStep step : Objects.requireNonNull(entry.checked().file()).allSteps()) {
        for (String child : step.kind().startedFlows()) {
          if (folder.file(child) == null) {
            problems.add(
                new FileProblem(
                    "unknown-flow",
                    position,
                    "step '%s' runs flow '%s', which is not in this folder or has errors"
                        .formatted(step.id(), child),
                    "Put its file into the folder: children take part in the cases."));
          }
        }
      }
    }
  }

  private static FileProblem missing(
      FlowFolder folder, Path path, Position position, @Nullable String name) {
    if (name != null) {
      return new FileProblem(
          "unknown-flow",
          position,
          "there is no flow '%s' here%s"
              .formatted(name, Suggestion.among(name, folder.flows().keySet())),
          "Name a flow of this folder.");
    }
    String expected = path.getFileName().toString().replace(FlowFolder.TEST + ".", ".");
    List<String> others =
        folder.flows().values().stream()
            .map(entry -> entry.path().getFileName().toString())
            .toList();
    return new FileProblem(
        "unknown-flow",
        position,
        "there is no flow file %s beside it%s"
            .formatted(expected, Suggestion.among(expected, others)),
        "Name the file of cases like the flow file, or add 'flow: NAME' at its top.");
  }

  private static FlowFolder.@Nullable Entry beside(FlowFolder folder, Path path) {
    String name = path.getFileName().toString();
    String stem = name.substring(0, name.lastIndexOf(FlowFolder.TEST + "."));
    FlowFolder.Entry yaml = folder.in(path.resolveSibling(stem + ".yaml"));
    return yaml == null ? folder.in(path.resolveSibling(stem + ".yml")) : yaml;
  }

  private static void refuseEqualNames(List<Fields> cases, List<FileProblem> problems) {
    Map<String, Position> seen = new HashMap<>();
    for (Fields one : cases) {
      Position at = one.position("name");
      Position first = seen.putIfAbsent(one.text("name"), at);
      if (first != null) {
        problems.add(
            new FileProblem(
                "duplicate-name",
                at,
                "case '%s' is already at line %d".formatted(one.text("name"), first.line()),
                "Give each case its own name, which says what it shows."));
      }
    }
  }
}
