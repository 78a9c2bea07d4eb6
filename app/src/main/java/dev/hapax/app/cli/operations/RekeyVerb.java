package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "rekey",
    description = {
      "Encrypts all secrets under the current master key, after you added a new one to the server.",
      "If it is interrupted, call it again and it continues."
    },
    footer = {
      "",
      "Exit code 0: all done; 3: some secrets cannot be decrypted and must be written again."
    })
public final class RekeyVerb extends ServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode done = server.ask(ServerRequest.post("/api/rekey").json("{}")).json();
    var result = new Item(done);
    var failed = result.words("failed");
    var answer =
        VerbAnswer.of(
            done,
            "%s encrypted under the current key"
                .formatted(Words.count(done.path("rewrapped").asInt(), "secret")));
    return failed.isEmpty()
        ? answer
        : answer.refused(
            Refusal.of(
                    Exit.REFUSED,
                    "unreadable",
                    "no master key of this server decrypts %s".formatted(String.join(", ", failed)))
                .hint("write them again with 'hapax secrets put'"));
  }
}
