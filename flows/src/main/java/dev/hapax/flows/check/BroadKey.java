package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;

/**
 * A key that does not vary with the items of its loop, so that only one item is handled: it reads
 * neither the item nor a step inside the loop.
 */
final class BroadKey implements Rule {
  @Override
  public String id() {
    return "broad-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var visibility = new Visibility(flow);
    for (Keys.Key key : Keys.of(flow)) {
      if (key.step() != null
          && visibility.isInLoop(key.step())
          && !key.template().isConstant()
          && !key.template().reach().reaches("item")
          && key.template().reach().steps().stream().noneMatch(visibility::isInLoop)) {
        report.add(
            key.template().position(),
            "%s is the same for every item of the loop, so only one of them would be handled"
                .formatted(key.what()),
            "Add a value of the item to it, for example ${input.orderId}/${item.sku}.");
      }
    }
  }
}
