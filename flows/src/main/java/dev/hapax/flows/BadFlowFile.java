package dev.hapax.flows;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import java.util.List;

/** Thrown for a file that is not a flow; lists everything that is wrong with it. */
public final class BadFlowFile extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  public BadFlowFile(Check.Result result) {
    super(result.text());
    this.findings = result.findings();
  }

  public List<Finding> findings() {
    return findings;
  }
}
