package dev.hapax.app.crash.feature;

import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Items;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.Message;
import dev.hapax.flow.RunContext;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Branches, a loop, a child that two runs share, one that no run waits for, counters and a message.
 *
 * @param isHealed whether a person has repaired the bad item of the order with this key
 */
record Orders(Post post, Predicate<String> isHealed) {
  static final String PARTNER = "partner";

  /** What is counted: orders and their lines. */
  static final String COUNTER = "orders";

  static final String LINE_COUNTER = "lines";

  private static final int AT_ONCE = 3;
  private static final Duration PAUSE = Duration.ofSeconds(20);

  /** The run that two orders wait for. */
  Flow<String, String> shipments() {
    return Flow.of("shipment", String.class, String.class)
        .key(key -> key)
        .body(
            (run, shipment) -> {
              post.once(run, "ship", shipment);
              run.sleep("travel", PAUSE);
              post.once(run, "arrive", shipment);
              return "arrived";
            });
  }

  /** The run that no other run waits for. */
  Flow<String, String> audits() {
    return Flow.of("audit", String.class, String.class)
        .key(key -> key)
        .body(
            (run, order) -> {
              post.once(run, "audit", order);
              return "audited";
            });
  }

  Flow<Case, String> flow() {
    Flow<String, String> shipments = shipments();
    Flow<String, String> audits = audits();
    return Flow.of(Case.Kind.ORDER.flow(), Case.class, String.class)
        .key(Case::key)
        .body(
            (run, order) -> {
              count(run, COUNTER);
              run.parallel(List.of(branch("left", order.key()), branch("right", order.key())));
              Items lines =
                  run.forEach(
                      "lines",
                      Each.of(order.lines(), Function.identity()).atOnce(AT_ONCE),
                      (item, line) -> handle(item, order, line));
              run.spawn("audit", audits, order.key());
              String shipped = run.call("ship", shipments, order.shipment());
              run.publish("tell", Message.to(PARTNER).type("order.done").data(order.key()));
              return lines.succeeded() + " " + shipped;
            });
  }

  private RunContext.Branch<String> branch(String name, String key) {
    return run -> {
      post.once(run, name, key);
      return name;
    };
  }

  private void handle(RunContext item, Case order, String line) {
    if (order.isPoisoned(line)) {
      item.step("check", () -> checked(order), String.class);
    }
    post.once(item, "line", line);
    item.sleep("pause", PAUSE);
    count(item, LINE_COUNTER);
  }

  private String checked(Case order) {
    if (!isHealed.test(order.key())) {
      throw new IllegalStateException("nobody can handle this line");
    }
    return "healed";
  }

  /** By put-if-absent and compare-and-set alone, so that two who count at once both count. */
  static void count(RunContext run, String counter) {
    KvResult there = run.kv().get("count-" + counter, counter);
    for (int tries = 1; ; tries++) {
      String step = "count-" + counter + "-" + tries;
      Integer count = there.isPresent() ? there.value(Integer.class) : null;
      KvResult after =
          count == null
              ? run.kv().putIfAbsent(step, counter, 1)
              : run.kv().compareAndSet(step, counter, there.version(), count + 1);
      if (after.written()) {
        return;
      }
      there = after;
    }
  }
}
