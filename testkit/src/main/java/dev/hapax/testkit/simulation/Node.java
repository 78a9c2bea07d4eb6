package dev.hapax.testkit.simulation;

/** One start of a process, until it crashes or its machine stops it. */
final class Node {
  private final String name;
  private boolean down;

  Node(String name) {
    this.name = name;
  }

  boolean isDown() {
    return down;
  }

  void goDown() {
    down = true;
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
