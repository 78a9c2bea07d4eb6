package dev.hapax.flows.simulation;

import dev.hapax.flow.Alert;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.testkit.simulation.Course;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The runs that were to alert people, and whether they did. */
final class AlertedRuns {
  private static final int MOST_RUNS = 1_000;

  private final List<PlannedFile> files;
  private final Course.Outcome outcome;

  AlertedRuns(List<PlannedFile> files, Course.Outcome outcome) {
    this.files = files;
    this.outcome = outcome;
  }

  /** Adds what is wrong, and notes which alerts there were. */
  void compare(HeardPeople people, List<String> wrong) {
    for (PlannedFile file : files) {
      Map<Alert, Long> due = due(file, wrong);
      for (Alert alert : Alert.values()) {
        long heard = people.countOf(alert.word(), file.name());
        long expected = due.getOrDefault(alert, 0L);
        if (heard < expected || (expected == 0 && heard > 0)) {
          wrong.add(
              "Alerts: people know of %d alerts '%s' about flow '%s', there were %d"
                  .formatted(heard, alert.word(), file.name(), expected));
        }
        if (expected > 0) {
          outcome.tally().count("file: alert " + alert.word());
        }
      }
    }
    people.changed().forEach(id -> wrong.add("Changed: the content of alert " + id));
  }

  /** The alerts that the journals of its runs know. */
  private Map<Alert, Long> due(PlannedFile file, List<String> wrong) {
    Map<Alert, Long> due = new EnumMap<>(Alert.class);
    var all = new RunFilter("default", file.name(), null, null, null, MOST_RUNS);
    for (Run run : outcome.store().runs(all)) {
      Map<String, Alert> alerts = alertsOf(run);
      alerts.values().forEach(alert -> due.merge(alert, 1L, Long::sum));
      boolean hasFailed = run.status() == RunStatus.FAILED;
      if (hasFailed && file.alerts() != alerts.containsValue(Alert.FAILED)) {
        wrong.add(
            "Alerts: run %s of flow '%s' has failed, its alerts are %s"
                .formatted(run.id(), file.name(), alerts));
      }
    }
    return due;
  }

  /** By the id of the message: a run that looks at its review again alerts under the same one. */
  private Map<String, Alert> alertsOf(Run run) {
    return outcome.store().journal(run.number()).stream()
        .flatMap(row -> row.readEntries().stream())
        .filter(RunEntry.Alerted.class::isInstance)
        .map(RunEntry.Alerted.class::cast)
        .collect(
            Collectors.toMap(RunEntry.Alerted::message, RunEntry.Alerted::alert, (one, _) -> one));
  }
}
