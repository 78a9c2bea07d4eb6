package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "effects",
    description = "Lists effects in the ledger: what was done outside, and what is in doubt.")
public final class EffectsVerb extends EffectsByState {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("settle", ReviewVerb.Settle::new));
  }

  @Command(name = "list", description = "Lists effects, newest first.")
  static final class List extends EffectsByState {}

  @Command(name = "show", aliases = "get", description = "Shows an effect with its evidence.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "EFFECT", description = "Id of the effect.")
    String effect = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/effects/{}", effect)).json();
      return VerbAnswer.of(found, EffectList.sheet(new Item(found), call.paint()));
    }
  }
}
