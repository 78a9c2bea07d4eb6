package dev.hapax.app.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "effects",
    description = "Looks into the ledger: what was done to the world, and what is in doubt.")
final class Effects extends EffectsByState {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("settle", Review.Settle::new));
  }

  @Command(name = "list", description = "Lists effects, newest first.")
  static final class List extends EffectsByState {}

  @Command(name = "show", aliases = "get", description = "Shows an effect with its evidence.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "EFFECT", description = "Id of the effect.")
    String effect = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode found = server.ask(Request.get("/api/effects/{}", effect)).json();
      return Answer.of(found, EffectList.sheet(new Item(found), call.paint()));
    }
  }
}
