package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "mails", description = "Shows the mails that flows would have sent, oldest first.")
final class DevMailsVerb extends DevServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode answer = server.ask(ServerRequest.get("/dev/mails")).json();
    var text = new StringBuilder();
    for (Item mail : new Item(answer).items("mails")) {
      String content = mail.text("text").isEmpty() ? mail.text("html") : mail.text("text");
      text.append(
          "mail %s  %s%n  from %s%n  to %s%n  subject %s%n%s"
              .formatted(
                  mail.text("number"),
                  mail.time("at"),
                  Words.line(mail.text("from")),
                  Words.line(String.join(", ", mail.words("to"))),
                  Words.line(mail.text("subject")),
                  content
                      .lines()
                      .map(line -> "    " + Words.line(line) + "\n")
                      .collect(Collectors.joining())));
    }
    return VerbAnswer.of(answer, text.isEmpty() ? "no mails" : text.toString());
  }
}
