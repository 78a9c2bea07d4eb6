package dev.hapax.app.schedule;

import dev.hapax.ScheduleView;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.Flows;
import dev.hapax.app.wire.Page;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/schedules}: list, pause, resume and backfill. */
public final class ScheduleRoutes {
  private static final FlowSubject OF_SCHEDULE =
      FlowSubject.of("schedule", "name", call -> ReconcileSchedules.flowOf(found(call)));

  private final Flows flows;

  public ScheduleRoutes(Flows flows) {
    this.flows = flows;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/schedules", TokenScope.SCHEDULES_READ, "List schedules by name", this::list)
            .about(FlowSubject.LISTED)
            .givesPage(ScheduleJson.class),
        Route.get("/api/schedules/{name}", TokenScope.SCHEDULES_READ, "Get a schedule", this::get)
            .about(OF_SCHEDULE)
            .gives(200, ScheduleJson.class),
        Route.post(
                "/api/schedules/{name}/pause",
                TokenScope.SCHEDULES_WRITE,
                "Pause a schedule: it starts nothing",
                this::pause)
            .about(OF_SCHEDULE)
            .gives(200, ScheduleJson.class),
        Route.post(
                "/api/schedules/{name}/resume",
                TokenScope.SCHEDULES_WRITE,
                "Resume a schedule",
                this::resume)
            .about(OF_SCHEDULE)
            .gives(200, ScheduleJson.class),
        Route.post(
                "/api/schedules/{name}/backfill",
                TokenScope.SCHEDULES_WRITE,
                "Start the runs of a past period",
                this::backfill)
            .about(OF_SCHEDULE)
            .takes(BackfillBody.class)
            .gives(200, Backfilled.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    List<ScheduleView> left =
        call.hapax().schedules().list().stream()
            .filter(schedule -> call.mayUse(ReconcileSchedules.flowOf(schedule)))
            .filter(schedule -> after == null || schedule.name().compareTo(after) > 0)
            .sorted(Comparator.comparing(ScheduleView::name))
            .toList();
    return RouteAnswer.ok(
        Page.of(left, call.limit(), schedule -> shown(call, schedule), ScheduleView::name));
  }

  private RouteAnswer get(Call call) {
    return RouteAnswer.ok(shown(call, found(call)));
  }

  private RouteAnswer pause(Call call) {
    call.hapax().schedules().pause(found(call).name());
    return get(call);
  }

  private RouteAnswer resume(Call call) {
    call.hapax().schedules().resume(found(call).name());
    return get(call);
  }

  /** Both ends are included. */
  record BackfillBody(@Nullable Instant from, @Nullable Instant to) {}

  /** The number of runs that it started; an instant that had its run gets no other. */
  record Backfilled(int started) {}

  private RouteAnswer backfill(Call call) {
    BackfillBody range = call.json(BackfillBody.class);
    Instant from = range.from();
    Instant to = range.to();
    if (from == null || to == null) {
      throw Problem.invalidInput("from, to: expected two times such as 2026-11-15T10:00:00Z");
    }
    return RouteAnswer.ok(
        new Backfilled(call.hapax().schedules().backfill(found(call).name(), from, to)));
  }

  private static ScheduleView found(Call call) {
    String name = call.path("name");
    return call.hapax().schedules().list().stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> Problem.notFound("there is no schedule '%s'".formatted(name)));
  }

  private ScheduleJson shown(Call call, ScheduleView schedule) {
    long missed = call.hapax().schedules().missed().getOrDefault(schedule.name(), 0L);
    return ScheduleJson.of(schedule, terms(call, schedule), missed);
  }

  private ScheduleJson.Terms terms(Call call, ScheduleView schedule) {
    LoadedFlow flow = flows.find(call.actor().tenant(), ReconcileSchedules.flowOf(schedule));
    if (flow == null) {
      return ScheduleJson.Terms.UNKNOWN;
    }
    for (Trigger trigger : flow.file().triggers()) {
      if (trigger instanceof ScheduleTrigger found && found.name().equals(schedule.name())) {
        return ScheduleJson.Terms.of(found);
      }
    }
    FlowStep step = ReconcileSchedules.stepOf(flow, schedule.name());
    EffectContract.Times times = step == null ? null : ReconcileSchedules.timesOf(step);
    return step == null || times == null
        ? ScheduleJson.Terms.UNKNOWN
        : ScheduleJson.Terms.of(step, times);
  }
}
