package dev.hapax.testkit.simulation;

import dev.hapax.store.Store;
import dev.hapax.testkit.memory.LeaseRule;

/**
 * How a deliberately broken Hapax differs from the real one; the real one differs in nothing. What
 * can be broken at the ports is broken there, so that production code has no switches for it.
 */
public interface Mutation {
  /** The real thing. */
  Mutation NONE = new Mutation() {};

  /** What the engine takes for the store. */
  default Store store(Store store) {
    return store;
  }

  /** What the store that nodes share goes by. */
  default LeaseRule leases() {
    return LeaseRule.RIGHT;
  }

  /** The contract that flows declare; the world goes by the true one. */
  default Destination declared(Destination destination) {
    return destination;
  }

  /** What the engine is told that a destination bears. */
  default dev.hapax.flow.Destination bears(dev.hapax.flow.Destination destination) {
    return destination;
  }

  /** The key that goes out. */
  default String wireKey(String wireKey, String run) {
    return wireKey;
  }

  /** The release whose code is run for a run of this one. */
  default int codeFor(int release) {
    return release;
  }

  /** Sends, and tells the engine what it heard. */
  default String send(Sender sender) throws Exception {
    return sender.send();
  }

  /** The true sending. */
  @FunctionalInterface
  interface Sender {
    String send() throws Exception;
  }
}
