package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.flow.Flow;

/** Hapax: each step is a keyed effect, with a durable intent before it and its outcome after it. */
final class HapaxContender implements Contender {
  private final Flow<Order, ?> flow;
  private final Hapax hapax;

  HapaxContender(String url, Flow<Order, ?> flow) {
    this.flow = flow;
    this.hapax = Hapax.open(url, HapaxOptions.DEFAULT);
    hapax.register(flow);
  }

  @Override
  public void run(String key) {
    hapax.start(flow, new Order(key, 4_200)).await();
  }

  @Override
  public void startAgain(String key) {
    if (!hapax.start(flow, new Order(key, 4_200)).isDuplicate()) {
      throw new IllegalStateException("order " + key + " has run, and was started again");
    }
  }

  @Override
  public void close() {
    hapax.close();
  }
}
