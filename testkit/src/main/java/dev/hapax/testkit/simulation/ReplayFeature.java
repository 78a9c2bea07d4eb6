package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.KeyExpired;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * People plan and apply replays, at any node: at once or long after they planned, two at the same
 * time, and the same plan again.
 */
final class ReplayFeature implements Feature {
  private static final int PEOPLE = 2;

  private final Outside outside;
  private final DrawnReplays wishes;
  private final List<Observation> observations = new ArrayList<>();
  private int applied;

  ReplayFeature(Outside outside) {
    this.outside = outside;
    this.wishes = new DrawnReplays(outside);
  }

  @Override
  public void begin() {
    for (int i = 0; i < PEOPLE; i++) {
      String name = "replayer-" + i;
      outside.with().scheduler().spawn(null, name, () -> live(name));
    }
  }

  private void live(String name) {
    Choices choices = outside.with().choices();
    int visits = 6 + choices.below(10);
    for (int i = 0; i < visits; i++) {
      pause(choices.oneOf(2_000, 60_000, 600_000));
      Hapax hapax = outside.machines().hapax();
      Run run = anyRun();
      if (hapax != null && run != null) {
        replay(name, hapax, run);
      }
    }
  }

  private void replay(String name, Hapax hapax, Run run) {
    Choices choices = outside.with().choices();
    ReplayWish wish = wishes.draw(run);
    ReplayPlan[] made = {null};
    String id = run.id().toString();
    ClientCall.Answer told = tell(() -> made[0] = hapax.replays().plan(id, wish));
    @Nullable ReplayPlan plan = made[0];
    outside
        .with()
        .trace()
        .say(
            outside.with().scheduler().nanos(),
            () -> name + " plans " + id + " as " + wish + ": " + told + " " + plan);
    if (plan == null) {
      return;
    }
    switch (choices.below(5)) {
      case 0, 1 -> pause(choices.oneOf(5, 60_000, 3_600_000)); // by then it is stale, perhaps
      case 2 -> outside.with().scheduler().spawn(null, name + "-twin", () -> apply(name, plan));
      default -> {}
    }
    apply(name, plan);
    if (choices.below(6) == 1) {
      pause(choices.oneOf(5, 600_000));
      apply(name, plan);
    }
  }

  private void apply(String name, ReplayPlan plan) {
    Hapax hapax = outside.machines().hapax();
    if (hapax == null) {
      return;
    }
    String mark = name + "-" + ++applied;
    String reason = "because of " + mark;
    ClientCall.Answer told = tell(() -> hapax.replays().apply(plan, mark, reason));
    observations.add(new Observation.ReplayTold(plan.run(), mark, reason, plan, told));
    outside
        .with()
        .trace()
        .say(outside.with().scheduler().nanos(), () -> mark + " applies " + plan + ": " + told);
  }

  /** Asks a node whose reads may fail. */
  private ClientCall.Answer tell(Runnable call) {
    SimulatedThread me = outside.with().scheduler().current();
    me.hearsRefusals = true;
    try {
      return Client.tell(call);
    } catch (KeyExpired e) {
      return ClientCall.Answer.REFUSED;
    } catch (IllegalStateException | OutOfMemoryError | NoClassDefFoundError e) {
      return ClientCall.Answer.UNKNOWN; // it is closing, or its call met an Error
    } finally {
      me.hearsRefusals = false;
    }
  }

  private void pause(int most) {
    int millis = outside.with().choices().below(most);
    outside.with().scheduler().sleep(Duration.ofMillis(millis));
  }

  /** Mostly one that has ended; the others are refused. */
  private @Nullable Run anyRun() {
    Choices choices = outside.with().choices();
    int whom = choices.below(8);
    List<Run> runs = whom == 1 ? EndedRuns.all(outside) : EndedRuns.of(outside);
    List<Run> undoing =
        whom == 2 ? runs.stream().filter(ReplayFeature::couldNotUndo).toList() : runs;
    List<Run> some = undoing.isEmpty() ? runs : undoing;
    return some.isEmpty() ? null : some.get(choices.below(some.size()));
  }

  private static boolean couldNotUndo(Run run) {
    return run.error() != null && run.error().code().equals("compensation-failed");
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
