package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.run.StoredMessage;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A desk of people who settle reviews. Unlike the person on call they do not wait for attempts that
 * are under way, let time pass between looking and deciding, and have effects undone. What they
 * decide is bound to what they saw.
 */
final class ReviewFeature implements Feature {
  private static final int PEOPLE = 2;

  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();
  private int settled;

  ReviewFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public void begin() {
    for (int i = 0; i < PEOPLE; i++) {
      String name = "clerk-" + i;
      outside.with().scheduler().spawn(null, name, () -> live(name));
    }
  }

  private void live(String name) {
    Choices choices = outside.with().choices();
    int looks = 6 + choices.below(8);
    for (int i = 0; i < looks; i++) {
      pause(choices.oneOf(2_000, 60_000, 400_000));
      var reviews = EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.REVIEW);
      List<EffectRecord> rows =
          outside.durable().effects(reviews).stream()
              .filter(row -> !row.key().name().startsWith(StoredMessage.FLOWS))
              .toList();
      if (!rows.isEmpty()) {
        decide(name, rows.get(choices.below(rows.size())));
      }
    }
  }

  private void decide(String name, EffectRecord row) {
    String mark = name + "-" + ++settled;
    Settlement said = settlement(row, mark);
    if (outside.with().choices().below(2) == 1) {
      pause(outside.with().choices().oneOf(50, 90_000, 1_200_000));
    }
    Hapax hapax = outside.machines().hapax();
    if (said == null || hapax == null) {
      return;
    }
    Run run = outside.durable().run(row.run());
    ClientCall.Answer told = Client.tell(() -> hapax.settle(row.id(), said));
    if (said.decision() == SettleDecision.NOT_HAPPENED && run != null) {
      observations.add(new Observation.SaidNotHappened(run.id().toString(), told));
    }
    if (said.compensate() && run != null) {
      observations.add(new Observation.UndoWanted(run.id().toString(), mark, told));
    }
    outside
        .with()
        .trace()
        .say(outside.with().scheduler().nanos(), () -> name + " " + said + " " + row + ": " + told);
  }

  /** What the destination has is true at once; that it has nothing, only when nothing can land. */
  private @Nullable Settlement settlement(EffectRecord row, String mark) {
    SimulatedDestination destination = SimulatedDestination.named(row.key().name());
    String held = outside.world().held(destination, row.wireKey());
    boolean isUnderWay = outside.world().canStillLand(row.wireKey());
    int what = outside.with().choices().below(4);
    if (what == 1) {
      return Settlement.abandon("nobody will know", mark).seen(row);
    }
    if (held == null) {
      return isUnderWay
          ? null
          : Settlement.notHappened("the destination has nothing", mark).seen(row);
    }
    Settlement happened =
        Settlement.happened(
                held.equals("null") ? null : UnreliableWorld.unquoted(held), "it is there", mark)
            .externalId(LedgerFeature.externalId(row.wireKey()))
            .seen(row);
    return what >= 2 ? happened.thenCompensate() : happened;
  }

  private void pause(int most) {
    int millis = outside.with().choices().below(most);
    outside.with().scheduler().sleep(Duration.ofMillis(millis));
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
