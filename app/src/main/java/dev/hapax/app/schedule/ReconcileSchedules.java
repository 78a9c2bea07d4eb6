package dev.hapax.app.schedule;

import dev.hapax.Schedule;
import dev.hapax.ScheduleView;
import dev.hapax.Schedules;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.reconcile.ReconcileFlow;
import dev.hapax.app.reconcile.ReconcileTargets;
import dev.hapax.app.reconcile.ReconcileWish;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.Releases;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overlap;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Cron;
import dev.hapax.flows.trigger.ScheduleTrigger;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands the schedules of {@code effect.reconcile} of live releases to the engine. Each starts a
 * reconciliation of its step; the promotion of a release without it, and a retirement, end it.
 */
public final class ReconcileSchedules implements Releases.Promoted {
  /** Schedules of flow files have other names. */
  private static final String PREFIX = ReconcileFlow.NAME + "/";

  /** Who a scheduled reconciliation decides as. */
  private static final String BY = "schedule";

  private static final int LONGEST_NAME = 128;

  private final Tenants tenants;
  private final Flow<ReconcileWish, ?> flow;

  public ReconcileSchedules(Tenants tenants, Flow<ReconcileWish, ?> flow) {
    this.tenants = tenants;
    this.flow = flow;
  }

  /** Returns the name of the schedule of a step. */
  static String name(String flow, String step) {
    return PREFIX + flow + "/" + step;
  }

  /** Returns the flow that a schedule is about: the one that it starts, or whose effects. */
  static String flowOf(ScheduleView schedule) {
    int step = schedule.name().lastIndexOf('/');
    return isReconciling(schedule) && step > PREFIX.length()
        ? schedule.name().substring(PREFIX.length(), step)
        : schedule.flow();
  }

  static boolean isReconciling(ScheduleView schedule) {
    return schedule.flow().equals(ReconcileFlow.NAME) && schedule.name().startsWith(PREFIX);
  }

  /** Returns the step that the schedule of this name reconciles; null if there is none. */
  static @Nullable FlowStep stepOf(LoadedFlow loaded, String name) {
    return loaded.file().allSteps().stream()
        .filter(step -> timesOf(step) != null && name(loaded.file().name(), step.id()).equals(name))
        .findFirst()
        .orElse(null);
  }

  static EffectContract.@Nullable Times timesOf(FlowStep step) {
    EffectContract effect = step.effect();
    EffectContract.Reconcile reconcile = effect == null ? null : effect.reconcile();
    return reconcile == null ? null : reconcile.times();
  }

  @Override
  public void check(FlowName owner, LoadedFlow next) {
    next.file().triggers().stream()
        .filter(ScheduleTrigger.class::isInstance)
        .map(ScheduleTrigger.class::cast)
        .filter(trigger -> trigger.name().startsWith(PREFIX))
        .findFirst()
        .ifPresent(
            trigger -> {
              throw Problem.notPossible(
                  "schedule '%s': names that begin with %s belong to reconciliations. Choose another name"
                      .formatted(trigger.name(), PREFIX));
            });
    for (FlowStep step : next.file().allSteps()) {
      String name = name(owner.flow(), step.id());
      if (timesOf(step) != null && name.length() > LONGEST_NAME) {
        throw Problem.notPossible(
            "step '%s': the schedule of effect.reconcile is named '%s', and a name has at most %d characters. Shorten the flow's name or the step's id"
                .formatted(step.id(), name, LONGEST_NAME));
      }
    }
  }

  @Override
  public void promoted(FlowName owner, @Nullable LoadedFlow before, LoadedFlow now) {
    Set<String> names = new HashSet<>();
    for (FlowStep step : now.file().allSteps()) {
      EffectContract.Times times = timesOf(step);
      if (times != null) {
        Schedule<ReconcileWish> schedule = of(owner, now, step, times);
        schedules(owner).replace(schedule);
        names.add(schedule.name());
      }
    }
    remove(owner, names);
  }

  @Override
  public void retired(FlowName owner) {
    remove(owner, Set.of());
  }

  private void remove(FlowName owner, Set<String> without) {
    for (ScheduleView there : schedules(owner).list()) {
      if (isReconciling(there)
          && flowOf(there).equals(owner.flow())
          && !without.contains(there.name())) {
        schedules(owner).remove(there.name());
      }
    }
  }

  private Schedules schedules(FlowName owner) {
    return tenants.hapax(owner.tenant()).schedules();
  }

  private Schedule<ReconcileWish> of(
      FlowName owner, LoadedFlow loaded, FlowStep step, EffectContract.Times times) {
    Cron cron = Cron.of(times.cron());
    ZoneId zone = times.timezone() == null ? ZoneOffset.UTC : ZoneId.of(times.timezone());
    String name = name(owner.flow(), step.id());
    List<ReconcileWish.Target> targets = ReconcileTargets.of(loaded, step.id());
    return Schedule.named(name)
        .flow(flow)
        .input(
            instant ->
                new ReconcileWish(
                    owner.tenant(),
                    owner.flow(),
                    loaded.flow().release(),
                    targets,
                    times.last() == null ? null : instant.minus(times.last()).toString(),
                    instant.toString(),
                    times.adopt(),
                    BY,
                    ReconcileTargets.rate(loaded, targets),
                    null,
                    name))
        .at((Instant instant) -> cron.next(instant, zone).orElse(null))
        .overlap(Overlap.SKIP);
  }
}
