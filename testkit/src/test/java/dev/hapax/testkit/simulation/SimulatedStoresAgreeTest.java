package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.StoresAgree;
import dev.hapax.testkit.memory.MemoryStore;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulated store is a store: what it makes of the generated work is what the memory store
 * makes of it. The seeds are those that the memory store shares with SQLite.
 */
class SimulatedStoresAgreeTest {
  private static final Map<Fault, Integer> UNKNOWN_COMMITS =
      Map.of(
          Fault.COMMIT_UNKNOWN_NOT_LANDED, 200,
          Fault.COMMIT_UNKNOWN_LANDED, 200,
          Fault.COMMIT_LANDS_AFTER_ITS_ERROR, 200);

  @FunctionalInterface
  private interface Comparison {
    void check(long seed, Supplier<Store> one, Supplier<Store> other);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void without_faults_it_answers_as_the_memory_store(long seed) {
    Tally tally = inSimulation(seed, Map.of(), StoresAgree::check);

    assertThat(tally.counts().keySet()).noneMatch(what -> what.startsWith("fault "));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void what_was_submitted_until_it_was_known_answers_as_if_it_had_been_known_at_once(long seed) {
    Tally tally = inSimulation(seed, UNKNOWN_COMMITS, StoresAgree::checkUnknown);

    assertThat(UNKNOWN_COMMITS.keySet()).allMatch(fault -> tally.of("fault " + fault) > 0);
  }

  /** The comparison is an actor of a simulation, since the store gives the baton back. */
  private static Tally inSimulation(long seed, Map<Fault, Integer> faults, Comparison comparison) {
    var choices = Choices.of(seed);
    var trace = new Trace(false);
    var tally = new Tally();
    var scheduler = new Scheduler(choices, trace);
    var with =
        new SimulatedStore.Simulated(
            scheduler,
            choices,
            Swarm.of(faults, choices, tally),
            trace,
            new NodeWitness(scheduler, _ -> null, tally));
    scheduler.run(
        "comparison", () -> comparison.check(seed, MemoryStore::new, () -> simulated(with)));
    return tally;
  }

  private static Store simulated(SimulatedStore.Simulated with) {
    return new SimulatedStore(
        new MemoryStore(), new SimulatedNode("node"), with, () -> {}, () -> true);
  }
}
