package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.StoredMessage;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.ClientCall;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The person on call: settles reviews by looking at the destination, and says "did not happen" only
 * when nothing is under way any more. People's answers are part of the promise, so this person
 * never errs; now and then it gives up.
 */
final class Operator {
  private static final int GIVES_UP_ONE_IN = 8;
  private static final int LEAVES_DONE_ONE_IN = 3;
  private static final int CANCELS_ONE_IN = 3;

  private final Machines machines;
  private final SimulatedStore.Simulated with;
  private final UnreliableWorld world;
  private final Store durable;
  private final List<ClientCall> calls;
  private final Consumer<String> cure;
  private int settled;

  Operator(
      Machines machines,
      SimulatedStore.Simulated with,
      UnreliableWorld world,
      Store durable,
      List<ClientCall> calls,
      Consumer<String> cure) {
    this.machines = machines;
    this.with = with;
    this.world = world;
    this.durable = durable;
    this.calls = calls;
    this.cure = cure;
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
    emptyQuarantine(hapax);
    var reviews = EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.REVIEW);
    for (EffectRecord row : durable.effects(reviews)) {
      boolean isMessage = row.key().name().startsWith(StoredMessage.FLOWS);
      if (!isMessage && !world.canStillLand(row.wireKey())) {
        settle(hapax, row, mayGiveUp);
      }
    }
  }

  /**
   * Removes what makes quarantined runs end processes, and resumes them; cancels some. A run that
   * was alone at two crashes in a row is there too, and nothing is wrong with it.
   */
  private void emptyQuarantine(Hapax hapax) {
    var inReview = RunFilter.of(UnreliableWorld.TENANT).status(RunStatus.REVIEW);
    for (Run run : durable.runs(inReview)) {
      if (run.isQuarantined()) {
        boolean isMessage = run.flow().startsWith(StoredMessage.FLOWS);
        decideAbout(hapax, run.id().toString(), isMessage);
      }
    }
  }

  private void decideAbout(Hapax hapax, String run, boolean isMessage) {
    boolean isWanted = isMessage || with.choices().below(CANCELS_ONE_IN) != 1;
    String mark = "operator-" + ++settled;
    ClientCall.Answer answer;
    if (isWanted) {
      cure.accept(run);
      answer = Client.tell(() -> hapax.resume(run, mark, "the cause is gone"));
    } else {
      answer = Client.tell(() -> hapax.cancel(run, mark, "it ends processes"));
      calls.add(Client.about(ClientCall.Wish.CANCEL, answer, run, mark));
    }
    with.trace()
        .say(
            with.scheduler().nanos(),
            () -> "operator " + (isWanted ? "resumes " : "cancels ") + run + ": " + answer);
  }

  private void settle(Hapax hapax, EffectRecord row, boolean mayGiveUp) {
    String mark = "operator-" + ++settled;
    Settlement settlement = decide(row, mark, mayGiveUp);
    Run run = durable.run(row.run());
    String id = run == null ? "" : run.id().toString();
    var answer = Client.tell(() -> hapax.settle(row.id(), settlement));
    calls.add(Client.about(ClientCall.Wish.SETTLE, answer, id, mark));
    with.trace()
        .say(with.scheduler().nanos(), () -> "operator " + settlement + " " + row + ": " + answer);
  }

  private Settlement decide(EffectRecord row, String mark, boolean mayGiveUp) {
    SimulatedDestination destination = SimulatedDestination.named(row.key().name());
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
