package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;

/** One start of a process, until it crashes or its machine stops it. */
final class SimulatedNode {
  private final String name;
  private boolean down;
  private boolean frozen;

  /** The owner of its runs where nodes share a store; 0 before its first heartbeat. */
  long owner;

  /** Its threads that would go on if it were not frozen, in the order in which they came. */
  final List<SimulatedThread> held = new ArrayList<>();

  SimulatedNode(String name) {
    this.name = name;
  }

  boolean isDown() {
    return down;
  }

  void goDown() {
    down = true;
    frozen = false;
  }

  boolean isFrozen() {
    return frozen;
  }

  void freeze(boolean on) {
    frozen = on && !down;
  }

  /** Every port of a dead node refuses everything. */
  void check() {
    if (down) {
      throw new NodeDown();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
