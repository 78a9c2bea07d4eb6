package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "reconcile",
    description = {
      "Compares the ledger with what a destination has: by the list in effect.reconcile of a step, or by its guard's lookup.",
      "It waits for the end, at most a minute; 'reconcile show' continues."
    })
public final class ReconcileVerb extends ServerVerb {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Set<String> UNDER_WAY = Set.of("queued", "running", "waiting");

  @Parameters(paramLabel = "FLOW", arity = "0..1", description = "Name of the flow.")
  @Nullable String flow;

  @Option(names = "--step", paramLabel = "STEP", description = "Only effects of this step.")
  @Nullable String step;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only effects that the ledger got at this time or later can be missing.")
  @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Only effects that the ledger got before this time can be missing.")
  @Nullable String to;

  @Option(
      names = "--adopt",
      description =
          "Writes external ids that are found into the ledger, and settles reviews that are found as happened.")
  boolean adopt;

  @Option(
      names = "--repair",
      description =
          "Looks up once more what is missing, and plans how to send it again. Sends nothing: 'reconcile repair' does.")
  boolean repair;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "The most lookups, or pages of a list, in a second (effect.reconcile.rate, or 10).")
  @Nullable Integer rate;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait for the end (${DEFAULT-VALUE}).")
  int wait;

  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("show", Show::new), new VerbEntry("repair", Repair::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws InterruptedException {
    if (flow == null) {
      throw Refusal.usage("'hapax reconcile' needs the name of a flow, show or repair");
    }
    var body = new LinkedHashMap<String, Object>();
    body.put("flow", flow);
    if (step != null) {
      body.put("step", step);
    }
    if (from != null) {
      body.put("from", from);
    }
    if (to != null) {
      body.put("to", to);
    }
    body.put("adopt", adopt);
    if (repair) {
      body.put("repair", true);
    }
    if (rate != null) {
      body.put("rate", rate);
    }
    var found = new Item(server.ask(ServerRequest.post("/api/reconciliations").json(body)).json());
    String id = found.text("id");
    long end = System.nanoTime() + Duration.ofSeconds(wait).toNanos();
    while (UNDER_WAY.contains(found.text("status")) && System.nanoTime() < end) {
      Thread.sleep(PAUSE);
      found = new Item(server.ask(ServerRequest.get("/api/reconciliations/{}", id)).json());
    }
    return told(found.json(), call.paint());
  }

  /** Shows a reconciliation: the totals, and a page of what differs. */
  @Command(name = "show", description = "Shows a reconciliation and what it found.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "ID", description = "Id of the reconciliation.")
    String id = "";

    @Option(
        names = "--result",
        paramLabel = "RESULT",
        description = "Only missing, differs, unknown, doubled or unchecked.")
    @Nullable String result;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Continue after a page: its 'next'.")
    @Nullable String after;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "Maximum number of items, up to 200.")
    @Nullable Integer limit;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      ServerRequest request =
          ServerRequest.get("/api/reconciliations/{}", id)
              .query("result", result)
              .query("after", after)
              .query("limit", limit);
      return told(server.ask(request).json(), call.paint());
    }
  }

  /** Sends again what a reconciliation found missing, as it planned it. */
  @Command(
      name = "repair",
      description = {
        "Sends again what is missing, as a reconciliation with --repair has planned it.",
        "Each effect is looked up once more, and then its run is replayed. Without --reason, it shows a repair that was begun."
      })
  static final class Repair extends ServerVerb {
    @Parameters(paramLabel = "ID", description = "Id of the reconciliation.")
    String id = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Why it is sent again; the history keeps it.")
    @Nullable String reason;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Continue after a page: its 'next'.")
    @Nullable String after;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      ServerRequest request =
          reason == null
              ? ServerRequest.get("/api/reconciliations/{}/repair", id).query("after", after)
              : ServerRequest.post("/api/reconciliations/{}/repair", id)
                  .json(Map.of("reason", reason));
      JsonNode found = server.ask(request).json();
      var all = new Item(found);
      var table = new Table("RESULT", "EFFECT", "RUN", "WHAT");
      for (Item item : all.items("items")) {
        table.row(item.text("result"), item.text("effect"), item.text("run"), item.text("problem"));
      }
      var totals = new Item(found.path("totals"));
      String text =
          table.text(call.paint(), "")
              + "%s is %s: %s replayed, %s there by now, %s stale, %s refused\n"
                  .formatted(
                      all.text("id"),
                      call.paint().status(all.text("status")),
                      totals.text("replayed"),
                      totals.text("found"),
                      totals.text("stale"),
                      totals.text("refused"))
              + (all.text("next").isEmpty()
                  ? ""
                  : "more: hapax reconcile repair %s --after %s\n".formatted(id, all.text("next")));
      return VerbAnswer.of(found, text);
    }
  }

  /** What a person needs to know about an item: where both sides differ, or how to repair it. */
  private static String what(Item item) {
    Item plan = item.inner("repair");
    if (plan.text("effect").isEmpty()) {
      return item.text("fields") + item.text("problem");
    }
    return plan.is("possible")
        ? "would be sent by run %s as revision %s: %s"
            .formatted(plan.text("run"), plan.text("sends"), plan.text("request"))
        : "cannot be repaired: " + plan.text("why");
  }

  private static String repairs(Item all) {
    Item repairs = all.inner("repairs");
    String planned = repairs.text("planned");
    if (planned.isEmpty()) {
      return "";
    }
    String counts =
        "%s can be sent again, %s cannot\n".formatted(planned, repairs.text("impossible"));
    return planned.equals("0")
        ? counts
        : counts
            + "to send them: hapax reconcile repair %s --reason TEXT\n".formatted(all.text("id"));
  }

  private static String numbers(Item totals) {
    String unchecked = totals.text("unchecked");
    return "%s match, %s missing there, %s differ, %s unknown here, %s doubled there%s"
        .formatted(
            totals.text("matches"),
            totals.text("missing"),
            totals.text("differs"),
            totals.text("unknown"),
            totals.text("doubled"),
            unchecked.isEmpty() || unchecked.equals("0") ? "" : ", " + unchecked + " not checked");
  }

  private static VerbAnswer told(JsonNode found, Paint paint) {
    var all = new Item(found);
    var table = new Table("RESULT", "STEP", "KEY", "EFFECT", "EXTERNAL ID", "WHAT");
    for (Item item : all.items("items")) {
      table.row(
          item.text("result"),
          item.text("step"),
          item.text("key"),
          item.text("effect"),
          item.text("externalId"),
          what(item));
    }
    var totals = new Item(found.path("totals"));
    String text =
        table.text(paint, "")
            + "%s is %s: %s\n"
                .formatted(all.text("id"), paint.status(all.text("status")), numbers(totals))
            + (all.text("note").isEmpty() ? "" : all.text("note") + "\n")
            + (found.path("adopt").asBoolean(false)
                ? "%s external ids adopted, %s reviews settled\n"
                    .formatted(all.text("adopted"), all.text("settled"))
                : "")
            + repairs(all)
            + (all.text("next").isEmpty()
                ? ""
                : "more: hapax reconcile show %s --after %s\n"
                    .formatted(all.text("id"), all.text("next")));
    VerbAnswer answer = VerbAnswer.of(found, text);
    return all.text("status").equals("failed")
        ? answer.refused(
            Refusal.of(
                Exit.RUN_FAILED,
                found.at("/error/code").asString("failed"),
                found.at("/error/message").asString("the reconciliation failed")))
        : answer;
  }
}
