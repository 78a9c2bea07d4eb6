package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import org.jspecify.annotations.Nullable;

/** A key that differs at every evaluation. */
final class UnstableKey implements KeyRule {
  @Override
  public String id() {
    return "unstable-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public @Nullable String problem(FlowFile flow, Keys.Key key) {
    for (Origins.Origin origin : Origins.of(key.template(), flow)) {
      String call = origin.expression().reach().momentCall();
      if (call != null) {
        return "reaches %s()%s, so each retry would be a new intent".formatted(call, origin.path());
      }
      if (origin.expression().reach().reaches("lock")) {
        return "reaches lock%s, whose fence changes with each retry of the run"
            .formatted(origin.path());
      }
    }
    return null;
  }

  @Override
  public String fix() {
    return "Use a value of the input, for example ${input.orderId}; for a time of the event: bucket(time, '1h').";
  }
}
