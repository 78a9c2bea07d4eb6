package dev.hapax.testkit;

import dev.hapax.testkit.ProofRequests.Name;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries a proof out: one run in which nothing goes wrong, then one for each boundary of it.
 * {@link EffectProof} is the way to it for flows in Java.
 */
public final class Prover {
  /** No single run takes longer than this in real time, and each may take a little. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(2);

  private static final int MOST_PROBLEMS = 200;

  private final Function<ManualTime, ? extends ProofScene> scenes;
  private final ProofLimits limits;
  private final Progress progress;
  private final long begunAt = System.nanoTime();

  /** Hears how far a proof is. Called by several threads. */
  @FunctionalInterface
  public interface Progress {
    Progress NONE = (_, _) -> {};

    void done(int runs, int ofRuns);
  }

  /**
   * @param scenes makes the surroundings of each run, over its time
   */
  public Prover(
      Function<ManualTime, ? extends ProofScene> scenes, ProofLimits limits, Progress progress) {
    this.scenes = scenes;
    this.limits = limits;
    this.progress = progress;
  }

  /** Carries the proof out and returns all that it found. */
  public ProofReport prove() {
    ProofRun undisturbed = run(Disturbance.NONE, null);
    if (!undisturbed.isExpectedEnd() && undisturbed.problems().isEmpty()) {
      undisturbed.note(
          null,
          "the flow does not succeed when nothing goes wrong, it is %s:%s"
              .formatted(undisturbed.status().word(), HistoryText.of(undisturbed.history())));
    }
    if (!undisturbed.problems().isEmpty()) {
      return report(undisturbed, List.of(undisturbed), List.of());
    }
    ProofPlan plan = ProofPlan.of(undisturbed.commits(), undisturbed.requests(), limits);
    List<Disturbance> planned = plan.disturbances();
    var runs = new AtomicReferenceArray<@Nullable ProofRun>(planned.size());
    disturb(planned, undisturbed, runs);
    List<ProofRun> all = new ArrayList<>(List.of(undisturbed));
    List<Disturbance> missed = new ArrayList<>();
    for (int i = 0; i < planned.size(); i++) {
      ProofRun run = runs.get(i);
      if (run == null) {
        missed.add(planned.get(i));
      } else {
        all.add(run);
      }
    }
    List<String> untried = new ArrayList<>(plan.leftOut());
    if (!missed.isEmpty()) {
      untried.add(
          "%,d of %,d boundaries: the %,d seconds were over; the first of them: %s"
              .formatted(
                  missed.size(),
                  planned.size(),
                  Math.max(1, limits.within().toSeconds()),
                  missed.getFirst()));
    }
    return report(undisturbed, all, untried);
  }

  /** Several threads take one disturbance after another until none or no time is left. */
  private void disturb(
      List<Disturbance> planned,
      ProofRun undisturbed,
      AtomicReferenceArray<@Nullable ProofRun> runs) {
    var next = new AtomicInteger();
    var done = new AtomicInteger();
    Runnable work =
        () -> {
          for (int i = next.getAndIncrement(); i < planned.size(); i = next.getAndIncrement()) {
            if (isOver()) {
              return;
            }
            ProofRun run = run(planned.get(i), undisturbed);
            if (run.isCarriedOut()) {
              new ProofComparison(undisturbed, run).carryOut();
            }
            runs.set(i, run);
            progress.done(done.incrementAndGet(), planned.size());
          }
        };
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < Math.min(limits.atOnce(), planned.size()); i++) {
      helpers.add(Thread.ofPlatform().daemon().name("hapax-proof " + i).start(work));
    }
    work.run();
    helpers.forEach(Prover::join);
  }

  private static void join(Thread helper) {
    try {
      helper.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the proof was interrupted", e);
    }
  }

  private boolean isOver() {
    return System.nanoTime() - begunAt > limits.within().toNanos();
  }

  /** The other runs go on, no matter what this one throws. */
  private ProofRun run(Disturbance disturbance, @Nullable ProofRun undisturbed) {
    var run = new ProofRun(disturbance, undisturbed, patience());
    try {
      run.carryOut(scenes);
    } catch (RuntimeException | Error e) {
      run.noteFailure(e);
    }
    return run;
  }

  private Duration patience() {
    return limits.within().compareTo(LEAST_PATIENCE) < 0
        ? LEAST_PATIENCE
        : limits.within().compareTo(PATIENCE) < 0 ? limits.within() : PATIENCE;
  }

  private ProofReport report(ProofRun undisturbed, List<ProofRun> runs, List<String> untried) {
    List<ProofProblem> problems =
        runs.stream().flatMap(run -> run.problems().stream()).limit(MOST_PROBLEMS).toList();
    return new ProofReport(
        undisturbed.flow(),
        undisturbed.status(),
        runs.size(),
        undisturbed.commits(),
        undisturbed.requests().size(),
        runs.stream().mapToInt(ProofRun::reviews).sum(),
        effects(undisturbed, runs),
        problems,
        untried,
        undisturbed.history(),
        Duration.ofNanos(System.nanoTime() - begunAt));
  }

  private static List<ProvenEffect> effects(ProofRun undisturbed, List<ProofRun> runs) {
    Map<String, ProvenEffect> effects = new LinkedHashMap<>();
    for (var first : undisturbed.deeds().entrySet()) {
      ProofRun.Deed deed = first.getValue();
      effects.merge(
          first.getKey().effect(),
          new ProvenEffect(
              first.getKey().effect(),
              deed.guard(),
              1,
              new ProvenEffect.Range(deed.sent(), deed.sent()),
              new ProvenEffect.Range(deed.applied(), deed.applied()),
              new TreeMap<>(),
              0),
          (one, _) -> one.anotherKey());
    }
    for (ProofRun run : runs) {
      for (var deed : run.deeds().entrySet()) {
        Name name = deed.getKey();
        effects.computeIfPresent(name.effect(), (_, effect) -> effect.and(deed.getValue()));
      }
      for (Name name : undisturbed.deeds().keySet()) {
        if (!run.deeds().containsKey(name) && run.isCarriedOut()) {
          effects.computeIfPresent(name.effect(), (_, effect) -> effect.without());
        }
      }
    }
    return List.copyOf(effects.values());
  }
}
