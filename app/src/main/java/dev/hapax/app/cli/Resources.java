package dev.hapax.app.cli;

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
    description = "Stores and fetches large values, which are passed by their res:// reference.")
final class Resources extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("put", Put::new), new VerbEntry("get", Get::new));
  }

  @Command(name = "put", description = "Stores a file; the same content is stored once.")
  static final class Put extends ServerVerb {
    @Parameters(paramLabel = "FILE", description = "What to store.")
    String file = "";

    @Option(
        names = "--content-type",
        paramLabel = "TYPE",
        defaultValue = "application/octet-stream",
        description = "What it is (${DEFAULT-VALUE}).")
    String contentType = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode stored =
          server
              .ask(
                  Request.post("/api/resources")
                      .body(contentType, Inputs.bytes(file, call.surroundings())))
              .json();
      return Answer.of(stored, new Item(stored).text("ref"));
    }
  }

  @Command(name = "get", description = "Fetches a value into a file.")
  static final class Get extends ServerVerb {
    @Parameters(paramLabel = "REF", description = "Its reference, with or without res://")
    String ref = "";

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        required = true,
        description = "Where to write it.")
    String file = "";

    @Override
    Answer answer(Call call, Server server) throws IOException {
      Reply reply = server.ask(Request.get("/api/resources/{}", ref.replaceFirst("^res://", "")));
      Files.write(call.surroundings().path(file), reply.content());
      var data = new LinkedHashMap<String, Object>();
      data.put("file", file);
      data.put("bytes", reply.content().length);
      data.put("contentType", String.valueOf(reply.header("Content-Type")));
      return Answer.of(data, "wrote %s, %d bytes".formatted(file, reply.content().length));
    }
  }
}
