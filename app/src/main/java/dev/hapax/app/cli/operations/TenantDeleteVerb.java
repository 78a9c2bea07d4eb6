package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "delete",
    description =
        "Shows what the deletion of a tenant erases, or has left to erase. With --confirm, deletes"
            + " it: for good, and only if it is suspended.")
final class TenantDeleteVerb extends ServerVerb {
  private static final List<String> PARTS =
      List.of(
          "runs",
          "expiredRuns",
          "journalRows",
          "effects",
          "openEffects",
          "expiredEffects",
          "events",
          "waits",
          "entries",
          "schedules",
          "resources",
          "bytes");

  @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
  String tenant = "";

  @Option(
      names = "--confirm",
      paramLabel = "TENANT",
      description = "The name once more: deletes the tenant, which cannot be undone.")
  @Nullable String confirm;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why; the audit log gets it. Needed with --confirm.")
  @Nullable String reason;

  @Option(
      names = "--force",
      description = "Delete it also if effects are in flight, in doubt or in review.")
  boolean force;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    if (confirm == null) {
      if (reason != null || force) {
        throw Refusal.usage("to delete the tenant, add --confirm " + tenant);
      }
      JsonNode plan = server.ask(ServerRequest.get("/api/tenants/{}/deletion", tenant)).json();
      return VerbAnswer.of(plan, text(call, plan));
    }
    if (!confirm.equals(tenant)) {
      throw Refusal.usage(
          "--confirm: expected the name of the tenant, '%s', got '%s'".formatted(tenant, confirm));
    }
    if (reason == null) {
      throw Refusal.usage("--reason: expected a text for the audit log");
    }
    var body = new LinkedHashMap<String, Object>();
    body.put("confirm", confirm);
    body.put("reason", reason);
    body.put("force", force);
    JsonNode begun =
        server.ask(ServerRequest.post("/api/tenants/{}/deletion", tenant).json(body)).json();
    return VerbAnswer.of(begun, text(call, begun));
  }

  private String text(VerbCall call, JsonNode view) {
    var item = new Item(view);
    Table table = new Table("TENANT", tenant);
    table.row("state", item.text("state"));
    Item deletion = item.inner("deletion");
    if (!deletion.text("at").isEmpty()) {
      table.row("deleted by", deletion.text("by") + ": " + deletion.text("reason"));
      table.row("began", deletion.time("at"));
      table.row("rows at the beginning", deletion.text("rows"));
      table.row("complete", deletion.time("doneAt"));
    }
    for (String part : PARTS) {
      table.row(part, item.inner("left").text(part));
    }
    table.row("records", item.text("records"));
    for (String hindrance : item.words("hindrances")) {
      table.row("hindered", hindrance);
    }
    return table.text(call.paint(), "nothing");
  }
}
