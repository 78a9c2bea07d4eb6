package dev.hapax.app.schedule;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.release.Flows;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.Trigger;
import dev.hapax.schedule.ScheduleView;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/schedules}: what is started when, pause, resume and backfill. */
public final class ScheduleRoutes {
  private final Flows flows;

  public ScheduleRoutes(Flows flows) {
    this.flows = flows;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/schedules", Scope.SCHEDULES_READ, "Schedules, by name", this::list),
        Route.get("/api/schedules/{name}", Scope.SCHEDULES_READ, "A schedule", this::get),
        Route.post(
            "/api/schedules/{name}/pause", Scope.SCHEDULES_WRITE, "Start nothing", this::pause),
        Route.post("/api/schedules/{name}/resume", Scope.SCHEDULES_WRITE, "Go on", this::resume),
        Route.post(
            "/api/schedules/{name}/backfill",
            Scope.SCHEDULES_WRITE,
            "Start the runs of a time that has passed",
            this::backfill));
  }

  private Answer list(Call call) {
    call.allowQuery();
    var page = new LinkedHashMap<String, @Nullable Object>();
    page.put(
        "items",
        call.hapax().schedules().list().stream().map(schedule -> json(call, schedule)).toList());
    page.put("next", null);
    return Answer.ok(page);
  }

  private Answer get(Call call) {
    return Answer.ok(json(call, found(call)));
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
  record BackfillRequest(@Nullable Instant from, @Nullable Instant to) {}

  private Answer backfill(Call call) {
    BackfillRequest range = call.json(BackfillRequest.class);
    Instant from = range.from();
    Instant to = range.to();
    if (from == null || to == null) {
      throw Problem.invalidInput("from, to: expected two times in ISO-8601");
    }
    return Answer.ok(
        Map.of("started", call.hapax().schedules().backfill(found(call).name(), from, to)));
  }

  private static ScheduleView found(Call call) {
    String name = call.path("name");
    return call.hapax().schedules().list().stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> Problem.notFound("there is no schedule '%s'".formatted(name)));
  }

  private Map<String, @Nullable Object> json(Call call, ScheduleView schedule) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", schedule.name());
    json.put("flow", schedule.flow());
    Trigger.Schedule trigger = trigger(call, schedule);
    ZoneId zone = trigger == null ? null : trigger.timezone();
    json.put("cron", trigger == null ? null : trigger.cron().text());
    json.put("timezone", zone == null ? null : zone.getId());
    json.put("catchUp", trigger == null ? null : trigger.catchUp().name().toLowerCase(Locale.ROOT));
    json.put("paused", schedule.isPaused());
    json.put("next", schedule.next());
    json.put("lastAt", schedule.lastAt());
    json.put("missed", call.hapax().schedules().missed().getOrDefault(schedule.name(), 0L));
    json.put("note", schedule.note());
    return json;
  }

  /** Null for a schedule that was not made by a flow file. */
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
