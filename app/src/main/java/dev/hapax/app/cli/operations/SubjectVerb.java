package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "subject",
    description = {
      "Exports or erases what is stored about a person.",
      "A flow names the person whom its runs are about: 'subject' in its file."
    })
public final class SubjectVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("export", Export::new),
        new VerbEntry("erase", Erase::new),
        new VerbEntry("erasures", Erasures::new));
  }

  /** The person, and how their records are found. */
  abstract static class Person extends ServerVerb {
    @Parameters(
        paramLabel = "ID",
        description = "Id of the person, as the flows' subject gives it; - reads it from input.")
    String id = "";

    @Option(
        names = "--scan",
        description =
            "Read every run for the id: also finds runs whose flow names no subject, or did not"
                + " when they started. It takes time.")
    boolean scan;

    Map<String, Object> body(VerbCall call) throws IOException {
      String person = id.equals("-") ? Inputs.text(id, call.surroundings()).strip() : id;
      var body = new LinkedHashMap<String, Object>();
      body.put("id", person);
      body.put("scan", scan);
      return body;
    }
  }

  @Command(
      name = "export",
      description = "Prints everything that is stored about a person, as one JSON document.")
  static final class Export extends Person {
    @Option(names = "--ndjson", description = "Print a line of JSON for each record instead.")
    boolean ndjson;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      JsonNode found =
          server.ask(ServerRequest.post("/api/subjects/export").json(body(call))).json();
      var text = new StringBuilder();
      if (ndjson) {
        found.path("records").forEach(one -> text.append(Json.write(one)).append('\n'));
      } else {
        text.append(found.toPrettyString()).append('\n');
      }
      return VerbAnswer.of(found, text.toString());
    }
  }

  @Command(
      name = "erase",
      description = {
        "Shows what the erasure of a person would do. With --yes, erases it: for good.",
        "Runs that have not ended, or own an effect in doubt or in review, are erased when they"
            + " have ended and it is settled."
      })
  static final class Erase extends Person {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Why, without personal data: it is kept. Needed with --yes.")
    @Nullable String reason;

    @Option(names = "--external-ids", description = "Erase the ids that destinations gave, too.")
    boolean externalIds;

    @Option(names = "--yes", description = "Erase it; this cannot be undone.")
    boolean yes;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      Map<String, Object> body = body(call);
      if (!yes) {
        JsonNode plan = server.ask(ServerRequest.post("/api/subjects/plan").json(body)).json();
        return VerbAnswer.of(plan, planned(call, new Item(plan)));
      }
      if (reason == null) {
        throw Refusal.usage("--reason: expected why, without personal data: it is kept");
      }
      body.put("reason", reason);
      body.put("externalIds", externalIds);
      JsonNode begun = server.ask(ServerRequest.post("/api/subjects/erase").json(body)).json();
      var item = new Item(begun);
      return VerbAnswer.of(
          begun,
          "erasure %s has begun. 'hapax subject erasures' says when nothing is left; run %s carries it out%n"
              .formatted(item.text("id"), item.text("run")));
    }

    private static String planned(VerbCall call, Item plan) {
      var table = new Table("RUN", "FLOW", "STATUS", "WITH", "EFFECTS", "WAITS FOR");
      for (Item run : plan.items("runs")) {
        table.row(
            run.text("run"),
            run.text("flow"),
            run.text("status"),
            run.text("with"),
            run.text("effects"),
            run.text("waitsFor"));
      }
      String runs = plan.items("runs").isEmpty() ? "" : table.text(call.paint(), "");
      return runs
          + "%s runs can be erased now, %s when they have ended; %s events. Add --yes and --reason to erase them%n"
              .formatted(plan.text("ready"), plan.text("postponed"), plan.text("events"));
    }
  }

  @Command(
      name = "erasures",
      description = "Lists erasures of this tenant, the newest first, and what is left of them.")
  static final class Erasures extends ServerVerb {
    @Option(
        names = "--all",
        description =
            "Print those of all tenants as lines of JSON. Keep them outside the store for 'hapax"
                + " restore --erasures'.")
    boolean all;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      if (all) {
        String lines = server.ask(ServerRequest.get("/api/erasure-list")).text();
        return VerbAnswer.of(lines.lines().map(Json::tree).toList(), lines);
      }
      JsonNode found = server.ask(ServerRequest.get("/api/subjects/erasures")).json();
      var table = new Table("ERASURE", "AT", "BY", "REASON", "RUNS", "ENDED");
      for (Item one : new Item(found).items("items")) {
        table.row(
            one.text("id"),
            one.time("at"),
            one.text("actor"),
            one.text("reason"),
            one.text("runs"),
            one.time("endedAt"));
      }
      return VerbAnswer.of(found, table.text(call.paint(), "no erasures"));
    }
  }
}
