package dev.hapax.flows.step;

/** What became of a step in one pass over its flow, for reports of what a trial has tried. */
public record StepVisit(String flow, String step, Outcome outcome) {
  /** The possible courses of a step. */
  public enum Outcome {
    /** It ran, or began to. */
    RAN,
    /** Its condition was false. */
    LEFT_OUT,
    /** It failed, and the run continued. */
    PASSED_OVER
  }
}
