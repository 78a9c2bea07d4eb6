package dev.hapax.flows.trigger;

import dev.hapax.flow.Overlap;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The instants of a cron expression. */
public record ScheduleTrigger(
    Position position,
    String name,
    Cron cron,
    @Nullable ZoneId timezone,
    CatchUp catchUp,
    Overlap overlap,
    @Nullable ValueTemplate input)
    implements Trigger {
  static final TriggerForm FORM =
      new TriggerForm(
          "schedule",
          "The times of a cron expression.",
          ScheduleTrigger::read,
          List.of(
              Shape.of("schedule", "a schedule")
                  .must(
                      "name", Types.NAME, "The name of the schedule; it is part of the runs' keys.")
                  .must("cron", Types.TEXT, "Five fields: minute, hour, day, month, weekday.")
                  .may(
                      "timezone", Types.TEXT, "The time zone of the fields, such as Europe/Berlin.")
                  .may(
                      "catchUp",
                      Types.words("none", "latest", "all"),
                      "Which missed times still get a run.")
                  .may(
                      "overlap",
                      Types.words("allow", "skip", "queue", "cancel-running"),
                      "What happens at a time when an earlier run of the schedule is still open: the new run begins too, nothing starts, the new run waits for its end, or the earlier run is canceled. Default: `allow`.")
                  .may("input", new Type.Value(Place.SCHEDULE), "The run's input.")
                  .build()));

  /** Which missed instants are made up for. */
  public enum CatchUp {
    NONE,
    LATEST,
    ALL
  }

  private static @Nullable ScheduleTrigger read(
      Position position, Fields schedule, Consumer<FileProblem> problems) {
    Cron cron = cron(schedule, problems);
    String zone = schedule.textOrNull("timezone");
    ZoneId timezone = zone == null ? null : zone(schedule, zone, problems);
    if (cron == null || (zone != null && timezone == null)) {
      return null;
    }
    return new ScheduleTrigger(
        position,
        schedule.text("name"),
        cron,
        timezone,
        schedule.word(CatchUp.class, "catchUp", CatchUp.LATEST),
        schedule.word(Overlap.class, "overlap", Overlap.ALLOW),
        schedule.valueOrNull("input"));
  }

  private static @Nullable Cron cron(Fields schedule, Consumer<FileProblem> problems) {
    try {
      return Cron.of(schedule.text("cron"));
    } catch (IllegalArgumentException e) {
      problems.accept(
          new FileProblem(
              FileProblem.TYPE,
              schedule.position("cron"),
              "cron: expected five fields such as '0 3 * * *', got '%s'"
                  .formatted(schedule.text("cron")),
              "Write minute, hour, day of month, month and weekday."));
      return null;
    }
  }

  private static @Nullable ZoneId zone(
      Fields schedule, String zone, Consumer<FileProblem> problems) {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      problems.accept(
          new FileProblem(
              FileProblem.TYPE,
              schedule.position("timezone"),
              "timezone: expected a zone such as Europe/Berlin, got '%s'".formatted(zone),
              "Use a name from the IANA time zone database."));
      return null;
    }
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String description() {
    return cron.text() + (timezone == null ? "" : " " + timezone.getId());
  }

  @Override
  public String label() {
    return name;
  }

  /** Without one, the input is an empty mapping. */
  @Override
  public ValueTemplate givenInput() {
    return input == null ? new ValueTemplate.Mapping(position, Map.of()) : input;
  }

  @Override
  public String identity(boolean isKeyed) {
    return isKeyed
        ? "its name and nominal time; the run's key is the flow's"
        : "the run's key is %s/%s/<nominal time>".formatted(word(), name);
  }

  @Override
  public String again() {
    String missed =
        switch (catchUp) {
          case NONE -> "no missed time is made up for";
          case LATEST -> "of missed times the latest is made up for";
          case ALL -> "all missed times are made up for";
        };
    return "a time starts one run on all nodes together; " + missed;
  }

  @Override
  public boolean keepsEvents() {
    return false;
  }
}
