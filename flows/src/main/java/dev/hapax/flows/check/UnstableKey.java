package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;

/** A key that differs at every evaluation. */
final class UnstableKey implements Rule {
  @Override
  public String id() {
    return "unstable-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var origins = new Origins(flow);
    for (Keys.Key key : Keys.of(flow)) {
      String call = origins.momentOf(key.template());
      if (call != null) {
        report.add(
            key.template().position(),
            "%s reaches %s, so each retry would be a new intent".formatted(key.what(), call),
            "Use a value of the input, for example ${input.orderId}; for a time of the event: bucket(time, '1h').");
      }
    }
  }
}
