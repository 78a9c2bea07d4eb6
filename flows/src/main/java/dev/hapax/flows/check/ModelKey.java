package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;

/** A key written by a language model: it differs each time. */
final class ModelKey implements Rule {
  @Override
  public String id() {
    return "model-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var origins = new Origins(flow);
    for (Keys.Key key : Keys.of(flow)) {
      String model = origins.modelOf(key.template());
      if (model != null) {
        report.add(
            key.template().position(),
            "%s reaches the output of model step '%s', which says something else each time"
                .formatted(key.what(), model),
            "Key it on what the model was given, for example ${input.ticketId}.");
      }
    }
  }
}
