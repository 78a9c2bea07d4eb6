package dev.hapax.app.release;

import dev.hapax.app.data.Records;

/** A flow and who owns it. */
public record FlowName(String tenant, String flow) {
  /** The name of its records. */
  String record() {
    return Records.name(tenant, flow);
  }

  @Override
  public String toString() {
    return "flow '" + flow + "'";
  }
}
