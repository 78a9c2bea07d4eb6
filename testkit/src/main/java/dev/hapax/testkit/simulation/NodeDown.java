package dev.hapax.testkit.simulation;

import dev.hapax.time.ProcessGone;

/**
 * Takes a thread of a crashed node out of whatever it was doing. An Error, and thrown again by
 * every port call after it, so that no {@code catch} or {@code finally} on the way out leaves a
 * trace.
 */
final class NodeDown extends ProcessGone {
  private static final long serialVersionUID = 1L;

  NodeDown() {
    super("the node is down");
  }
}
