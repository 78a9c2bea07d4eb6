package dev.hapax.trial.cases;

import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.FlowFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/** Runs the cases of a folder, several at a time, each in its own trial. */
public final class CaseSuite {
  private static final int MOST_AT_ONCE = 8;

  private final FlowFolder folder;
  private final Connections connections;
  private final EventDoor door;

  /**
   * What became of all cases.
   *
   * @param files in the order of their names
   * @param results in the order of the files
   * @param coverage of the flows that have cases
   */
  public record Outcome(
      List<CaseFile> files, List<CaseResult> results, List<Coverage.OfFlow> coverage) {
    /** Returns the problems of all files, in their order. */
    public List<FileProblem> problems() {
      return files.stream().flatMap(file -> file.problems().stream()).toList();
    }

    public long failed() {
      return results.stream().filter(result -> !result.isPassed()).count();
    }
  }

  /**
   * Creates the suite of a folder.
   *
   * @param connections that are known; others are made up
   * @param door receives the events of cases
   */
  public CaseSuite(FlowFolder folder, Connections connections, EventDoor door) {
    this.folder = folder;
    this.connections = connections;
    this.door = door;
  }

  /**
   * Runs the cases of these files.
   *
   * @param chosen by the name of the case
   */
  public Outcome run(List<Path> tests, Predicate<String> chosen) throws InterruptedException {
    var coverage = new Coverage();
    List<CaseFile> files = tests.stream().map(path -> CaseFile.read(folder, path)).toList();
    List<TestCase> cases =
        files.stream()
            .flatMap(file -> file.cases().stream())
            .filter(testCase -> chosen.test(testCase.name()))
            .toList();
    List<CaseResult> results = results(cases, coverage);
    List<Coverage.OfFlow> tried =
        cases.stream()
            .map(TestCase::flow)
            .distinct()
            .map(flow -> Objects.requireNonNull(folder.file(flow)))
            .map(coverage::of)
            .toList();
    return new Outcome(files, results, tried);
  }

  private List<CaseResult> results(List<TestCase> cases, Coverage coverage)
      throws InterruptedException {
    int atOnce = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_AT_ONCE);
    try (var threads = Executors.newFixedThreadPool(atOnce)) {
      var running = new ArrayList<Future<CaseResult>>();
      for (TestCase one : cases) {
        running.add(
            threads.submit(() -> new CaseRun(folder, connections, door, one, coverage).run()));
      }
      var results = new ArrayList<CaseResult>();
      for (Future<CaseResult> one : running) {
        results.add(one.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a case could not be run: " + e.getCause(), e);
    }
  }
}
