package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "review",
    description = {
      "Lists effects whose doubt only a person can settle, shows the evidence, and settles them.",
      "One after the other: hapax review causes, hapax review show EFFECT, hapax review settle"
    })
public final class ReviewVerb extends ReviewList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", ReviewShow::new),
        new VerbEntry("causes", ReviewCauses::new),
        new VerbEntry("assign", ReviewAssign::new),
        new VerbEntry("comment", ReviewComment::new),
        new VerbEntry("settle", Settle::new),
        new VerbEntry("settle-many", ReviewSettleMany::new));
  }

  @Command(
      name = "list",
      description = {
        "Lists effects in review, newest first.",
        "Quarantined runs: hapax runs list --status review"
      })
  static final class List extends ReviewList {}

  @Command(
      name = "settle",
      description = {
        "Records whether an effect in review happened. Look it up at its destination first.",
        "  happened      it happened: the run continues with the result",
        "  not-happened  it did not happen: it is sent again",
        "  abandon       give it up: its step fails"
      })
  static final class Settle extends ServerVerb {
    @Parameters(index = "0", paramLabel = "EFFECT", description = "Id of the effect.")
    String effect = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "DECISION",
        description = "happened, not-happened or abandon.")
    @Nullable String decision;

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    Flags flags = new Flags();

    /** The decision as a flag, for users who prefer that form. */
    static final class Flags {
      @Option(names = "--happened", description = "The same as DECISION happened.")
      boolean happened;

      @Option(names = "--not-happened", description = "The same as DECISION not-happened.")
      boolean notHappened;

      @Option(names = "--abandon", description = "The same as DECISION abandon.")
      boolean abandon;
    }

    @Option(
        names = "--external-id",
        paramLabel = "ID",
        description = "The destination's id for the effect, if it happened.")
    @Nullable String externalId;

    @Option(
        names = "--result",
        paramLabel = "JSON",
        description = "Result of the effect, if it happened: text, @FILE, or - for standard input.")
    @Nullable String result;

    @Option(
        names = "--compensate",
        description = "With happened: the run ends and undoes what it did, this effect included.")
    boolean compensate;

    @Option(
        names = "--revision",
        paramLabel = "N",
        description = "The revision that you saw: if there is a newer one, nothing is settled.")
    @Nullable Integer revision;

    @Option(
        names = "--attempt",
        paramLabel = "N",
        description =
            "The number of attempts that you saw: if it was sent again since then, nothing is settled.")
    @Nullable Integer attempt;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Reason, recorded in the history.")
    String reason = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("decision", decision());
      if (revision != null) {
        body.put("revision", revision);
      }
      if (attempt != null) {
        body.put("attempt", attempt);
      }
      if (externalId != null) {
        body.put("externalId", externalId);
      }
      if (compensate) {
        body.put("compensate", true);
      }
      if (result != null) {
        body.put("result", Json.tree(Inputs.json(result, call.surroundings())));
      }
      body.put("reason", reason);
      JsonNode settled =
          server.ask(ServerRequest.post("/api/effects/{}/settle", effect).json(body)).json();
      return VerbAnswer.of(settled, EffectList.sheet(new Item(settled), call.paint()));
    }

    private String decision() {
      if (decision != null) {
        return decision;
      }
      if (flags.happened) {
        return "happened";
      }
      if (flags.notHappened) {
        return "not-happened";
      }
      if (flags.abandon) {
        return "abandon";
      }
      throw Refusal.usage("a decision is missing: happened, not-happened or abandon")
          .hint(spec.qualifiedName() + " --help");
    }
  }
}
