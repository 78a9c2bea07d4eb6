package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Words;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.CaseFile;
import dev.hapax.trial.proof.SceneParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The flows that a user wants to prove, their cases, and what is around them. */
record ProofFiles(SceneParts parts, List<FlowFolder.Entry> flows, List<CaseFile> cases) {
  /**
   * Reads a flow file, or all flow files of a folder; refuses files with errors.
   *
   * @param shown what the user calls the place
   */
  static ProofFiles read(Path place, String shown) throws IOException {
    boolean isFolder = Files.isDirectory(place);
    Path root = isFolder ? place : place.resolveSibling(""); // flows beside it may be its children
    FlowFolder folder = FlowFolder.read(root, isFolder ? shown : parentOf(shown));
    List<FlowFolder.Entry> flows =
        folder.flows().values().stream()
            .filter(entry -> isFolder || entry.path().equals(place))
            .sorted(Comparator.comparing(FlowFolder.Entry::path))
            .toList();
    refuseUnreadable(isFolder ? folder.problems() : List.of());
    if (flows.isEmpty()) {
      throw Refusal.of(
              Exit.NOT_FOUND,
              "no-flow",
              isFolder
                  ? "folder '%s' has no flow file".formatted(shown)
                  : "'%s' is not a flow file".formatted(shown))
          .hint("a flow file is YAML, ends in .yaml or .yml, and has a line 'flow: NAME'");
    }
    refuseErrors(flows);
    List<CaseFile> cases =
        flows.stream()
            .flatMap(flow -> beside(flow.path()))
            .map(path -> CaseFile.read(folder, path))
            .toList();
    refuseProblems(cases);
    var parts = new SceneParts(folder, FolderConnections.below(root), new TrialTriggers());
    return new ProofFiles(parts, flows, cases);
  }

  private static String parentOf(String file) {
    Path parent = Path.of(file).getParent();
    return parent == null ? "" : parent.toString();
  }

  private static Stream<Path> beside(Path flow) {
    String name = flow.getFileName().toString();
    String stem = name.substring(0, name.lastIndexOf('.'));
    return Stream.of(".yaml", ".yml")
        .map(end -> flow.resolveSibling(stem + FlowFolder.TEST + end))
        .filter(Files::isRegularFile);
  }

  private static void refuseUnreadable(List<String> problems) {
    if (!problems.isEmpty()) {
      throw Refusal.of(Exit.REFUSED, "file-unreadable", String.join("; ", problems));
    }
  }

  private static void refuseErrors(List<FlowFolder.Entry> flows) {
    List<Finding> errors =
        flows.stream()
            .flatMap(entry -> entry.checked().findings().stream())
            .filter(finding -> finding.level() == Level.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      throw Refusal.of(
              Exit.REFUSED,
              "findings",
              "%s: a flow with errors cannot be proven"
                  .formatted(Words.count(errors.size(), "error")))
          .details(Map.of("findings", errors.stream().map(Finding::json).toList()))
          .hint("hapax check shows each with its place");
    }
  }

  private static void refuseProblems(List<CaseFile> cases) {
    List<String> problems =
        cases.stream()
            .flatMap(file -> file.problems().stream())
            .map(problem -> "%s: %s".formatted(problem.position(), problem.message()))
            .toList();
    if (!problems.isEmpty()) {
      throw Refusal.of(Exit.REFUSED, "case-errors", String.join("; ", problems))
          .hint("hapax test shows each with its place and its fix");
    }
  }
}
