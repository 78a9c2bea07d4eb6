package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    description = {
      "Writes the audit log into a file that only its owner can read: a line of JSON each (NDJSON).",
      "The last line is a signed checkpoint; a file without it is incomplete."
    })
final class AuditExport extends ServerVerb {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "File to create.")
  String file = "";

  @Option(
      names = "--after",
      paramLabel = "N",
      description = "Number of the last line that you have; without it, all lines.")
  long after;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    byte[] content =
        server.ask(ServerRequest.get("/api/audit/export").query("after", after)).content();
    List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
    if (lines.isEmpty() || !isCheckpoint(lines.getLast())) {
      throw Refusal.of(
              Exit.UNREACHABLE, "incomplete", "the export ended early: its last line is missing")
          .hint("call it again; 'hapax audit verify' tells whether lines were removed");
    }
    write(call, content);
    var data = new LinkedHashMap<String, Object>();
    data.put("file", file);
    data.put("lines", lines.size() - 1);
    data.put("checkpoint", Json.tree(lines.getLast()).path("checkpoint"));
    return VerbAnswer.of(
        data, "wrote %s, %s".formatted(file, Words.count(lines.size() - 1, "line")));
  }

  private static boolean isCheckpoint(String line) {
    try {
      return Json.tree(line).has("checkpoint");
    } catch (NotSerializable cutOff) {
      return false;
    }
  }

  private void write(VerbCall call, byte[] content) throws IOException {
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel out = OwnerOnly.open(call.surroundings().path(file), options)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' exists already".formatted(file))
          .hint("choose another name");
    }
  }
}
