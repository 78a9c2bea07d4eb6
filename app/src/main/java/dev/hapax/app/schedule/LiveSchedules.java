package dev.hapax.app.schedule;

import dev.hapax.CatchUp;
import dev.hapax.NextInstants;
import dev.hapax.Schedule;
import dev.hapax.ScheduleView;
import dev.hapax.Schedules;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.Releases;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands the schedules of live releases to the engine. A promotion replaces their code and keeps
 * their position: due instants are handled, paused schedules stay paused.
 */
public final class LiveSchedules implements Releases.Promoted {
  private final Tenants tenants;
  private final Set<String> owners = ConcurrentHashMap.newKeySet();

  public LiveSchedules(Tenants tenants) {
    this.tenants = tenants;
  }

  @Override
  public void check(FlowName flow, LoadedFlow next) {
    try {
      for (Trigger trigger : next.file().triggers()) {
        if (trigger instanceof ScheduleTrigger schedule) {
          schedules(flow).check(of(next, schedule));
        }
      }
    } catch (IllegalArgumentException | ExpressionFailed e) {
      throw Problem.notPossible(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void promoted(FlowName flow, @Nullable LoadedFlow before, LoadedFlow now) {
    Set<String> names = new HashSet<>();
    for (Trigger trigger : now.file().triggers()) {
      if (trigger instanceof ScheduleTrigger schedule) {
        owners.add(flow.tenant());
        schedules(flow).replace(of(now, schedule));
        names.add(schedule.name());
      }
    }
    for (ScheduleView there : schedules(flow).list()) {
      if (there.flow().equals(flow.flow()) && !names.contains(there.name())) {
        schedules(flow).remove(there.name());
      }
    }
  }

  /** A schedule that comes back later begins anew: nothing is caught up. */
  @Override
  public void retired(FlowName flow) {
    for (ScheduleView there : schedules(flow).list()) {
      if (there.flow().equals(flow.flow())) {
        schedules(flow).remove(there.name());
      }
    }
  }

  /** Returns how many nominal instants this process has left without a run, of all tenants. */
  public long missed() {
    return owners.stream()
        .flatMap(tenant -> tenants.hapax(tenant).schedules().missed().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Returns how many nominal instants got no run here because of other runs, of all tenants. */
  public long skipped() {
    return owners.stream()
        .flatMap(tenant -> tenants.hapax(tenant).schedules().skipped().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private Schedules schedules(FlowName flow) {
    return tenants.hapax(flow.tenant()).schedules();
  }

  private static Schedule<Object> of(LoadedFlow flow, ScheduleTrigger trigger) {
    return Schedule.named(trigger.name())
        .flow(flow.flow())
        .input(instant -> input(flow, trigger, instant))
        .at(instants(trigger))
        .catchUp(
            switch (trigger.catchUp()) {
              case NONE -> CatchUp.NONE;
              case LATEST -> CatchUp.LATEST;
              case ALL -> CatchUp.ALL;
            })
        .overlap(trigger.overlap());
  }

  private static NextInstants instants(ScheduleTrigger trigger) {
    ZoneId zone = Objects.requireNonNullElse(trigger.timezone(), ZoneOffset.UTC);
    return instant -> trigger.cron().next(instant, zone).orElse(null);
  }

  private static Object input(LoadedFlow flow, ScheduleTrigger trigger, Instant instant) {
    ValueTemplate template = trigger.input();
    var schedule = Map.of("name", trigger.name(), "time", instant.toString());
    Object input = template == null ? null : template.value(Scope.of(Map.of("schedule", schedule)));
    return flow.fitting(input == null ? Map.of() : input);
  }
}
