package dev.hapax.flows.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A folder of flow files, and the findings that are expected of them in {@code expected.txt}. */
record FlowCorpus(Path folder) {
  static FlowCorpus named(String name) {
    return new FlowCorpus(
        Path.of(System.getProperty("basedir", "."))
            .resolve("src/test/resources/dev/hapax/flows")
            .resolve(name));
  }

  List<Path> files() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Check.Result result(Path file) {
    try {
      return Check.check(file.getFileName().toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a line per finding; {@code -Dhapax.write=true} makes them the expected ones. */
  List<String> findings() throws IOException {
    String found = files().stream().map(FlowCorpus::findings).collect(Collectors.joining());
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(expected(), found);
    }
    return found.lines().toList();
  }

  List<String> expectedFindings() throws IOException {
    return Files.readAllLines(expected());
  }

  private Path expected() {
    return folder.resolve("expected.txt");
  }

  private static String findings(Path file) {
    return result(file).findings().stream()
        .map(
            finding ->
                "%s:%d:%d %s %s: %s | %s\n"
                    .formatted(
                        file.getFileName(),
                        finding.position().line(),
                        finding.position().column(),
                        finding.level().word(),
                        finding.rule(),
                        finding.message(),
                        finding.fix()))
        .collect(Collectors.joining());
  }
}
