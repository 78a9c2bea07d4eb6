package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs your flow many times, with a different fault each time: the process dies at each commit and
 * each request in turn, each answer is lost, each request arrives twice. Asserts that every effect
 * happened once all the same. Each run begins with a new world: the destinations that your flow
 * calls.
 *
 * <pre>{@code
 * EffectProof.of(Shop::new, Shop::flow)
 *     .check(shop -> assertThat(shop.charges()).hasSize(1))
 *     .prove(order);
 * }</pre>
 *
 * @param <W> the world
 * @param <I> the flow's input
 */
public final class EffectProof<W, I> {
  private final Supplier<W> world;
  private final Function<W, Flow<I, ?>> flow;
  private final List<Function<W, Flow<?, ?>>> others = new ArrayList<>();
  private Consumer<W> check = _ -> {};
  private BiConsumer<Hapax, String> whenWaiting =
      (_, run) -> {
        throw new AssertionError(
            "run %s waits for somebody: say with whenWaiting(...) who answers".formatted(run));
      };

  private EffectProof(Supplier<W> world, Function<W, Flow<I, ?>> flow) {
    this.world = world;
    this.flow = flow;
  }

  /** Creates a proof of this flow. Every run gets a new world and a new flow made from it. */
  public static <W, I> EffectProof<W, I> of(Supplier<W> world, Function<W, Flow<I, ?>> flow) {
    return new EffectProof<>(world, flow);
  }

  /** Registers another flow that takes part, for example a child. */
  public EffectProof<W, I> with(Function<W, Flow<?, ?>> other) {
    others.add(other);
    return this;
  }

  /** Checks the world after every run, no matter what went wrong in it. */
  public EffectProof<W, I> check(Consumer<W> holds) {
    check = holds;
    return this;
  }

  /** Answers a run that waits for a callback or an approval. The run is given by its id. */
  public EffectProof<W, I> whenWaiting(BiConsumer<Hapax, String> answers) {
    whenWaiting = answers;
    return this;
  }

  /** The counts of a proof that succeeded. */
  public record Proof(int runs, int commits, int requests, int reviews) {
    @Override
    public String toString() {
      return "%d runs: something went wrong at each of %d commits and %d requests, a person was asked %d times, and every effect happened once"
          .formatted(runs, commits, requests, reviews);
    }
  }

  /**
   * Runs the proof. Throws AssertionError with everything that happened twice or not at all, and
   * when.
   */
  public Proof prove(I input) {
    ProofRun<I> undisturbed = run(input, Disturbance.NONE);
    if (undisturbed.status() != RunStatus.SUCCEEDED) {
      throw new AssertionError(
          "the flow does not succeed when nothing goes wrong, it is %s: %s"
              .formatted(undisturbed.status().word(), undisturbed.history()));
    }
    List<String> problems = new ArrayList<>(undisturbed.problems());
    int reviews = undisturbed.reviews();
    List<Disturbance> disturbances = Disturbance.of(undisturbed.commits(), undisturbed.requests());
    for (Disturbance disturbance : disturbances) {
      ProofRun<I> run = run(input, disturbance);
      run.compareWith(undisturbed);
      problems.addAll(run.problems());
      reviews += run.reviews();
    }
    if (!problems.isEmpty()) {
      throw new AssertionError(String.join(System.lineSeparator(), problems));
    }
    return new Proof(
        1 + disturbances.size(), undisturbed.commits(), undisturbed.requests().size(), reviews);
  }

  private ProofRun<I> run(I input, Disturbance disturbance) {
    W fresh = world.get();
    Flow<I, ?> main = flow.apply(fresh);
    List<Flow<?, ?>> flows = new ArrayList<>();
    flows.add(main);
    others.forEach(other -> flows.add(other.apply(fresh)));
    var run = new ProofRun<>(main, input, disturbance, whenWaiting);
    try {
      run.carryOut(flows);
      check.accept(fresh);
    } catch (AssertionError e) {
      run.note(String.valueOf(e.getMessage()));
    }
    return run;
  }
}
