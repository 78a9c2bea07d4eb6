package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a skeleton flow from each line of a crontab. */
public final class CrontabImport {
  private static final int MOST_LINES = 10_000;

  private final SkeletonNames names = new SkeletonNames();
  private final List<ImportedFlows.Skeleton> flows = new ArrayList<>();
  private final List<ImportDecision> decisions = new ArrayList<>();
  private final String file;

  private CrontabImport(String file) {
    this.file = file;
  }

  /**
   * Reads a crontab.
   *
   * @param file its name, for comments
   * @param isSystem whether its lines name a user before the command, as {@code /etc/crontab} does
   * @throws NotImportable if it has no line that starts something
   */
  public static ImportedFlows of(String file, String text, boolean isSystem) {
    if (text.lines().count() > MOST_LINES) {
      throw new NotImportable("a crontab has at most %,d lines".formatted(MOST_LINES));
    }
    var reading = new CrontabImport(file);
    for (CrontabEntry entry : CrontabEntry.read(text, isSystem)) {
      reading.add(entry);
    }
    if (reading.flows.isEmpty()) {
      throw new NotImportable(
          "expected lines such as '0 3 * * * /usr/local/bin/backup', found none");
    }
    return new ImportedFlows(List.copyOf(reading.flows), List.copyOf(reading.decisions));
  }

  private void add(CrontabEntry entry) {
    var command = new CrontabCommand(entry.command());
    String name = names.flow(command.name(), "job");
    var notes = new Notes(name, "line " + entry.line());
    SkeletonStep step = command.step(notes);
    Map<String, Object> flow = ordered("flow", name, "description", description(entry));
    flow.put("key", "fingerprint");
    Map<String, Object> schedule = new CrontabSchedule(entry, notes).trigger(name, command);
    if (!schedule.isEmpty()) {
      flow.put("triggers", List.of(Map.of("schedule", schedule)));
    }
    flow.put("steps", List.of(step));
    tell(entry, notes);
    List<String> head = new ArrayList<>();
    head.add("From line %d of %s.".formatted(entry.line(), file));
    entry.comments().forEach(comment -> head.add(Sensitive.command(comment)));
    flows.add(new ImportedFlows.Skeleton(name, SkeletonYaml.of(head, flow)));
  }

  /** The questions that are not about the command itself. */
  private void tell(CrontabEntry entry, Notes notes) {
    if (!entry.user().isEmpty()) {
      notes.add(
          "user",
          "cron runs the command as user '%s'".formatted(entry.user()),
          "A flow has no user: the handler, service or connection decides who acts.");
    }
    if (!entry.variables().isEmpty()) {
      notes.add(
          "environment",
          "the command sees %s from the crontab; the values were not copied"
              .formatted(String.join(", ", entry.variables())),
          "Put secrets into 'hapax secrets put', and the rest into the handler or service.");
    }
    if (entry.variables().contains("MAILTO")) {
      notes.add(
          "mail",
          "cron mails the output of the command",
          "Add alerts to the flow, for example alerts: {failed: [{email: {…}}]}.");
    }
    if (!entry.input().isEmpty()) {
      notes.add(
          "standard-input",
          "the text behind % is the standard input of the command; it was not copied",
          "Pass it as the input of the step.");
    }
  }

  private static String description(CrontabEntry entry) {
    return "Imported from a crontab: " + entry.when();
  }

  /** The decisions about one flow. */
  final class Notes {
    private final String flow;
    private final String at;

    Notes(String flow, String at) {
      this.flow = flow;
      this.at = at;
    }

    void add(String code, String message, String fix) {
      decisions.add(new ImportDecision(code, at, flow, "", message, fix));
    }
  }
}
