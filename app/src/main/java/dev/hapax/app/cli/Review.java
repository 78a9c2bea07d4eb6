package dev.hapax.app.cli;

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
    description = "Lists the doubts that only a person can settle, and settles them.")
final class Review extends ReviewList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Effects.Show::new),
        new VerbEntry("settle", Settle::new));
  }

  @Command(name = "list", description = "Lists effects in review, newest first.")
  static final class List extends ReviewList {}

  @Command(
      name = "settle",
      description = {
        "Says what became of an effect in review. Look it up at its destination first.",
        "  happened      it was done: the run goes on with the result",
        "  not-happened  it was not done: it is sent again",
        "  abandon       it is given up: its step fails"
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
      @Option(names = "--happened", description = "The same as a flag.")
      boolean happened;

      @Option(names = "--not-happened", description = "The same as a flag.")
      boolean notHappened;

      @Option(names = "--abandon", description = "The same as a flag.")
      boolean abandon;
    }

    @Option(
        names = "--external-id",
        paramLabel = "ID",
        description = "What the destination calls it, if it happened.")
    @Nullable String externalId;

    @Option(
        names = "--result",
        paramLabel = "JSON",
        description =
            "What it would have put out, if it happened: text, @FILE, or - for standard input.")
    @Nullable String result;

    @Option(
        names = "--revision",
        paramLabel = "N",
        description =
            "The revision that you looked at: if there is a newer one, nothing is settled.")
    @Nullable Integer revision;

    @Option(
        names = "--attempt",
        paramLabel = "N",
        description =
            "The number of attempts that you saw: if it was sent again since, nothing is settled.")
    @Nullable Integer attempt;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Stays in the history.")
    String reason = "";

    @Override
    Answer answer(Call call, Server server) throws IOException {
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
      if (result != null) {
        body.put("result", Json.tree(Inputs.json(result, call.surroundings())));
      }
      body.put("reason", reason);
      JsonNode settled =
          server.ask(Request.post("/api/effects/{}/settle", effect).json(body)).json();
      return Answer.of(settled, EffectList.sheet(new Item(settled), call.paint()));
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
