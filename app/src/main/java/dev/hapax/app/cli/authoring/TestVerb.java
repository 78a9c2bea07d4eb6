package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.JUnitXml;
import dev.hapax.trial.cases.CaseFile;
import dev.hapax.trial.cases.CaseResult;
import dev.hapax.trial.cases.CaseSuite;
import dev.hapax.trial.cases.CaseUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "test",
    description = {
      "Runs the test cases of flows: NAME.test.yaml beside NAME.yaml.",
      "Each case has its own engine and sandbox in memory: no server, no network, no waiting."
    },
    footer = {
      "",
      "Exit code 0: all cases passed; 1: a case failed; 3: a file has errors; 4: there is no such"
          + " folder or case."
    })
public final class TestVerb extends Verb {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = ".",
      description = "A folder, a flow file or a file with cases (${DEFAULT-VALUE}).")
  String place = ".";

  @Option(names = "--only", paramLabel = "NAME", description = "Run cases whose name has this.")
  @Nullable String only;

  @Option(names = "--junit", paramLabel = "FILE", description = "Also write JUnit XML.")
  @Nullable String junit;

  @Option(
      names = "--update",
      description =
          "Write what happens now into the cases, as what is expected. Review the difference.")
  boolean update;

  /** Runs all cases of a folder, for another verb. */
  public static VerbAnswer of(VerbCall call, String folder)
      throws IOException, InterruptedException {
    var verb = new TestVerb();
    verb.place = folder;
    return verb.answer(call);
  }

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException, InterruptedException {
    Path path = found(call);
    Path root =
        Files.isDirectory(path)
            ? path
            : Objects.requireNonNullElse(path.getParent(), path.resolveSibling(""));
    FlowFolder folder = FlowFolder.read(root, Files.isDirectory(path) ? place : parentOf(place));
    var suite = new CaseSuite(folder, FolderConnections.below(root), new TrialTriggers());
    CaseSuite.Outcome outcome = suite.run(tests(folder, path), this::isChosen);
    if (outcome.results().isEmpty()
        && outcome.problems().isEmpty()
        && folder.problems().isEmpty()) {
      throw nothing();
    }
    List<String> written = update ? update(folder, outcome) : List.of();
    if (!written.isEmpty()) {
      outcome = suite.run(tests(folder, path), this::isChosen); // not everything can be expected
    }
    if (junit != null) {
      write(call, junit, JUnitXml.of(junit(folder, outcome)));
    }
    return new TestReport(folder, outcome, written, call.paint()).answer();
  }

  private static void write(VerbCall call, String file, String text) {
    try {
      Files.writeString(call.surroundings().path(file), text);
    } catch (IOException | InvalidPathException e) {
      throw Refusal.of(
          Exit.REFUSED,
          "file-unwritable",
          "cannot write '%s': %s".formatted(file, e.getClass().getSimpleName()));
    }
  }

  private boolean isChosen(String name) {
    return only == null || name.contains(only);
  }

  private Path found(VerbCall call) {
    try {
      Path path = call.surroundings().path(place);
      if (Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      // no file has such a name
    }
    throw Refusal.of(Exit.NOT_FOUND, "not-found", "'%s' does not exist".formatted(place));
  }

  private static String parentOf(String file) {
    Path parent = Path.of(file).getParent();
    return parent == null ? "" : parent.toString();
  }

  private Refusal nothing() {
    return Refusal.of(
            Exit.NOT_FOUND,
            "no-cases",
            only == null
                ? "'%s' has no test cases".formatted(place)
                : "'%s' has no case whose name has '%s'".formatted(place, only))
        .hint("cases of order.yaml are in order.test.yaml beside it; see docs/flows/testing.md");
  }

  private static List<Path> tests(FlowFolder folder, Path path) {
    if (Files.isDirectory(path)) {
      return folder.tests();
    }
    Path file = path.toAbsolutePath().normalize();
    String stem = file.getFileName().toString().replaceFirst("(\\.test)?\\.ya?ml$", "");
    return folder.tests().stream()
        .filter(
            test -> Objects.equals(test.toAbsolutePath().normalize().getParent(), file.getParent()))
        .filter(test -> test.getFileName().toString().matches("\\Q" + stem + "\\E\\.test\\.ya?ml"))
        .toList();
  }

  private static List<String> update(FlowFolder folder, CaseSuite.Outcome outcome) {
    var written = new ArrayList<String>();
    for (CaseFile file : outcome.files()) {
      List<CaseResult> results =
          outcome.results().stream().filter(result -> file.cases().contains(result.of())).toList();
      try {
        if (!results.isEmpty() && new CaseUpdate(file).write(folder, results)) {
          written.add(folder.shown(file.path()));
        }
      } catch (IOException e) {
        throw Refusal.of(Exit.REFUSED, "not-updated", String.valueOf(e.getMessage()))
            .details(Map.of("written", written));
      }
    }
    return written;
  }

  private static List<JUnitXml.Result> junit(FlowFolder folder, CaseSuite.Outcome outcome) {
    var results = new ArrayList<JUnitXml.Result>();
    for (CaseFile file : outcome.files()) {
      file.problems()
          .forEach(
              problem ->
                  results.add(
                      new JUnitXml.Result(
                          folder.shown(file.path()),
                          problem.position().toString(),
                          Duration.ZERO,
                          problem.message() + "\n" + problem.fix())));
    }
    for (CaseResult result : outcome.results()) {
      String failure = result.isPassed() ? null : String.join("\n", result.differences());
      results.add(
          new JUnitXml.Result(
              result.of().position().file(), result.of().name(), result.took(), failure));
    }
    return results;
  }
}
