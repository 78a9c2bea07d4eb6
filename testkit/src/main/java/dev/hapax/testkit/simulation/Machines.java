package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The machines of one simulation. Whoever wants something of Hapax goes to any of them. */
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

  /** One of them; where there is one only, nothing is drawn. */
  Machine any() {
    return oneOf(all);
  }

  private Machine oneOf(List<Machine> some) {
    return some.size() == 1 ? some.getFirst() : some.get(choices.below(some.size()));
  }

  /** The engine of one that has one; null while there is none. */
  @Nullable Hapax hapax() {
    List<Machine> up = all.stream().filter(machine -> machine.hapax() != null).toList();
    return up.isEmpty() ? null : oneOf(up).hapax();
  }

  /** That of the first. */
  SimulatedClock clock() {
    return all.getFirst().clock();
  }

  /** Whoever is started from now on tells people of everything that they can be told of. */
  void alertTo(String destination) {
    all.forEach(machine -> machine.alertTo(destination));
  }

  /** What is done when a node has started and no run is under way yet. */
  void whenStarted(Consumer<Hapax> first) {
    all.forEach(machine -> machine.whenStarted(first));
  }

  /** The code that each node knows, and what else is done when one has started. */
  void run(List<? extends Flow<?, ?>> code, Consumer<Hapax> andThen) {
    all.getFirst().run(code, andThen);
    all.stream().skip(1).forEach(machine -> machine.join(code, andThen));
  }
}
