package dev.hapax.bench;

import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.json.Json;
import java.io.IOException;

/** The work of one step in the workflows of the peers. */
@FunctionalInterface
interface OrderStep {
  OrderStep AT_ONCE = (_, order) -> Json.write(OrderFlow.receipt(order));

  /** Returns the result of the step as JSON. */
  String send(String step, Order order) throws IOException;
}
