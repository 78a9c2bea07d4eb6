package dev.hapax.app.api;

import dev.hapax.Destinations;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Activity;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code /api/overview}: whether anything is wrong, and what was done lately. */
public final class OverviewRoutes {
  private static final Duration LONGEST = Duration.ofDays(31);
  private static final Duration USUAL = Duration.ofDays(1);
  private static final int MOST_SLOTS = 61;

  /** What one question reads at most, so that a busy store answers in a fraction of a second. */
  private static final int MOST_ROWS = 100_000;

  private static final int MOST_CAUSES = 20;

  private static final List<Duration> SLOTS =
      List.of(
          Duration.ofSeconds(15),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofDays(1));

  private final Clock clock;

  public OverviewRoutes(Clock clock) {
    this.clock = clock;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/overview",
                TokenScope.RUNS_READ,
                "Get what runs did in a span of time, and what is open now",
                this::get)
            .about(FlowSubject.LISTED)
            .query("from", "Begin of the span; a day before its end if it is left out.")
            .query("to", "End of the span; now if it is left out. At most 31 days after its begin.")
            .gives(200, OverviewView.class));
  }

  private RouteAnswer get(Call call) {
    call.allowQuery("from", "to");
    Instant now = clock.now();
    Instant to = Objects.requireNonNullElse(Runs.time(call, "to"), now);
    Instant from =
        Runs.inRange(Objects.requireNonNullElse(Runs.time(call, "from"), to.minus(USUAL)));
    to = Runs.inRange(to);
    if (!from.isBefore(to) || from.plus(LONGEST).isBefore(to)) {
      throw Problem.invalidInput(
          "from, to: expected a span of at most 31 days, got '%s' to '%s'".formatted(from, to));
    }
    Activity.Span span = span(from, to);
    Activity found = call.hapax().tenancy().activity(span);
    boolean seesAll = call.actor().flows().isAll();
    return RouteAnswer.ok(
        view(
            now,
            span,
            new Activity(
                kept(call, found.runs(), Activity.Created::flow),
                kept(call, found.failures(), Activity.Failed::flow),
                kept(call, found.open(), Activity.Open::flow),
                kept(call, found.stopped(), Activity.Stopped::flow),
                kept(call, found.reused(), Activity.Reused::flow),
                found.isWhole()),
            seesAll ? destinations(call) : List.of()));
  }

  /** The smallest usual slot, with its begin at a multiple of its length. */
  static Activity.Span span(Instant from, Instant to) {
    Duration slot =
        SLOTS.stream()
            .filter(one -> !from.plus(one.multipliedBy(MOST_SLOTS)).isBefore(to))
            .findFirst()
            .orElse(SLOTS.getLast());
    long begin = Math.floorDiv(from.toEpochMilli(), slot.toMillis()) * slot.toMillis();
    return new Activity.Span(Instant.ofEpochMilli(begin), to, slot, MOST_ROWS);
  }

  @FunctionalInterface
  private interface FlowOf<T> {
    @Nullable String of(T row);
  }

  private static <T> List<T> kept(Call call, List<T> rows, FlowOf<T> flow) {
    if (call.actor().flows().isAll()) {
      return rows;
    }
    return rows.stream()
        .filter(
            row -> {
              String name = flow.of(row);
              return name != null && call.mayUse(name);
            })
        .toList();
  }

  private static OverviewView view(
      Instant now,
      Activity.Span span,
      Activity found,
      List<OverviewView.DestinationState> destinations) {
    return new OverviewView(
        now,
        span.from(),
        span.to(),
        span.slot().toSeconds(),
        found.isWhole(),
        counts(found.runs().stream()),
        slots(span, found.runs()),
        open(found, Activity.Kind.RUNNING),
        open(found, Activity.Kind.WAITING),
        open(found, Activity.Kind.DOUBT),
        open(found, Activity.Kind.REVIEW),
        open(found, Activity.Kind.APPROVAL),
        stopped(found),
        failures(found.failures()),
        destinations);
  }

  private static List<OverviewView.Slot> slots(Activity.Span span, List<Activity.Created> runs) {
    var slots = new ArrayList<OverviewView.Slot>();
    int index = 0;
    for (Instant at = span.from(); at.isBefore(span.to()); at = at.plus(span.slot())) {
      int own = index++;
      slots.add(new OverviewView.Slot(at, counts(runs.stream().filter(one -> one.slot() == own))));
    }
    return slots;
  }

  private static OverviewView.Outcomes counts(Stream<Activity.Created> runs) {
    long[] counts = new long[5];
    runs.forEach(one -> counts[place(one.status())] += one.count());
    return new OverviewView.Outcomes(counts[0], counts[1], counts[2], counts[3], counts[4]);
  }

  private static int place(RunStatus status) {
    return switch (status) {
      case SUCCEEDED -> 0;
      case FAILED, PARTIAL -> 1;
      case REVIEW -> 2;
      case CANCELED, COMPENSATED -> 4;
      default -> 3;
    };
  }

  private static OverviewView.OpenCount open(Activity found, Activity.Kind kind) {
    List<Activity.Open> all = found.open().stream().filter(one -> one.kind() == kind).toList();
    return new OverviewView.OpenCount(
        all.stream().mapToLong(Activity.Open::count).sum(),
        all.stream().map(Activity.Open::oldest).min(Comparator.naturalOrder()).orElse(null));
  }

  private static OverviewView.Doors stopped(Activity found) {
    return new OverviewView.Doors(
        stopped(found, Door.START),
        stopped(found, Door.INBOX),
        stopped(found, Door.CHILD),
        found.reused().stream().mapToLong(Activity.Reused::count).sum(),
        stopped(found, Door.ANSWER));
  }

  private static long stopped(Activity found, Door door) {
    return found.stopped().stream()
        .filter(one -> one.door() == door)
        .mapToLong(Activity.Stopped::count)
        .sum();
  }

  private record Cause(String flow, String code) {}

  /** Runs that failed and runs that failed in part are counted together. */
  private static List<OverviewView.Failing> failures(List<Activity.Failed> failures) {
    Map<Cause, Long> counts = new HashMap<>();
    failures.forEach(
        one -> counts.merge(new Cause(one.flow(), one.code()), one.count(), Long::sum));
    return counts.entrySet().stream()
        .map(
            entry ->
                new OverviewView.Failing(
                    entry.getKey().flow(), entry.getKey().code(), entry.getValue()))
        .sorted(
            Comparator.comparingLong(OverviewView.Failing::count)
                .reversed()
                .thenComparing(OverviewView.Failing::flow)
                .thenComparing(OverviewView.Failing::code))
        .limit(MOST_CAUSES)
        .toList();
  }

  private static List<OverviewView.DestinationState> destinations(Call call) {
    return call.hapax().destinations().states().entrySet().stream()
        .map(entry -> destination(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static OverviewView.DestinationState destination(String name, Destinations.State state) {
    var rate = state.limits().rate();
    return new OverviewView.DestinationState(
        name,
        state.breaker(),
        state.closedUntil(),
        rate == null ? null : rate.limit(),
        rate == null ? null : rate.per().toMillis(),
        state.limits().calls(),
        state.underWay(),
        state.waiting());
  }
}
