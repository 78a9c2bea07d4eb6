package dev.hapax.testkit.simulation;

import dev.hapax.time.Signal;
import dev.hapax.time.Threads;

/** The threads of one node: actors that run only while they hold the baton. */
final class SimulatedThreads implements Threads {
  private final Scheduler scheduler;
  private final SimulatedNode node;

  SimulatedThreads(Scheduler scheduler, SimulatedNode node) {
    this.scheduler = scheduler;
    this.node = node;
  }

  @Override
  public Handle virtual(String name, Runnable body) {
    node.check();
    SimulatedThread actor = scheduler.spawn(node, name, body);
    scheduler.pauseIn(node);
    return () -> scheduler.interrupt(actor);
  }

  @Override
  public Handle platform(String name, Runnable body) {
    return virtual(name, body);
  }

  @Override
  public Signal signal() {
    return new SimulatedSignal(scheduler, node);
  }
}
