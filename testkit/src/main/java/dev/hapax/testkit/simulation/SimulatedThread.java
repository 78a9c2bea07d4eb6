package dev.hapax.testkit.simulation;

import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A thread of the simulation. It runs only while it holds the baton. */
final class SimulatedThread {
  final String name;
  final @Nullable SimulatedNode node;
  final Semaphore go = new Semaphore(0);

  private static final String ENGINE = "hapax-";

  private static final Set<String> CARRIERS = Set.of("hapax-run", "hapax-branch", "hapax-item");

  /** The node whose signal it waits for; a client waits for a node that is not its own. */
  @Nullable SimulatedNode waitsFor;

  /** Counts its waits, so that a time limit of an earlier one does not end this one. */
  long waits;

  /** Whether its code can handle a refused read; that of nodes always can. */
  boolean hearsRefusals;

  boolean isWaiting;
  boolean isInterruptible;
  boolean isInterrupted;

  SimulatedThread(String name, @Nullable SimulatedNode node) {
    this.name = name;
    this.node = node;
    this.hearsRefusals = node != null && name.startsWith(ENGINE);
  }

  /** Whether it is a thread of the engine that carries no body. */
  boolean isEngines() {
    return node != null && name.startsWith(ENGINE) && !CARRIERS.contains(name);
  }

  /** Whether the process that it belongs to, or whose call it is in, is gone. */
  boolean isStranded() {
    return (node != null && node.isDown()) || (waitsFor != null && waitsFor.isDown());
  }

  /** The frozen process that it belongs to, or whose call it is in; null if it can go on. */
  @Nullable SimulatedNode frozenIn() {
    if (node != null && node.isFrozen()) {
      return node;
    }
    return waitsFor != null && waitsFor.isFrozen() ? waitsFor : null;
  }

  @Override
  public String toString() {
    return node == null ? name : node + "/" + name;
  }
}
