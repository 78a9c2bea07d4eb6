package dev.hapax.app.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compares the state of Hapax with the sandbox's book.
 *
 * @param batch the figures of this batch
 * @param all the figures of everything in the folder
 * @param problems each disagreement in words; none if the books agree
 */
record Balance(Figures batch, Figures all, List<String> problems) {
  /** The flows that every order goes through, and how a run of each may end. */
  private static final Map<String, Set<String>> ENDS =
      Map.of(
          "order-to-invoice", Set.of("succeeded", "review"),
          "pay-order", Set.of("succeeded"),
          "ship-order", Set.of("succeeded", "compensated"));

  private static final String POINTS_FLOW = "give-points";

  /**
   * Counts of runs as Hapax has them, and of events as the sandbox's book has them.
   *
   * @param inReview runs that wait for a person
   * @param arrived how many of those had their mail sent nevertheless; Hapax cannot know, the book
   *     does
   * @param open runs that still have something to do by themselves
   */
  record Figures(
      int orders,
      int charges,
      int invoices,
      int mails,
      int parcels,
      int points,
      int duplicates,
      int inReview,
      int arrived,
      int open) {}

  boolean agrees() {
    return problems.isEmpty();
  }

  static Balance of(OrderBatch batch, Ledger ledger, List<Book.Entry> book) {
    return new Comparison(batch, ledger, countByOrder(book)).balance();
  }

  private static Map<String, Map<Happening, Integer>> countByOrder(List<Book.Entry> book) {
    var counts = new HashMap<String, Map<Happening, Integer>>();
    for (Book.Entry entry : book) {
      counts
          .computeIfAbsent(entry.order(), _ -> new EnumMap<>(Happening.class))
          .merge(entry.kind(), 1, Integer::sum);
    }
    return counts;
  }

  private record Comparison(
      OrderBatch batch,
      Ledger ledger,
      Map<String, Map<Happening, Integer>> happened,
      List<String> problems) {

    Comparison(OrderBatch batch, Ledger ledger, Map<String, Map<Happening, Integer>> happened) {
      this(batch, ledger, happened, new ArrayList<>());
    }

    Balance balance() {
      ledger.runs().forEach(this::compareEnd);
      findLostRuns();
      Set<String> believed = new HashSet<>();
      for (Happening kind : Happening.values()) {
        for (Ledger.Sent effect : ledger.effects()) {
          if (effect.name().equals(kind.effect())) {
            believed.add(kind + "/" + effect.key());
            compareEffect(kind, effect);
          }
        }
      }
      findUnknown(believed);
      return new Balance(figures(batch::owns), figures(_ -> true), problems);
    }

    private void compareEnd(Ledger.Line run) {
      Set<String> ends = ENDS.getOrDefault(run.flow(), Set.of("succeeded"));
      String what = "run %s of %s '%s'".formatted(run.id(), run.flow(), run.key());
      if (!ends.contains(run.status())) {
        problems.add("%s is %s, which is not an end for it".formatted(what, run.status()));
      }
      if (run.flow().equals("ship-order")) {
        boolean isUndone = run.status().equals("compensated");
        if (count(run.key(), Happening.GIVEN_BACK) != (isUndone ? 1 : 0)
            || (isUndone && count(run.key(), Happening.PARCEL) != 0)) {
          problems.add(
              "%s is %s, but %s happened".formatted(what, run.status(), happened.get(run.key())));
        }
      }
    }

    private void findLostRuns() {
      Set<String> there = new HashSet<>();
      ledger.runs().forEach(run -> there.add(run.flow() + "/" + run.key()));
      for (Order order : batch.orders()) {
        for (String flow : ENDS.keySet()) {
          if (!there.contains(flow + "/" + order.orderId())) {
            problems.add(
                "order %s was acknowledged and has no run of %s".formatted(order.orderId(), flow));
          }
        }
      }
      if (!there.contains(POINTS_FLOW + "/" + batch.prefix())) {
        problems.add("batch %s has no run of %s".formatted(batch.prefix(), POINTS_FLOW));
      }
    }

    private void compareEffect(Happening kind, Ledger.Sent effect) {
      int count = count(effect.key(), kind);
      if (!fits(effect.state(), count)) {
        problems.add(
            "order %s: its %s is %s, but happened %d times"
                .formatted(effect.key(), effect.name(), effect.state(), count));
      }
    }

    /**
     * A doubt in review may have happened or not, which is the reason for the review, but never
     * twice.
     */
    private static boolean fits(String state, int count) {
      return switch (state) {
        case "done", "undone" -> count == 1;
        case "failed" -> count == 0;
        default -> count <= 1;
      };
    }

    private void findUnknown(Set<String> believed) {
      happened.forEach(
          (order, kinds) ->
              kinds.keySet().stream()
                  .filter(kind -> !believed.contains(kind + "/" + order))
                  .forEach(
                      kind ->
                          problems.add(
                              "order %s: %s happened, but Hapax has no record of it"
                                  .formatted(order, kind.effect()))));
    }

    private int count(String order, Happening kind) {
      return happened.getOrDefault(order, Map.of()).getOrDefault(kind, 0);
    }

    private Figures figures(Predicate<String> counts) {
      var totals = new EnumMap<Happening, Integer>(Happening.class);
      int duplicates = 0;
      for (var order : happened.entrySet()) {
        if (counts.test(order.getKey())) {
          for (var kind : order.getValue().entrySet()) {
            totals.merge(kind.getKey(), kind.getValue(), Integer::sum);
            duplicates += kind.getValue() - 1;
          }
        }
      }
      var runs = ledger.runs().stream().filter(run -> counts.test(run.key())).toList();
      var inReview = runs.stream().filter(Ledger.Line::isInReview).map(Ledger.Line::key).toList();
      return new Figures(
          (int) runs.stream().filter(run -> run.flow().equals("order-to-invoice")).count(),
          totals.getOrDefault(Happening.CHARGE, 0),
          totals.getOrDefault(Happening.INVOICE, 0),
          totals.getOrDefault(Happening.MAIL, 0),
          totals.getOrDefault(Happening.PARCEL, 0),
          totals.getOrDefault(Happening.POINTS, 0),
          duplicates,
          inReview.size(),
          (int) inReview.stream().filter(order -> count(order, Happening.MAIL) > 0).count(),
          (int) runs.stream().filter(Ledger.Line::goesOn).count());
    }
  }
}
