package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.FileReplacement;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.receipt.ReceiptFile;
import dev.hapax.app.receipt.ReceiptPage;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "receipt",
    description = {
      "Shows the signed receipt of an effect: what was sent, what came back, who decided what.",
      "With --html FILE it is a page for people outside; hapax receipt verify FILE checks it."
    })
public final class ReceiptVerb extends ServerVerb {
  private static final int MOST_LISTED = 50;

  @Parameters(
      arity = "0..1",
      paramLabel = "KEY",
      description = "Business key of the effect, or its id.")
  @Nullable String key;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the effect, if several have the key.")
  @Nullable String name;

  @Option(names = "--html", paramLabel = "FILE", description = "Write the receipt as a page.")
  @Nullable String html;

  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("verify", ReceiptVerify::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    if (key == null) {
      throw Refusal.usage("expected the KEY of an effect").hint("hapax receipt --help");
    }
    List<JsonNode> found = found(server, key);
    if (found.size() > 1) {
      return several(call, found);
    }
    // An effect that is not in the ledger any more is found by its name and key alone.
    ServerReply reply =
        server.ask(
            found.isEmpty()
                ? ServerRequest.get("/api/receipts").query("name", name).query("key", key)
                : ServerRequest.get("/api/receipts/{}", found.getFirst().path("id").asString("")));
    JsonNode signed = reply.json();
    String text = sheet(new Item(signed.path("receipt")), call.paint());
    if (html != null) {
      ReceiptFile file = ReceiptFile.read(Json.write(signed));
      FileReplacement.write(call.surroundings().path(html), ReceiptPage.of(file.signed()));
      text += "written to %s%n".formatted(Words.plain(html));
    }
    return VerbAnswer.of(signed, text);
  }

  /** By id if it is one, else by key. */
  private List<JsonNode> found(ServerClient server, String wanted) {
    if (wanted.startsWith("e-") && name == null) {
      ServerReply reply = server.send(ServerRequest.get("/api/effects/{}", wanted));
      if (reply.status() < 300) {
        return List.of(reply.json());
      }
    }
    JsonNode page =
        server
            .ask(
                ServerRequest.get("/api/effects")
                    .query("key", wanted)
                    .query("name", name)
                    .query("limit", MOST_LISTED))
            .json();
    var found = new ArrayList<JsonNode>();
    page.path("items").forEach(found::add);
    if (found.isEmpty() && name == null) {
      throw Refusal.of(
              Exit.NOT_FOUND,
              "not-found",
              "the ledger has no effect with the key '%s'".formatted(wanted))
          .hint(
              "if its record has expired, add --name NAME: flow/step, or effect.name of the step");
    }
    return found;
  }

  private VerbAnswer several(VerbCall call, List<JsonNode> found) {
    var table = new Table("EFFECT", "NAME", "KEY", "STATE", "RUN", "EXTERNAL ID");
    for (JsonNode one : found) {
      var effect = new Item(one);
      table.row(
          effect.text("id"),
          effect.text("name"),
          effect.text("key"),
          effect.text("state"),
          effect.text("run"),
          effect.text("externalId"));
    }
    return VerbAnswer.of(found, table.text(call.paint(), "none"))
        .refused(
            Refusal.of(
                    Exit.REFUSED,
                    "ambiguous-key",
                    "%d effects have the key '%s'".formatted(found.size(), key))
                .hint("add --name NAME, or give the id of the effect"));
  }

  static String sheet(Item receipt, Paint paint) {
    Item effect = receipt.inner("effect");
    Item verdict = receipt.inner("verdict");
    Item run = receipt.inner("run");
    var sheet =
        new Sheet()
            .line(verdict.is("proven") ? "proven" : "not proven", verdict.text("says"))
            .line("name", effect.text("name"))
            .line("key", effect.text("key"))
            .line("wire key", effect.text("wireKey"))
            .line("external id", effect.text("externalId"))
            .line("state", effect.text("state"))
            .line("first sent", effect.time("firstSentAt"))
            .line("attempts", effect.text("attempts"))
            .line("guard", effect.text("guard"))
            .line("flow", run.text("flow"))
            .line("run", run.text("id"))
            .line("stopped starts", receipt.inner("stopped").text("starts"))
            .line("reused by", String.join(", ", receipt.inner("stopped").words("runs")))
            .line("audit line", receipt.inner("checkpoint").text("number"))
            .line("made", receipt.time("issuedAt"));
    receipt.words("caveats").forEach(caveat -> sheet.line("note", caveat));
    for (Item decided : receipt.items("decisions")) {
      sheet.line(
          "decided",
          "%s by %s at %s: %s"
              .formatted(
                  decided.text("decision"),
                  decided.text("by"),
                  decided.time("at"),
                  decided.text("reason")));
    }
    return sheet.text("receipt of effect " + effect.text("id"), paint);
  }
}
