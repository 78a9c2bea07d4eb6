package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.ImportReport;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.LedgerRow;
import dev.hapax.run.StoredMessage;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * People bring in effects that another system has done, before, while and after runs claim their
 * keys; and note the ids that effects have at their destinations.
 */
final class LedgerFeature implements Feature {
  private static final int KEYS = 3;
  private static final String ID = "x-";

  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();
  private int adopted;

  LedgerFeature(Outside outside) {
    this.outside = outside;
  }

  /** The id that a destination gives to what it got under this key. */
  static String externalId(String wireKey) {
    return ID + wireKey;
  }

  @Override
  public void begin() {
    outside.with().scheduler().spawn(null, "importer", () -> live(2, this::bringIn));
    outside.with().scheduler().spawn(null, "reconciler", () -> live(6, this::adopt));
  }

  private void live(int most, Runnable act) {
    Choices choices = outside.with().choices();
    int visits = 1 + choices.below(most);
    for (int i = 0; i < visits; i++) {
      pause(choices.oneOf(5, 20_000, 1_200_000));
      act.run();
    }
  }

  private void bringIn() {
    Choices choices = outside.with().choices();
    SimulatedDestination to =
        SimulatedDestination.ALL.get(choices.below(SimulatedDestination.ALL.size()));
    Hapax hapax = outside.machines().hapax();
    if (hapax == null || to.kind() == Kind.ADDITIVE) {
      return;
    }
    String key = "key-" + choices.below(KEYS);
    LedgerRow row = LedgerRow.of(to.name(), key, to.kind()).output("\"imported\"");
    ImportReport[] got = {null};
    ClientCall.Answer told = tell(() -> got[0] = hapax.ledger().bringIn(List.of(row), "importer"));
    @Nullable ImportReport report = got[0];
    ClientCall.Answer answer =
        report == null || report.added() > 0
            ? told
            : report.same() > 0 ? ClientCall.Answer.DUPLICATE : ClientCall.Answer.KEY_REUSED;
    observations.add(new Observation.EffectImported(to.name(), key, to.kind(), answer));
    outside
        .with()
        .trace()
        .say(outside.with().scheduler().nanos(), () -> "import " + row + ": " + answer);
  }

  /** Reads a row, lets time pass, and notes the id of what it read. */
  private void adopt() {
    Choices choices = outside.with().choices();
    var done = EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.DONE);
    List<EffectRecord> rows =
        outside.durable().effects(done).stream()
            .filter(row -> !row.key().name().startsWith(StoredMessage.FLOWS) && !row.isImported())
            .toList();
    if (rows.isEmpty()) {
      return;
    }
    EffectRecord row = rows.get(choices.below(rows.size()));
    pause(choices.oneOf(5, 60_000, 1_200_000));
    Hapax hapax = outside.machines().hapax();
    if (hapax == null) {
      return;
    }
    String id = externalId(row.wireKey()) + "-" + ++adopted;
    boolean[] isTaken = {false};
    ClientCall.Answer told = tell(() -> isTaken[0] = hapax.ledger().adopt(row, id));
    ClientCall.Answer answer =
        told == ClientCall.Answer.ACCEPTED && !isTaken[0] ? ClientCall.Answer.REFUSED : told;
    observations.add(new Observation.IdAdopted(row.number(), row.wireKey(), id, answer));
  }

  private static ClientCall.Answer tell(Runnable call) {
    try {
      return Client.tell(call);
    } catch (IllegalStateException e) {
      return ClientCall.Answer.UNKNOWN; // it is closing
    }
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
