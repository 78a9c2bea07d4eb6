package dev.hapax.trial.proof;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.testkit.ProofLimits;
import dev.hapax.testkit.ProofReport;
import dev.hapax.testkit.Prover;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.CaseFile;
import dev.hapax.trial.cases.TestCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Proves flows of a folder, one after the other, within a time that they share. */
public final class FlowProver {
  private static final int REQUESTS_PER_EFFECT = 12;
  private static final int COMMITS = 100;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final SceneParts parts;
  private final List<CaseFile> cases;
  private final ProofLimits limits;
  private final Progress progress;

  /** Hears how far the proofs are. Called by several threads. */
  @FunctionalInterface
  public interface Progress {
    void at(String flow, int runs, int ofRuns);
  }

  /**
   * @param cases of the flows; they must have no problems
   * @param within how long all proofs may take together
   * @param every whether each request and each commit is disturbed, instead of a choice of them
   */
  public FlowProver(
      SceneParts parts, List<CaseFile> cases, Duration within, boolean every, Progress progress) {
    this(
        parts,
        cases,
        new ProofLimits(
            within,
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            every ? Integer.MAX_VALUE : REQUESTS_PER_EFFECT,
            every ? Integer.MAX_VALUE : COMMITS),
        progress);
  }

  /** A prover without cases that takes one thread, beside other work of its process. */
  public static FlowProver inBackground(SceneParts parts, Duration within) {
    var limits = new ProofLimits(within, 1, REQUESTS_PER_EFFECT, COMMITS);
    return new FlowProver(parts, List.of(), limits, (_, _, _) -> {});
  }

  FlowProver(SceneParts parts, List<CaseFile> cases, ProofLimits limits, Progress progress) {
    this.parts = parts;
    this.cases = List.copyOf(cases);
    this.limits = limits;
    this.progress = progress;
  }

  /** Proves these flows of the folder, each with its cases; they must have no errors. */
  public List<FlowProof> prove(List<FlowFolder.Entry> entries) {
    List<Task> tasks = entries.stream().flatMap(entry -> tasks(entry).stream()).toList();
    long begunAt = System.nanoTime();
    List<FlowProof> proofs = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      Duration left = limits.within().minusNanos(System.nanoTime() - begunAt);
      Duration share = left.dividedBy(tasks.size() - i);
      proofs.add(prove(tasks.get(i), share.compareTo(SHORTEST) < 0 ? SHORTEST : share));
    }
    return proofs;
  }

  /** A flow and what it gets from outside; or the reason why that is not known. */
  private record Task(
      FlowFolder.Entry entry, @Nullable ProofScript script, @Nullable String refusal) {
    FlowFile file() {
      return Objects.requireNonNull(entry.checked().file());
    }
  }

  /** Each case of the flow in which nothing goes wrong; without any, all is made up. */
  private List<Task> tasks(FlowFolder.Entry entry) {
    FlowFile file = Objects.requireNonNull(entry.checked().file());
    List<Task> tasks = new ArrayList<>();
    for (CaseFile cases : cases) {
      for (TestCase one : cases.cases()) {
        if (one.flow().equals(file.name()) && ProofScript.isPlain(one)) {
          tasks.add(new Task(entry, ProofScript.of(file, one), null));
        }
      }
    }
    if (!tasks.isEmpty()) {
      return tasks;
    }
    try {
      return List.of(new Task(entry, ProofScript.madeUp(file), null));
    } catch (NotProvable e) {
      return List.of(new Task(entry, null, e.getMessage()));
    }
  }

  private FlowProof prove(Task task, Duration within) {
    String flow = task.file().name();
    ProofScript script = task.script();
    if (script == null) {
      return FlowProof.refused(flow, shown(task), task.refusal());
    }
    TestCase of = script.testCase();
    var first = new AtomicReference<@Nullable FlowScene>();
    ProofReport report =
        new Prover(
                time -> {
                  var scene = new FlowScene(parts, script, time, first.get());
                  first.compareAndSet(null, scene); // the first run is the undisturbed one
                  return scene;
                },
                limits.within(within),
                (runs, all) -> progress.at(flow, runs, all))
            .prove();
    return FlowProof.of(flow, shown(task), of == null ? null : of.name(), report);
  }

  private String shown(Task task) {
    return parts.folder().shown(task.entry().path());
  }
}
