package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.OutgoingMessage;
import dev.hapax.run.Run;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.Call;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The person on call: settles reviews by looking at the destination, and says "did not happen" only
 * when nothing is under way any more. People's answers are part of the promise, so this person
 * never errs; now and then it gives up.
 */
final class Operator {
  private static final int GIVES_UP_ONE_IN = 8;
  private static final int LEAVES_DONE_ONE_IN = 3;

  private final Machines machines;
  private final SimulatedStore.Simulated with;
  private final UnreliableWorld world;
  private final Store durable;
  private final List<Call> calls;
  private int settled;

  Operator(
      Machines machines,
      SimulatedStore.Simulated with,
      UnreliableWorld world,
      Store durable,
      List<Call> calls) {
    this.machines = machines;
    this.with = with;
    this.world = world;
    this.durable = durable;
    this.calls = calls;
  }

  void live(int howOften) {
    for (int i = 0; i < howOften; i++) {
      with.scheduler().sleep(Duration.ofSeconds(1L + with.choices().below(900)));
      settleAll(true);
    }
  }

  /** Settles everything that can be settled now. */
  void settleAll(boolean mayGiveUp) {
    Hapax hapax = machines.hapax();
    if (hapax == null) {
      return;
    }
    var reviews = EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.REVIEW);
    for (EffectRecord row : durable.effects(reviews)) {
      boolean isMessage = row.key().name().startsWith(OutgoingMessage.FLOWS);
      if (!isMessage && !world.canStillLand(row.wireKey())) {
        settle(hapax, row, mayGiveUp);
      }
    }
  }

  private void settle(Hapax hapax, EffectRecord row, boolean mayGiveUp) {
    String mark = "operator-" + ++settled;
    Settlement settlement = decide(row, mark, mayGiveUp);
    Run run = durable.run(row.run());
    String id = run == null ? "" : run.id().toString();
    var answer = Client.tell(() -> hapax.settle(row.id(), settlement));
    calls.add(Client.about(Call.Wish.SETTLE, answer, id, mark));
    with.trace()
        .say(with.scheduler().nanos(), () -> "operator " + settlement + " " + row + ": " + answer);
  }

  private Settlement decide(EffectRecord row, String mark, boolean mayGiveUp) {
    Destination destination = Destination.named(row.key().name());
    int givesUp = destination.undoes() == null ? GIVES_UP_ONE_IN : LEAVES_DONE_ONE_IN;
    if (mayGiveUp && with.choices().below(givesUp) == 1) {
      return Settlement.abandon("nobody will know", mark);
    }
    String held = world.held(destination, row.wireKey());
    return held == null
        ? Settlement.notHappened("the destination has nothing", mark)
        : Settlement.happened(resultIn(held), "found at the destination", mark);
  }

  /** Reads the result; an undo has none. */
  private static @Nullable String resultIn(String held) {
    return held.equals("null") ? null : UnreliableWorld.unquoted(held);
  }
}
