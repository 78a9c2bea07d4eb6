package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The machines of one simulation. Callers of Hapax go to any of them. */
final class Machines {
  private final List<Machine> all;
  private final Choices choices;

  Machines(List<Machine> all, Choices choices) {
    this.all = all;
    this.choices = choices;
  }

  boolean areSeveral() {
    return all.size() > 1;
  }

  /** Returns one of them. If there is only one, nothing is drawn. */
  Machine any() {
    return oneOf(all);
  }

  private Machine oneOf(List<Machine> some) {
    return some.size() == 1 ? some.getFirst() : some.get(choices.below(some.size()));
  }

  /** Returns the engine of one that has one; null while there is none. */
  @Nullable Hapax hapax() {
    List<Machine> up = all.stream().filter(machine -> machine.hapax() != null).toList();
    return up.isEmpty() ? null : oneOf(up).hapax();
  }

  /** Returns the clock of the first. */
  SimulatedClock clock() {
    return all.getFirst().clock();
  }

  /** Kills this process, because the code of this run ends it. */
  void crash(SimulatedNode node, String killer) {
    all.forEach(machine -> machine.crash(node, killer));
  }

  /** Makes nodes that start from now on send every kind of alert. */
  void alertTo(String destination) {
    all.forEach(machine -> machine.alertTo(destination));
  }

  /** Sets an action for when a node has started and no run is under way yet. */
  void whenStarted(Consumer<Hapax> first) {
    all.forEach(machine -> machine.whenStarted(first));
  }

  /** Runs nodes with this code, and an action for when one has started. */
  void run(List<? extends Flow<?, ?>> code, Consumer<Hapax> andThen) {
    all.getFirst().run(code, andThen);
    all.stream().skip(1).forEach(machine -> machine.join(code, andThen));
  }
}
