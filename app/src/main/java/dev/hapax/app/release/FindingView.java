package dev.hapax.app.release;

import dev.hapax.flows.check.Finding;
import java.util.List;

/** A finding of {@code check} about a place in a flow file. */
public record FindingView(
    String rule, String level, String file, int line, int column, String message, String fix) {

  public static List<FindingView> of(List<Finding> findings) {
    return findings.stream().map(FindingView::of).toList();
  }

  private static FindingView of(Finding finding) {
    return new FindingView(
        finding.rule(),
        finding.level().word(),
        finding.position().file(),
        finding.position().line(),
        finding.position().column(),
        finding.message(),
        finding.fix());
  }
}
