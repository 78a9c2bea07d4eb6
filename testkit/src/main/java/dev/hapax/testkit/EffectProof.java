package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Runs your flow many times, with a different fault each time: the process dies at each commit and
 * each request in turn; each request is lost, each answer is lost or comes too late; each request
 * arrives twice. Asserts that every effect happened once all the same. Each run begins with a new
 * world: the destinations that your flow calls.
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
  private final Map<String, ToIntFunction<W>> counts = new HashMap<>();
  private ProofLimits limits = ProofLimits.NONE;
  private Consumer<W> check = _ -> {};
  private BiPredicate<W, Hapax> answers = (_, _) -> false;
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

  /**
   * Counts how often the world has applied the effect of this name, under all its keys together.
   * Without it the proof believes the guard: requests with one key count once if the guard says
   * that the destination removes duplicates.
   */
  public EffectProof<W, I> applied(String effect, ToIntFunction<W> count) {
    counts.put(effect, count);
    return this;
  }

  /**
   * Answers callbacks and approvals as soon as runs ask, before time moves and they expire. Returns
   * whether it has answered something.
   */
  public EffectProof<W, I> answering(BiPredicate<W, Hapax> outside) {
    answers = outside;
    return this;
  }

  /**
   * Answers a run that waits for a callback or an approval when time brings nothing more. The run
   * is given by its id.
   */
  public EffectProof<W, I> whenWaiting(BiConsumer<Hapax, String> answer) {
    whenWaiting = answer;
    return this;
  }

  /** Limits the time, or lets several runs go on at once, if the worlds are independent. */
  public EffectProof<W, I> limits(ProofLimits most) {
    limits = most;
    return this;
  }

  /**
   * Runs the proof. Throws AssertionError with everything that happened twice or not at all, and
   * when.
   */
  public ProofReport prove(I input) {
    ProofReport report = report(input);
    if (!report.holds()) {
      throw new AssertionError(
          report.problems().stream()
              .map(ProofProblem::toString)
              .collect(Collectors.joining(System.lineSeparator())));
    }
    return report;
  }

  /** Runs the proof and returns what it found, also if that is bad. */
  public ProofReport report(I input) {
    return new Prover(_ -> new JavaScene(world.get(), input), limits, Prover.Progress.NONE).prove();
  }

  private final class JavaScene implements ProofScene {
    private final W here;
    private final I input;
    private final Flow<I, ?> main;
    private final List<Flow<?, ?>> flows = new ArrayList<>();

    JavaScene(W here, I input) {
      this.here = here;
      this.input = input;
      this.main = flow.apply(here);
      flows.add(main);
      others.forEach(other -> flows.add(other.apply(here)));
    }

    @Override
    public void register(Hapax hapax) {
      flows.forEach(hapax::register);
    }

    @Override
    public Begun start(Hapax hapax) {
      return Begun.of(hapax.start(main, input));
    }

    @Override
    public boolean answer(Hapax hapax) {
      return answers.test(here, hapax);
    }

    @Override
    public void advance(Hapax hapax, String run) {
      whenWaiting.accept(hapax, run);
    }

    @Override
    public OptionalInt applied(String effect, String key) {
      ToIntFunction<W> count = counts.get(effect);
      return count == null ? OptionalInt.empty() : OptionalInt.of(count.applyAsInt(here));
    }

    @Override
    public void check() {
      check.accept(here);
    }
  }
}
