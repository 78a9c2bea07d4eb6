package dev.hapax.app.schedule;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.release.Flows;
import dev.hapax.app.wire.Page;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.Trigger;
import dev.hapax.schedule.ScheduleView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/schedules}: list, pause, resume and backfill. */
public final class ScheduleRoutes {
  private final Flows flows;

  public ScheduleRoutes(Flows flows) {
    this.flows = flows;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/schedules", Scope.SCHEDULES_READ, "Schedules, by name", this::list)
            .givesPage(Schedule.class),
        Route.get("/api/schedules/{name}", Scope.SCHEDULES_READ, "A schedule", this::get)
            .gives(200, Schedule.class),
        Route.post(
                "/api/schedules/{name}/pause", Scope.SCHEDULES_WRITE, "Start nothing", this::pause)
            .gives(200, Schedule.class),
        Route.post("/api/schedules/{name}/resume", Scope.SCHEDULES_WRITE, "Go on", this::resume)
            .gives(200, Schedule.class),
        Route.post(
                "/api/schedules/{name}/backfill",
                Scope.SCHEDULES_WRITE,
                "Start the runs of a time that has passed",
                this::backfill)
            .takes(BackfillBody.class)
            .gives(200, Backfilled.class));
  }

  private Answer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    List<ScheduleView> left =
        call.hapax().schedules().list().stream()
            .filter(schedule -> after == null || schedule.name().compareTo(after) > 0)
            .sorted(Comparator.comparing(ScheduleView::name))
            .toList();
    return Answer.ok(
        Page.of(left, call.limit(), schedule -> shown(call, schedule), ScheduleView::name));
  }

  private Answer get(Call call) {
    return Answer.ok(shown(call, found(call)));
  }

  private Answer pause(Call call) {
    call.hapax().schedules().pause(found(call).name());
    return get(call);
  }

  private Answer resume(Call call) {
    call.hapax().schedules().resume(found(call).name());
    return get(call);
  }

  /** Both ends are included. */
  record BackfillBody(@Nullable Instant from, @Nullable Instant to) {}

  /** The number of runs that it started; an instant that had its run gets no other. */
  record Backfilled(int started) {}

  private Answer backfill(Call call) {
    BackfillBody range = call.json(BackfillBody.class);
    Instant from = range.from();
    Instant to = range.to();
    if (from == null || to == null) {
      throw Problem.invalidInput("from, to: expected two times in ISO-8601");
    }
    return Answer.ok(
        new Backfilled(call.hapax().schedules().backfill(found(call).name(), from, to)));
  }

  private static ScheduleView found(Call call) {
    String name = call.path("name");
    return call.hapax().schedules().list().stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> Problem.notFound("there is no schedule '%s'".formatted(name)));
  }

  private Schedule shown(Call call, ScheduleView schedule) {
    long missed = call.hapax().schedules().missed().getOrDefault(schedule.name(), 0L);
    return Schedule.of(schedule, trigger(call, schedule), missed);
  }

  /** Returns null for a schedule that was not made by a flow file. */
  private Trigger.@Nullable Schedule trigger(Call call, ScheduleView schedule) {
    LoadedFlow flow = flows.find(call.actor().tenant(), schedule.flow());
    if (flow != null) {
      for (Trigger trigger : flow.file().triggers()) {
        if (trigger instanceof Trigger.Schedule found && found.name().equals(schedule.name())) {
          return found;
        }
      }
    }
    return null;
  }
}
