package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "approvals", description = "Lists approvals that runs wait for, and decides them.")
public final class ApprovalsVerb extends ApprovalList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("approve", Approve::new),
        new VerbEntry("reject", Reject::new),
        new VerbEntry("rework", Rework::new));
  }

  @Command(name = "list", description = "Lists approvals, newest first.")
  static final class List extends ApprovalList {}

  @Command(name = "show", aliases = "get", description = "Shows an approval.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "APPROVAL", description = "Id of the approval.")
    String approval = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/approvals/{}", approval)).json();
      var item = new Item(found);
      return VerbAnswer.of(
          found,
          new Sheet()
              .line("ask", item.text("ask"))
              .line("run", item.text("run"))
              .line("step", item.text("step"))
              .line("item", item.text("item"))
              .line("round", item.text("round"))
              .line("roles", String.join(", ", item.words("roles")))
              .line("state", item.text("state"))
              .line("asked", item.time("askedAt"))
              .line("expires", item.time("expiresAt"))
              .line("decision", item.inner("decision").text("decision"))
              .line("by", item.inner("decision").text("by"))
              .line("comment", item.inner("decision").text("comment"))
              .line("link", item.text("link"))
              .text("approval " + item.text("id"), call.paint()));
    }
  }

  /** One of the three decisions. The first one counts; a later one gets its result. */
  abstract static class Decide extends ServerVerb {
    @Parameters(paramLabel = "APPROVAL", description = "Id of the approval.")
    String approval = "";

    @Option(
        names = "--comment",
        paramLabel = "TEXT",
        description = "Comment, recorded in the history.")
    @Nullable String comment;

    @Option(
        names = "--values",
        paramLabel = "JSON",
        description = "Edited values: text, @FILE, or - for standard input.")
    @Nullable String values;

    abstract String decision();

    @Override
    protected final VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("decision", decision());
      if (comment != null) {
        body.put("comment", comment);
      }
      if (values != null) {
        body.put("values", Json.tree(Inputs.json(values, call.surroundings())));
      }
      JsonNode receipt =
          server.ask(ServerRequest.post("/api/approvals/{}", approval).json(body)).json();
      return receipt.path("first").asBoolean(true)
          ? VerbAnswer.of(receipt, "decided: " + decision())
          : late(receipt);
    }

    /** Only the first decision counts. Sending the same one again is no mistake. */
    private VerbAnswer late(JsonNode receipt) {
      Item item = new Item(receipt);
      Item made = item.inner("decision");
      String decided = made.text("decision");
      String at = item.time("at").isEmpty() ? "" : " at " + item.time("at");
      if (item.text("state").equals("expired")) {
        return VerbAnswer.of(receipt, "")
            .refused(
                Refusal.of(
                        Exit.REFUSED,
                        "expired",
                        "approval %s expired%s, which counts as '%s'. Your decision changed nothing."
                            .formatted(approval, at, decided))
                    .details(receipt));
      }
      String by = made.text("by").isEmpty() ? "" : " by " + made.text("by");
      String already =
          "approval %s was already decided: '%s'%s%s. Your decision changed nothing."
              .formatted(approval, decided, by, at);
      VerbAnswer answer = VerbAnswer.of(receipt, decided.equals(decision()) ? already : "");
      return decided.equals(decision())
          ? answer
          : answer.refused(Refusal.of(Exit.REFUSED, "already-decided", already).details(receipt));
    }
  }

  @Command(name = "approve", description = "Approves; the run continues.")
  static final class Approve extends Decide {
    @Override
    String decision() {
      return "approve";
    }
  }

  @Command(
      name = "reject",
      description = "Rejects; the run fails with 'rejected', unless its flow handles that.")
  static final class Reject extends Decide {
    @Override
    String decision() {
      return "reject";
    }
  }

  @Command(
      name = "rework",
      description = "Sends the run back for another round, with a comment and edited values.")
  static final class Rework extends Decide {
    @Override
    String decision() {
      return "rework";
    }
  }
}
