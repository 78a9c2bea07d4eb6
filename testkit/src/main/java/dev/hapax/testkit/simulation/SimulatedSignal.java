package dev.hapax.testkit.simulation;

import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signal of a node. When the node is gone it is never raised, and threads that wait for it are
 * thrown out.
 */
final class SimulatedSignal implements Signal {
  private final Scheduler scheduler;
  private final SimulatedNode node;
  private final List<SimulatedThread> waiting = new ArrayList<>(1);
  private boolean raised;

  SimulatedSignal(Scheduler scheduler, SimulatedNode node) {
    this.scheduler = scheduler;
    this.node = node;
  }

  @Override
  public void raise() {
    if (!node.isDown()) {
      raised = true;
      waiting.forEach(scheduler::wake);
      waiting.clear();
    }
  }

  @Override
  public boolean isRaised() {
    return raised;
  }

  @Override
  public void await() {
    await((Duration) null);
  }

  /** Nothing interrupts here. */
  @Override
  public boolean awaitInterruptibly(@Nullable Duration atMost) {
    return await(atMost);
  }

  @Override
  public boolean await(@Nullable Duration atMost) {
    node.check();
    if (raised || (atMost != null && !atMost.isPositive())) {
      scheduler.pauseIn(node);
      return raised;
    }
    SimulatedThread me = scheduler.current();
    waiting.add(me);
    scheduler.block(node, atMost);
    waiting.remove(me);
    return raised;
  }
}
