package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A class that is part of a large cycle cannot be read, tested or moved by itself. */
class ClassCyclesTest {
  private static final int MOST_CLASSES = 8;

  @Test
  void no_cycle_has_more_than_eight_classes() {
    var graph = ClassGraph.of(OurClasses.all());

    List<Set<String>> cycles = graph.cycles();

    System.out.printf("%d edges between packages%n", graph.packageEdges().size());
    graph.packageEdges().forEach(System.out::println);
    cycles.forEach(cycle -> System.out.printf("%d classes: %s%n", cycle.size(), cycle));
    assertThat(cycles).isNotEmpty().allMatch(cycle -> cycle.size() <= MOST_CLASSES);
  }
}
