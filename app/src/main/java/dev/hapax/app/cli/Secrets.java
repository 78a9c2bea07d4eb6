package dev.hapax.app.cli;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "secrets",
    description = "Writes secrets that connections name. They are never read back.")
final class Secrets extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(name = "list", description = "Lists the names of the secrets.")
  static final class List extends ListVerb {
    @Override
    Request request() {
      return Request.get("/api/secrets");
    }

    @Override
    Table table() {
      return new Table("SECRET", "WRITTEN", "BY");
    }

    @Override
    void row(Table table, Item secret) {
      table.row(secret.text("name"), secret.time("changedAt"), secret.text("changedBy"));
    }
  }

  @Command(
      name = "put",
      description = {
        "Writes a secret, or writes it anew.",
        "Its value is typed unseen, or comes from standard input or a file: on the command line"
            + " every user of the machine could see it."
      })
  static final class Put extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the secret.")
    String name = "";

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description =
            "Holds the value; - is standard input, also without this option in a pipe. A line end"
                + " at its end is left out.")
    @Nullable String file;

    @Override
    Answer answer(Call call, Server server) throws IOException {
      String value = value(call.surroundings()).replaceFirst("\\r?\\n$", "");
      if (value.isEmpty()) {
        throw Refusal.usage("the secret is empty")
            .hint("printf %s VALUE | hapax secrets put " + name);
      }
      server.ask(Request.put("/api/secrets/{}", name).json(Map.of("value", value)));
      return Answer.of(Map.of("name", name), "secret '%s' is written".formatted(name));
    }

    private String value(Surroundings surroundings) throws IOException {
      String typed =
          file == null
              ? surroundings.keyboard().ask("Value of '%s' (not shown): ".formatted(name))
              : null;
      return typed != null ? typed : Inputs.text(file == null ? "-" : file, surroundings);
    }
  }

  @Command(name = "delete", description = "Deletes a secret.")
  static final class Delete extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the secret.")
    String name = "";

    @Override
    Answer answer(Call call, Server server) {
      server.ask(Request.delete("/api/secrets/{}", name));
      return Answer.of(Map.of("name", name), "secret '%s' is deleted".formatted(name));
    }
  }
}
