package dev.hapax.app.demo;

import dev.hapax.flow.RunStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of Hapax from its API: every run of the folder, every effect, and how the doubts of one
 * batch were settled.
 */
record Ledger(List<Line> runs, List<Sent> effects, Stops stops) {

  /** One run. */
  record Line(String id, String flow, String key, String status, @Nullable Why error) {
    boolean isInReview() {
      return status.equals(RunStatus.REVIEW.word());
    }

    boolean isQuarantined() {
      return isInReview() && error != null && "quarantined".equals(error.code());
    }

    /** Returns whether it has something to do by itself, or when the clerk has resumed it. */
    boolean goesOn() {
      return isQuarantined() || (!isInReview() && !RunStatus.of(status).isEnd());
    }
  }

  /** Why a run failed or is in review. */
  record Why(@Nullable String code) {}

  /** One effect. */
  record Sent(String name, String key, String state) {}

  /**
   * How often something could have happened twice and did not, by what stopped it.
   *
   * @param busy requests that the outside refused with nothing done; they were sent again
   * @param byKey lost answers of payment and warehouse, sent again with the same key
   * @param bySameOperation lost answers about a PUT or DELETE, which was sent again
   * @param foundByLookup lost answers of accounting where the invoice was there
   * @param absentByLookup lost answers of accounting where it was proved not to be there, and sent
   *     again
   * @param undone reservations that were given back
   */
  record Stops(
      int busy,
      int byKey,
      int bySameOperation,
      int foundByLookup,
      int absentByLookup,
      int undone) {}

  /** A page of runs. */
  record Runs(List<Line> items, @Nullable String next) implements ServerDoor.Page<Line> {}

  private record Effects(List<Sent> items, @Nullable String next)
      implements ServerDoor.Page<Sent> {}

  private record Entry(String type, @Nullable String guard, @Nullable String decision) {}

  private record History(List<Entry> items, @Nullable String next)
      implements ServerDoor.Page<Entry> {}

  /** Returns null if the server became unreachable meanwhile. */
  static @Nullable Ledger read(ServerDoor server, OrderBatch batch) throws InterruptedException {
    List<Line> runs = server.all("/api/runs", Runs.class);
    List<Sent> effects = server.all("/api/effects", Effects.class);
    if (runs == null || effects == null) {
      return null;
    }
    var entries = new ArrayList<Entry>();
    for (Line run : runs) {
      if (batch.owns(run.key())) {
        List<Entry> history = server.all("/api/runs/%s/history".formatted(run.id()), History.class);
        if (history == null) {
          return null;
        }
        entries.addAll(history);
      }
    }
    return new Ledger(runs, effects, stops(entries, batch, effects));
  }

  private static Stops stops(List<Entry> entries, OrderBatch batch, List<Sent> effects) {
    int busy = 0;
    int byKey = 0;
    int byOperation = 0;
    int found = 0;
    int absent = 0;
    for (Entry entry : entries) {
      switch (entry.type()) {
        case "not-applied" -> busy++;
        case "doubt" -> {
          byKey += "keyed".equals(entry.guard()) ? 1 : 0;
          byOperation += "upsert".equals(entry.guard()) ? 1 : 0;
        }
        case "absent" -> absent++;
        case "done" -> found += "found by lookup".equals(entry.decision()) ? 1 : 0;
        default -> {}
      }
    }
    int undone =
        (int)
            effects.stream()
                .filter(effect -> effect.name().equals(Happening.GIVEN_BACK.effect()))
                .filter(effect -> batch.owns(effect.key()) && effect.state().equals("done"))
                .count();
    return new Stops(busy, byKey, byOperation, found, absent, undone);
  }
}
