package dev.hapax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an erasure would do now. Applying it later erases what is there then.
 *
 * @param runs all runs that are about the person, with those that they have brought about
 * @param events how many received events lose their payload
 * @param earlier erasures of the same person
 */
public record SubjectPlan(List<PlannedErasure> runs, long events, List<SubjectErasure> earlier) {

  /**
   * A run of the person.
   *
   * @param with how many other runs go with it: children, messages, alerts
   * @param waitsFor what must happen before it can be erased; null if it can be erased now
   */
  public record PlannedErasure(
      String run, String flow, String status, int with, int effects, @Nullable String waitsFor) {}

  /** Returns how many runs must end, or have their effects settled, first. */
  public long postponed() {
    return runs.stream().filter(run -> run.waitsFor() != null).count();
  }
}
