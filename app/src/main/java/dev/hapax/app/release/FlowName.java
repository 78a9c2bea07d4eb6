package dev.hapax.app.release;

import dev.hapax.app.data.Records;

/** A flow and the tenant that owns it. */
public record FlowName(String tenant, String flow) {
  /** Returns the name of its records. */
  String record() {
    return Records.name(tenant, flow);
  }

  @Override
  public String toString() {
    return "flow '" + flow + "'";
  }
}
