package dev.hapax.testkit.simulation;

import dev.hapax.store.Store;
import dev.hapax.testkit.memory.LeaseRule;

/**
 * How a deliberately broken Hapax differs from the real one; the real one differs in nothing.
 * Faults that can be made at the ports are made there, so that production code has no switches for
 * them.
 */
public interface Mutation {
  /** The real Hapax. */
  Mutation NONE = new Mutation() {};

  /** Returns the store that the engine uses. */
  default Store store(Store store) {
    return store;
  }

  /** Returns the lease rule of the store that nodes share. */
  default LeaseRule leases() {
    return LeaseRule.RIGHT;
  }

  /** Returns the contract that flows declare; the world goes by the true one. */
  default SimulatedDestination declared(SimulatedDestination destination) {
    return destination;
  }

  /** Returns the limits of a destination as the engine knows them. */
  default dev.hapax.flow.Destination bears(dev.hapax.flow.Destination destination) {
    return destination;
  }

  /** Returns the key that is sent. */
  default String wireKey(String wireKey, String run) {
    return wireKey;
  }

  /** The release whose code is run for a run of this one. */
  default int codeFor(int release) {
    return release;
  }

  /** Sends, and reports the answer to the engine. */
  default String send(Sender sender) throws Exception {
    return sender.send();
  }

  /** The true sending. */
  @FunctionalInterface
  interface Sender {
    String send() throws Exception;
  }
}
