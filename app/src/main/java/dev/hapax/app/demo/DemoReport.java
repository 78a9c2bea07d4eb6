package dev.hapax.app.demo;

import dev.hapax.flow.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of the demo: text for people, data for programs. */
public record DemoReport(
    OrderBatch batch,
    DemoFolder folder,
    Shop.Count deliveries,
    Balance balance,
    Ledger.Stops stops,
    double seconds) {
  private static final int MOST_PROBLEMS_SHOWN = 20;

  public String text() {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add(figures());
    lines.add(balance.agrees() ? "The books agree." : "THE BOOKS DO NOT AGREE:");
    balance.problems().stream()
        .limit(MOST_PROBLEMS_SHOWN)
        .forEach(problem -> lines.add("  " + problem));
    if (balance.problems().size() > MOST_PROBLEMS_SHOWN) {
      lines.add("  and %d more".formatted(balance.problems().size() - MOST_PROBLEMS_SHOWN));
    }
    if (batch.number() > 1) {
      lines.add(
          "All %d batches of this folder: %s".formatted(batch.number(), words(balance.all())));
    }
    lines.add("");
    lines.addAll(whatWasStopped());
    lines.add("");
    lines.addAll(whatToTry());
    return String.join("\n", lines);
  }

  public boolean agrees() {
    return balance.agrees();
  }

  public List<String> problems() {
    return balance.problems();
  }

  public double roundedSeconds() {
    return Double.parseDouble(String.format(Locale.ROOT, "%.1f", seconds));
  }

  /** Returns the books in one line. */
  public String figures() {
    return "%,d deliveries · %s".formatted(deliveries.acknowledged(), words(balance.batch()));
  }

  private static String words(Balance.Figures figures) {
    String open = figures.open() == 0 ? "" : " · %d not settled".formatted(figures.open());
    return "%d orders · %d charges · %d invoices · %d mails · %d parcels · %d duplicates · %d in review%s"
        .formatted(
            figures.orders(),
            figures.charges(),
            figures.invoices(),
            figures.mails(),
            figures.parcels(),
            figures.duplicates(),
            figures.inReview(),
            open);
  }

  private List<String> whatWasStopped() {
    return List.of(
        "What could have gone wrong twice, and what stopped it:",
        row(
            deliveries.duplicates(),
            "delivery or start came again",
            "inbox and run key: it got the first run"),
        row(
            deliveries.unanswered(),
            "delivery got no answer",
            "sent again until the server had it on disk"),
        row(
            stops.byKey(),
            "answer of payment or warehouse was lost",
            "guard keyed: sent again with the same Idempotency-Key"),
        row(
            stops.bySameOperation(),
            "answer to a PUT or DELETE was lost",
            "guard upsert: sent again, which changes nothing"),
        row(
            stops.foundByLookup(),
            "answer of accounting was lost",
            "guard lookup: found, so not sent again"),
        row(
            stops.absentByLookup(),
            "request to accounting was lost",
            "guard lookup: proved absent, then sent again"),
        row(stops.busy(), "request was turned away", "nothing had happened: sent again"),
        row(
            stops.undone(),
            "order could not be shipped",
            "compensation: its reservation was given back"),
        row(
            balance.batch().inReview(),
            "answer of mail was lost",
            "guard none: in review, a person decides (%d did arrive, says the sandbox)"
                .formatted(balance.batch().arrived())));
  }

  private static String row(int count, String what, String why) {
    return "  %5d × %-40s %s".formatted(count, what, why);
  }

  private List<String> whatToTry() {
    boolean isUsual = folder.path().equals(DemoOptions.USUAL_FOLDER);
    String again = "  ./hapax demo" + (isUsual ? "" : " --data " + folder.path());
    String there = " --data " + folder.server();
    return List.of(
        "Try next:",
        again + "    a new batch in the same folder; the books over all of them must still agree",
        again
            + " --orders 1000    and while it runs kill -9 the server, or all of it, and start it again",
        again + " --keep    the server stays up; in another terminal:",
        "  ./hapax runs" + there + "    what ran",
        "  ./hapax effects --state review" + there + "    what a person has to look at",
        "  ./hapax explain %s%s    what happened, and what is safe to do"
            .formatted(
                RunId.of("default", "order-to-invoice", batch.orders().getFirst().orderId(), null),
                there));
  }

  /** Returns the data for programs. */
  public Object data() {
    return new Data(
        batch.number(),
        batch.seed(),
        deliveries.acknowledged(),
        deliveries.duplicates(),
        balance.batch(),
        balance.all(),
        stops);
  }

  private record Data(
      int batch,
      long seed,
      int deliveries,
      int duplicateDeliveries,
      Balance.Figures books,
      Balance.Figures allBatches,
      Ledger.Stops stopped) {}
}
