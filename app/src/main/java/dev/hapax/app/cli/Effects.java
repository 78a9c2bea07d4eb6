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
  Stream<Verbs.Entry> inner() {
    return Stream.of(
        new Verbs.Entry("list", List::new),
        new Verbs.Entry("show", Show::new),
        new Verbs.Entry("settle", Review.Settle::new));
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
