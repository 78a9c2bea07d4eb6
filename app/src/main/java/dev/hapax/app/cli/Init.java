package dev.hapax.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "init",
    description = "Writes a first flow to start from. Nothing that is there already is touched.")
final class Init extends Verb {
  private static final String FILE = "first-order.yaml";

  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = "flows",
      description = "Where to write it (${DEFAULT-VALUE}).")
  String folder = "";

  @Override
  protected Answer answer(Call call) throws IOException {
    String name = Path.of(folder).resolve(FILE).toString();
    Path file = call.surroundings().path(name);
    try {
      Files.createDirectories(call.surroundings().path(folder));
      Files.writeString(file, firstFlow(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' is there already".formatted(e.getFile()))
          .hint("name another folder: hapax init FOLDER");
    }
    List<String> next =
        List.of(
            "hapax check " + name,
            "hapax serve --data hapax-data",
            "hapax push " + name + " --data hapax-data",
            "hapax release first-order --promote --data hapax-data",
            "hapax run first-order --input '{\"orderId\": \"A-1\", \"total\": 40}' --wait --data"
                + " hapax-data");
    var data = new LinkedHashMap<String, Object>();
    data.put("file", name);
    data.put("next", next);
    return Answer.of(data, "wrote %s. Try next:%n  %s".formatted(name, String.join("\n  ", next)));
  }

  private static String firstFlow() throws IOException {
    try (InputStream flow = Init.class.getResourceAsStream(FILE)) {
      if (flow == null) {
        throw new IOException(FILE + " is missing in this program");
      }
      return new String(flow.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
