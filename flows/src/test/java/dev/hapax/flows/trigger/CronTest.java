package dev.hapax.flows.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every change of the clocks of every zone, against a model that walks from minute to minute. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class CronTest {
  private static final Instant FROM = Instant.parse("2024-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration AROUND = Duration.ofHours(30);

  /** What the wall clock shows when an expression is due, said without cron. */
  private record Case(Cron cron, boolean isInterval, Predicate<LocalDateTime> isDue) {}

  private static final List<Case> CASES =
      List.of(
          new Case(Cron.of("30 2 * * *"), false, at -> at.getHour() == 2 && at.getMinute() == 30),
          new Case(Cron.of("0 0 * * *"), false, at -> at.getHour() == 0 && at.getMinute() == 0),
          new Case(
              Cron.of("*/20 0-3 * * *"),
              false,
              at -> at.getHour() <= 3 && at.getMinute() % 20 == 0),
          new Case(
              Cron.of("15 1,2 * * 0"),
              false,
              at ->
                  (at.getHour() == 1 || at.getHour() == 2)
                      && at.getMinute() == 15
                      && at.getDayOfWeek().getValue() == 7),
          new Case(Cron.of("*/15 * * * *"), true, at -> at.getMinute() % 15 == 0),
          new Case(
              Cron.of("10 * * * 1-6"),
              true,
              at -> at.getMinute() == 10 && at.getDayOfWeek().getValue() <= 6));

  @Test
  @Tag("simulation")
  void every_change_of_the_clocks_of_every_zone_is_as_the_model_says() {
    Map<ZoneRules, ZoneId> zones = new LinkedHashMap<>();
    ZoneId.getAvailableZoneIds().stream()
        .sorted()
        .map(ZoneId::of)
        .forEach(zone -> zones.putIfAbsent(zone.getRules(), zone));
    int changes = 0;
    for (ZoneId zone : zones.values()) {
      for (Instant change : changesOf(zone.getRules())) {
        changes++;
        Instant from = change.minus(AROUND);
        Instant to = change.plus(AROUND);
        List<Minute> minutes = minutes(zone, from, to);
        for (Case one : CASES) {
          assertThat(instants(one.cron(), zone, from, to))
              .as("%s in %s around %s", one.cron(), zone, change)
              .isEqualTo(model(one, minutes));
        }
      }
    }
    assertThat(changes).isGreaterThan(400);
  }

  /** Those whose clocks do not change are looked at once. */
  private static List<Instant> changesOf(ZoneRules rules) {
    List<Instant> changes = new ArrayList<>();
    Instant at = FROM;
    while (true) {
      ZoneOffsetTransition next = rules.nextTransition(at);
      if (next == null || next.getInstant().isAfter(TO)) {
        break;
      }
      changes.add(next.getInstant());
      at = next.getInstant();
    }
    return changes.isEmpty() ? List.of(FROM) : changes;
  }

  private static List<Instant> instants(Cron cron, ZoneId zone, Instant from, Instant to) {
    List<Instant> found = new ArrayList<>();
    Instant at = from;
    while (true) {
      Instant next = cron.next(at, zone).orElseThrow();
      if (next.isAfter(to)) {
        return found;
      }
      found.add(next);
      at = next;
    }
  }

  /**
   * A minute of a wall clock.
   *
   * @param isFirst whether the clock shows it for the first time
   * @param skipped what the clock never showed, because it was put forward to this minute
   */
  private record Minute(
      Instant at, LocalDateTime shown, boolean isFirst, List<LocalDateTime> skipped) {}

  /** Begins some hours ahead, so that it knows what the wall clock has shown before. */
  private static List<Minute> minutes(ZoneId zone, Instant from, Instant to) {
    List<Minute> minutes = new ArrayList<>();
    Set<LocalDateTime> shown = new HashSet<>();
    Instant start = from.minus(Duration.ofHours(4));
    LocalDateTime before = LocalDateTime.ofInstant(start, zone).minusMinutes(1);
    for (Instant at = start; !at.isAfter(to); at = at.plusSeconds(60)) {
      LocalDateTime now = LocalDateTime.ofInstant(at, zone);
      boolean isFirst = shown.add(now);
      List<LocalDateTime> skipped = List.of();
      for (LocalDateTime left = before.plusMinutes(1);
          left.isBefore(now);
          left = left.plusMinutes(1)) {
        if (shown.add(left)) {
          skipped = skipped.isEmpty() ? new ArrayList<>() : skipped;
          skipped.add(left);
        }
      }
      if (at.isAfter(from)) {
        minutes.add(new Minute(at, now, isFirst, skipped));
      }
      before = now;
    }
    return minutes;
  }

  private static List<Instant> model(Case one, List<Minute> minutes) {
    List<Instant> due = new ArrayList<>();
    for (Minute minute : minutes) {
      boolean isDue = one.isDue().test(minute.shown()) && (one.isInterval() || minute.isFirst());
      if (isDue || (!one.isInterval() && minute.skipped().stream().anyMatch(one.isDue()))) {
        due.add(minute.at());
      }
    }
    return due;
  }

  @ParameterizedTest
  @CsvSource({
    "30 2 * * *, Europe/Berlin, 2027-03-27T12:00:00Z, 2027-03-28T01:00:00Z", // the gap's end
    "30 2 * * *, Europe/Berlin, 2027-10-30T12:00:00Z, 2027-10-31T00:30:00Z", // the first of two
    "30 2 * * *, Europe/Berlin, 2027-10-31T00:30:00Z, 2027-11-01T01:30:00Z",
    "*/30 * * * *, Europe/Berlin, 2027-10-31T00:30:00Z, 2027-10-31T01:00:00Z", // runs through
    "30 * * * *, Asia/Kolkata, 2027-01-01T00:00:00Z, 2027-01-01T01:00:00Z", // by its own clock
    "0 0 29 2 *, UTC, 2027-01-01T00:00:00Z, 2028-02-29T00:00:00Z"
  })
  void what_people_ask_about(String cron, String zone, Instant after, Instant next) {
    assertThat(Cron.of(cron).next(after, ZoneId.of(zone))).contains(next);
  }

  @Test
  void what_never_comes_has_no_next() {
    assertThat(Cron.of("0 0 31 2 *").next(FROM, ZoneId.of("UTC"))).isEmpty();
  }
}
