package dev.hapax.flows.skeleton;

import java.util.List;

/** The result of an import: skeletons, and what a person must decide before they are used. */
public record ImportedFlows(List<Skeleton> flows, List<ImportDecision> decisions) {
  /**
   * A flow file to begin with.
   *
   * @param name of the flow; letters, digits and dashes only, so that it is a safe file name
   * @param text of the file
   */
  public record Skeleton(String name, String text) {}
}
