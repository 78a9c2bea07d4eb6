package dev.hapax.flows.trigger;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/** The instants of a cron expression in a time zone; clock changes skip none of them. */
public final class Cron {
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private final String text;
  private final ExecutionTime times;

  private Cron(String text, ExecutionTime times) {
    this.text = text;
    this.times = times;
  }

  /** Throws IllegalArgumentException if the text is not a cron expression of five fields. */
  public static Cron of(String text) {
    return new Cron(text, ExecutionTime.forCron(PARSER.parse(text).validate()));
  }

  public String text() {
    return text;
  }

  /**
   * Returns the first instant after this one; empty if there is none, as for 31 February. It is
   * found on the wall clock, which has no gap and no overlap, and then placed in the zone: a time
   * in the gap of spring is due at the end of the gap, and a time that occurs twice in autumn is
   * due the first time. An expression with intervals, such as every 15 minutes, is due whenever the
   * wall clock shows it, in autumn twice.
   */
  public Optional<Instant> next(Instant after, ZoneId zone) {
    if (isInterval()) {
      return nextOfInterval(after, zone.getRules());
    }
    ZonedDateTime wall = after.atZone(zone).toLocalDateTime().atZone(ZoneOffset.UTC);
    Optional<ZonedDateTime> next = times.nextExecution(wall);
    while (next.isPresent()) {
      Instant due = inZone(next.get().toLocalDateTime(), zone);
      if (due.isAfter(after)) {
        return Optional.of(due);
      }
      next = times.nextExecution(next.get());
    }
    return Optional.empty();
  }

  /** Between two clock changes the zone has one offset; there is no gap and no overlap. */
  private Optional<Instant> nextOfInterval(Instant after, ZoneRules rules) {
    Instant from = after;
    while (true) {
      Optional<Instant> next =
          times.nextExecution(from.atZone(rules.getOffset(from))).map(ZonedDateTime::toInstant);
      ZoneOffsetTransition change = rules.nextTransition(from);
      if (next.isEmpty() || change == null || next.get().isBefore(change.getInstant())) {
        return next;
      }
      Instant changeAt = change.getInstant();
      if (isDueAt(changeAt, change.getOffsetAfter())) {
        return Optional.of(changeAt);
      }
      from = changeAt;
    }
  }

  private boolean isDueAt(Instant instant, ZoneOffset offset) {
    return times
        .nextExecution(instant.minusSeconds(1).atZone(offset))
        .map(ZonedDateTime::toInstant)
        .equals(Optional.of(instant));
  }

  private boolean isInterval() {
    String[] fields = text.strip().split("\\s+", -1);
    return fields[1].equals("*");
  }

  private static Instant inZone(LocalDateTime time, ZoneId zone) {
    ZoneOffsetTransition jump = zone.getRules().getTransition(time);
    return jump != null && jump.isGap()
        ? jump.getInstant()
        : time.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  @Override
  public String toString() {
    return text;
  }
}
