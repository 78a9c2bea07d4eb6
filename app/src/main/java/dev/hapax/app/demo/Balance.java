package dev.hapax.app.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What Hapax believes against what really happened.
 *
 * @param batch the figures of this batch
 * @param all the figures of everything in the folder
 * @param problems each disagreement in words; none if the books agree
 */
record Balance(Figures batch, Figures all, List<String> problems) {
  private static final List<String> KINDS = List.of(Sandbox.CHARGE, Sandbox.INVOICE, Sandbox.MAIL);

  /**
   * Runs as Hapax has them, events as the sandbox's book has them.
   *
   * @param inReview runs that wait for a person
   * @param arrived how many of those had their mail sent all the same; Hapax cannot know, the book
   *     does
   * @param open runs that still have something to do by themselves
   */
  record Figures(
      int orders,
      int charges,
      int invoices,
      int mails,
      int duplicates,
      int inReview,
      int arrived,
      int open) {}

  boolean agrees() {
    return problems.isEmpty();
  }

  static Balance of(Batch batch, Ledger ledger, List<Book.Entry> book) {
    Map<String, Map<String, Integer>> happened = countByOrder(book);
    var problems = new ArrayList<String>();
    Map<String, Ledger.Line> lines = new HashMap<>();
    for (Ledger.Line line : ledger.lines()) {
      lines.put(line.order(), line);
      compare(line, happened.getOrDefault(line.order(), Map.of()), problems);
    }
    for (Order order : batch.orders()) {
      if (!lines.containsKey(order.id())) {
        problems.add("order " + order.id() + " was acknowledged and has no run");
      }
    }
    for (String order : happened.keySet()) {
      if (!lines.containsKey(order)) {
        problems.add(
            "order " + order + " has no run, and yet " + happened.get(order) + " happened");
      }
    }
    return new Balance(
        figures(ledger, happened, order -> order.startsWith(batch.prefix())),
        figures(ledger, happened, _ -> true),
        problems);
  }

  private static Map<String, Map<String, Integer>> countByOrder(List<Book.Entry> book) {
    var counts = new HashMap<String, Map<String, Integer>>();
    for (Book.Entry entry : book) {
      counts
          .computeIfAbsent(entry.order(), _ -> new HashMap<>())
          .merge(entry.kind(), 1, Integer::sum);
    }
    return counts;
  }

  private static void compare(
      Ledger.Line line, Map<String, Integer> happened, List<String> problems) {
    String order = "order %s (run %s, %s)".formatted(line.order(), line.run(), line.status());
    boolean reviewed = line.effects().containsValue("review");
    switch (line.status()) {
      case "succeeded" -> {
        if (!KINDS.stream().allMatch(kind -> "done".equals(line.effects().get(kind)))) {
          problems.add(order + " has ended, but its effects are " + line.effects());
        }
      }
      case "review" -> {
        if (!reviewed) {
          problems.add(
              order + " waits for a person, but none of its effects does: " + line.effects());
        }
      }
      default -> problems.add(order + " has neither succeeded nor is in review");
    }
    for (String kind : KINDS) {
      int count = happened.getOrDefault(kind, 0);
      String state = line.effects().getOrDefault(kind, "never sent");
      if (!fits(state, count)) {
        problems.add(
            "%s: its %s is %s, but happened %d times".formatted(order, kind, state, count));
      }
    }
  }

  /**
   * A doubt in review may have happened or not, that is what the review is about; but never twice.
   */
  private static boolean fits(String state, int count) {
    return switch (state) {
      case "done" -> count == 1;
      case "never sent", "failed" -> count == 0;
      default -> count <= 1;
    };
  }

  private static Figures figures(
      Ledger ledger, Map<String, Map<String, Integer>> happened, Predicate<String> counts) {
    var lines = ledger.lines().stream().filter(line -> counts.test(line.order())).toList();
    var totals = new HashMap<String, Integer>();
    int duplicates = 0;
    for (var order : happened.entrySet()) {
      if (counts.test(order.getKey())) {
        for (var kind : order.getValue().entrySet()) {
          totals.merge(kind.getKey(), kind.getValue(), Integer::sum);
          duplicates += kind.getValue() - 1;
        }
      }
    }
    var inReview =
        lines.stream().filter(Ledger.Line::sentToReview).map(Ledger.Line::order).toList();
    return new Figures(
        lines.size(),
        totals.getOrDefault(Sandbox.CHARGE, 0),
        totals.getOrDefault(Sandbox.INVOICE, 0),
        totals.getOrDefault(Sandbox.MAIL, 0),
        duplicates,
        inReview.size(),
        (int)
            inReview.stream()
                .filter(order -> happened.getOrDefault(order, Map.of()).containsKey(Sandbox.MAIL))
                .count(),
        (int) lines.stream().filter(Ledger.Line::goesOn).count());
  }
}
