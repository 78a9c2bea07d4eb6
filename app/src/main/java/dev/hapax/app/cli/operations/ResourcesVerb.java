package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "resources",
    description = "Stores and fetches large values, which runs pass by their res:// reference.")
public final class ResourcesVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("put", Put::new), new VerbEntry("get", Get::new));
  }

  @Command(name = "put", description = "Stores a file; the same content is stored once.")
  static final class Put extends ServerVerb {
    @Parameters(paramLabel = "FILE", description = "File to store.")
    String file = "";

    @Option(
        names = "--content-type",
        paramLabel = "TYPE",
        defaultValue = "application/octet-stream",
        description = "Content type (${DEFAULT-VALUE}).")
    String contentType = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode stored =
          server
              .ask(
                  ServerRequest.post("/api/resources")
                      .body(contentType, Inputs.bytes(file, call.surroundings())))
              .json();
      return VerbAnswer.of(stored, new Item(stored).text("ref"));
    }
  }

  @Command(name = "get", description = "Fetches a value into a file.")
  static final class Get extends ServerVerb {
    @Parameters(paramLabel = "REF", description = "Reference of the value, with or without res://")
    String ref = "";

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        required = true,
        description = "File to write.")
    String file = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      ServerReply reply =
          server.ask(ServerRequest.get("/api/resources/{}", ref.replaceFirst("^res://", "")));
      Files.write(call.surroundings().path(file), reply.content());
      var data = new LinkedHashMap<String, Object>();
      data.put("file", file);
      data.put("bytes", reply.content().length);
      data.put("contentType", String.valueOf(reply.header("Content-Type")));
      return VerbAnswer.of(data, "wrote %s, %d bytes".formatted(file, reply.content().length));
    }
  }
}
