package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A course of events for flows that come from elsewhere: the real engine on one machine that
 * crashes and comes back, over a store that fails, until the faults are over and every run has
 * ended. A {@code Play} brings the flows, starts runs, and is the world that they send to. All its
 * code runs on simulated threads, and waits by {@link #sleep} only.
 */
public final class Course {
  private static final int MOST_ROUNDS_TO_END = 400;
  private static final int ROUNDS_WITH_FAULTS = 60;

  private final Choices choices;
  private final Trace trace;
  private final Tally tally = new Tally();
  private final Scheduler scheduler;
  private final SimulatedStore.Simulated with;
  private final Store durable = new MemoryStore();
  private final Machines machines;
  private final EndOfRuns end;

  /** The flows, runs and answers of a course. */
  public interface Play {
    /** Returns the code that every node has. */
    List<? extends Flow<?, ?>> flows(Course course);

    /** Configures a node that has just started. */
    default void opened(Hapax hapax) {}

    /** Starts the runs, and returns when all are accepted. */
    void begin(Course course);

    /** Answers runs that wait for an answer from outside. Called again and again. */
    default void answer(Course course) {}

    /** Called when every run has ended. Lets some of them continue. */
    default void goOn(Course course) {}
  }

  /**
   * The outcome of a course.
   *
   * @param problems that show without a model: it is stuck, or a run does not end
   * @param store as it was left
   * @param choices that lead there again
   */
  public record Outcome(
      List<String> problems, Store store, List<Integer> choices, Tally tally, Trace trace) {}

  private Course(Choices choices, Set<Fault> faults, Mutation mutation, boolean readable) {
    this.choices = choices;
    this.trace = new Trace(readable);
    this.scheduler = new Scheduler(choices, trace);
    var swarm = Swarm.draw(faults, choices, tally);
    var witness = new NodeWitness(scheduler, _ -> null, tally);
    this.with = new SimulatedStore.Simulated(scheduler, choices, swarm, trace, witness);
    this.machines = new Machines(List.of(new Machine(0, () -> durable, with, mutation)), choices);
    this.end = new EndOfRuns(durable, scheduler, machines);
  }

  /**
   * Plays a course to its end.
   *
   * @param mutation what is broken on purpose
   */
  public static Outcome run(
      Choices choices, Set<Fault> faults, Play play, Mutation mutation, boolean readable) {
    return new Course(choices, faults, mutation, readable).run(play);
  }

  private Outcome run(Play play) {
    List<String> problems = new ArrayList<>();
    try {
      scheduler.run("director", () -> direct(play, problems));
    } catch (SimulationStuck e) {
      problems.add("SimulationStuck: " + e.getMessage());
    }
    return new Outcome(problems, durable, choices.taken(), tally, trace);
  }

  private void direct(Play play, List<String> problems) {
    machines.run(play.flows(this), play::opened);
    var chaos = new Chaos(machines, with);
    scheduler.everyTurn(chaos::strike);
    play.begin(this);
    look(play);
    if (choices.below(3) == 1) {
      comeToAnEnd(play, ROUNDS_WITH_FAULTS);
      if (end.isReached()) {
        outside(() -> play.goOn(this));
        look(play);
      }
    }
    with.swarm().stop();
    comeToAnEnd(play, MOST_ROUNDS_TO_END);
    if (!end.isReached()) {
      problems.add("Unfinished: a run does not come to its end");
    }
  }

  private void look(Play play) {
    int looks = choices.below(6);
    for (int i = 0; i < looks; i++) {
      scheduler.sleep(Duration.ofSeconds(1L + choices.below(1200)));
      outside(() -> play.answer(this));
    }
  }

  private void comeToAnEnd(Play play, int rounds) {
    end.await(rounds, () -> outside(() -> play.answer(this)));
  }

  /** Makes a call from outside. The node that was asked may die of an earlier fault. */
  private void outside(Runnable call) {
    try {
      call.run();
    } catch (NodeDown e) {
      trace.say(scheduler.nanos(), () -> "nobody answers");
    }
  }

  // ---- for plays

  /** Returns the machine's clock. */
  public Clock clock() {
    return machines.clock();
  }

  /** Returns the engine of the running node; null while there is none. */
  public @Nullable Hapax hapax() {
    return machines.hapax();
  }

  /** Returns the durable state, no matter what the node knows of it. */
  public Store store() {
    return durable;
  }

  /** Lets time pass; returns whether the thread was interrupted instead. */
  public boolean sleep(Duration time) {
    return scheduler.sleep(time);
  }

  /** Stops code of a node that is gone. */
  public void checkAlive() {
    scheduler.checkAlive();
  }

  /** Whether this fault happens, here and now. */
  public boolean strikes(Fault fault) {
    return with.swarm().strikes(fault);
  }

  public Choices choices() {
    return choices;
  }

  /** Adds a line to the trace, for people. */
  public void say(Supplier<String> line) {
    trace.say(scheduler.nanos(), line);
  }

  /** Calls the node that is up. Returns false if there is no node or it refuses or goes away. */
  public boolean ask(Consumer<Hapax> what) {
    Hapax hapax = hapax();
    if (hapax == null) {
      return false;
    }
    try {
      return Client.tell(() -> what.accept(hapax)) == ClientCall.Answer.ACCEPTED;
    } catch (IllegalStateException e) {
      return false; // it closes, or does not know the code yet
    }
  }

  /** Returns the smallest list of choices found in so many tries that still fails. */
  public static List<Integer> shrink(
      List<Integer> failing, Predicate<List<Integer>> fails, Cuts cuts, int mostTries) {
    return new Shrinker(fails, cuts, mostTries).shrink(failing);
  }
}
