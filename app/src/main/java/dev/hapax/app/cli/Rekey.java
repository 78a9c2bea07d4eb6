package dev.hapax.app.cli;

import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "rekey",
    description = {
      "Puts all secrets under the current master key, after a new one was added to the server.",
      "Stopped half way it goes on when it is called again."
    },
    footer = {"", "Exit code 0: all are; 3: some cannot be opened, and have to be written again."})
final class Rekey extends ServerVerb {
  @Override
  Answer answer(Call call, Server server) {
    JsonNode done = server.ask(Request.post("/api/rekey").json("{}")).json();
    var result = new Item(done);
    var failed = result.words("failed");
    var answer =
        Answer.of(
            done,
            "%s put under the current key"
                .formatted(Words.count(done.path("rewrapped").asInt(), "secret")));
    return failed.isEmpty()
        ? answer
        : answer.refused(
            Refusal.of(
                    Exit.REFUSED,
                    "unreadable",
                    "no master key here opens %s".formatted(String.join(", ", failed)))
                .hint("write them again with 'hapax secrets put'"));
  }
}
