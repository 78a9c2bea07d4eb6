package dev.hapax.app.http;

import java.util.List;

/** The labels of flows that count for permissions. Safe for many threads. */
@FunctionalInterface
public interface LabelsOfFlows {
  /** No flow has a label, so a token that is limited to labels may use none. */
  LabelsOfFlows NONE = (_, _) -> List.of();

  /** Returns the labels of a flow; none if there is no such flow. */
  List<String> of(String tenant, String flow);
}
