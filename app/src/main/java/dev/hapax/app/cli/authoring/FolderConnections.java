package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.trial.FlowFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The connections of a folder, {@code connections/NAME.yaml}, without their secrets. */
final class FolderConnections implements Connections {
  private static final String FOLDER = "connections";

  private final Map<String, Connection> all;

  private FolderConnections(Map<String, Connection> all) {
    this.all = all;
  }

  /** Reads them all; refuses if one of them is no connection. */
  static FolderConnections below(Path folder) throws IOException {
    Path connections = folder.resolve(FOLDER);
    var all = new HashMap<String, Connection>();
    if (!Files.isDirectory(connections, LinkOption.NOFOLLOW_LINKS)) {
      return new FolderConnections(all);
    }
    try (Stream<Path> files = Files.list(connections)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[^.].*\\.ya?ml")
            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          String stem = name.substring(0, name.lastIndexOf('.'));
          all.put(stem, read(stem, file));
        }
      }
    }
    return new FolderConnections(all);
  }

  private static Connection read(String name, Path file) {
    List<FileProblem> problems = new ArrayList<>();
    try {
      Node root = new Yaml(file.toString(), problems).read(FlowFolder.readSmall(file));
      if (root == null || !problems.isEmpty() || root.plain() == null) {
        String why = problems.isEmpty() ? "it is empty" : problems.getFirst().message();
        throw refusal(file, why);
      }
      Object form = root.plain();
      return new ConnectionReader(Json.read(Json.write(form), ConnectionForm.class))
          .connection(name);
    } catch (IOException | IllegalArgumentException | NotSerializable e) {
      throw refusal(file, String.valueOf(e.getMessage()));
    }
  }

  private static Refusal refusal(Path file, String why) {
    return Refusal.of(
            Exit.REFUSED,
            "bad-connection",
            "%s/%s is not a connection: %s".formatted(FOLDER, file.getFileName(), why))
        .hint("write it as 'hapax connections show NAME' prints it, with secrets by name");
  }

  @Override
  public Optional<Connection> find(String name) {
    return Optional.ofNullable(all.get(name));
  }
}
