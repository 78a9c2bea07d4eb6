package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ListVerb;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "secrets",
    description = "Writes secrets for connections. Nothing shows a secret again.")
public final class SecretsVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(
      name = "list",
      description = "Lists the names of the secrets, and the hosts that each may go to.")
  static final class List extends ListVerb {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/secrets");
    }

    @Override
    protected Table table() {
      return new Table("SECRET", "SOURCE", "WRITTEN", "BY", "HOSTS");
    }

    @Override
    protected void row(Table table, Item secret) {
      table.row(
          secret.text("name"),
          secret.text("source"),
          secret.time("changedAt"),
          secret.text("changedBy"),
          String.join(" ", secret.words("hosts")));
    }
  }

  @Command(
      name = "put",
      description = {
        "Writes a secret, or replaces it.",
        "Type the value without echo, or pass it by standard input or a file: on the command line,"
            + " every user of the machine could see it."
      })
  static final class Put extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the secret.")
    String name = "";

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description =
            "File with the value; - is standard input, which is also the default in a pipe. A line"
                + " break at the end is removed.")
    @Nullable String file;

    @Option(
        names = "--host",
        paramLabel = "HOST",
        description =
            "Host that the secret may go to, with or without port; may be repeated. Without it, the"
                + " hosts stay as they are, or are those of the connections that use the secret.")
    java.util.List<String> hosts = new ArrayList<>();

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      String value = value(call.surroundings()).replaceFirst("\\r?\\n$", "");
      if (value.isEmpty()) {
        throw Refusal.usage("the secret is empty")
            .hint("printf %s VALUE | hapax secrets put " + name);
      }
      server.ask(ServerRequest.put("/api/secrets/{}", name).json(body(value)));
      return VerbAnswer.of(Map.of("name", name), "wrote secret '%s'".formatted(name));
    }

    private Map<String, Object> body(String value) {
      return hosts.isEmpty() ? Map.of("value", value) : Map.of("value", value, "hosts", hosts);
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
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      server.ask(ServerRequest.delete("/api/secrets/{}", name));
      return VerbAnswer.of(Map.of("name", name), "deleted secret '%s'".formatted(name));
    }
  }
}
