package dev.hapax.testkit.simulation;

import dev.hapax.time.ProcessGone;

/**
 * Takes a thread of a crashed node out of its work. It is an Error, and every later port call
 * throws it again, so that no {@code catch} or {@code finally} on the way out leaves a trace.
 */
final class NodeDown extends ProcessGone {
  private static final long serialVersionUID = 1L;

  NodeDown() {
    super("the node is down");
  }
}
