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
      "Compares the ledger with what a destination has, by the effect.reconcile of a flow's steps.",
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
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait for the end (${DEFAULT-VALUE}).")
  int wait;

  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("show", Show::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws InterruptedException {
    if (flow == null) {
      throw Refusal.usage("'hapax reconcile' needs the name of a flow, or show");
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
        description = "Only missing, differs, unknown or doubled.")
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
          item.text("fields") + item.text("problem"));
    }
    var totals = new Item(found.path("totals"));
    String text =
        table.text(paint, "")
            + "%s is %s: %s match, %s missing there, %s differ, %s unknown here, %s doubled there\n"
                .formatted(
                    all.text("id"),
                    paint.status(all.text("status")),
                    totals.text("matches"),
                    totals.text("missing"),
                    totals.text("differs"),
                    totals.text("unknown"),
                    totals.text("doubled"))
            + (found.path("adopt").asBoolean(false)
                ? "%s external ids adopted, %s reviews settled\n"
                    .formatted(all.text("adopted"), all.text("settled"))
                : "")
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
