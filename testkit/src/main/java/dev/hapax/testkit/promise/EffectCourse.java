package dev.hapax.testkit.promise;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import dev.hapax.run.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the journals say about one revision of one effect, in order; usually the journal of one run,
 * and of those after it that took it over when it had been given up. That a person has retried the
 * run is part of it.
 */
record EffectCourse(long effect, int revision, List<JournalLine> lines) {

  static List<EffectCourse> of(Evidence evidence) {
    Map<String, EffectCourse> courses = new TreeMap<>();
    for (Run run : evidence.runs()) {
      read(evidence.journal(run), courses);
    }
    for (EffectCourse course : courses.values()) {
      course.lines.sort(Comparator.comparingLong(evidence::landed));
    }
    return List.copyOf(courses.values());
  }

  private static void read(List<JournalLine> journal, Map<String, EffectCourse> courses) {
    Map<Step, EffectCourse> open = new HashMap<>();
    for (JournalLine line : journal) {
      Step step = line.entry().step();
      if (line.entry() instanceof JournalEntry.Retried) {
        Set.copyOf(open.values()).forEach(course -> course.lines.add(line));
      }
      if (step == null) {
        continue;
      }
      EffectCourse granted = granted(line.answer(), line.entry(), courses);
      if (granted != null) {
        open.put(step, granted);
      }
      EffectCourse course = open.get(step);
      if (course != null && !(line.entry() instanceof JournalEntry.Claimed && granted == null)) {
        course.lines.add(line);
      }
    }
  }

  private static @Nullable EffectCourse granted(
      @Nullable ClaimAnswer answer, JournalEntry entry, Map<String, EffectCourse> courses) {
    if (!(entry instanceof JournalEntry.Claimed)) {
      return null;
    }
    return switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) -> course(effect, revision, courses);
      case ClaimAnswer.Abandoned(long effect, int revision, int _) ->
          course(effect, revision, courses);
      case ClaimAnswer.ReviewFirst(long effect, int revision, var _) ->
          course(effect, revision, courses);
      case null, default -> null;
    };
  }

  private static EffectCourse course(long effect, int revision, Map<String, EffectCourse> courses) {
    return courses.computeIfAbsent(
        effect + "/" + revision, _ -> new EffectCourse(effect, revision, new ArrayList<>()));
  }
}
