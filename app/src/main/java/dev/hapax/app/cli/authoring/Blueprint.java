package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole flow to start from: a folder of {@code examples/blueprints} with the flow and its cases,
 * a page of commands, and a stand-in for the systems outside.
 *
 * @param name of the folder and the flow
 * @param others files beside those that every blueprint has
 */
record Blueprint(String name, List<String> others) {
  static final List<Blueprint> ALL =
      List.of(
          new Blueprint("charge-order"),
          new Blueprint("sync-customer", "event.json"),
          new Blueprint("invoice-day"),
          new Blueprint("invoice-events"),
          new Blueprint("make-video"),
          new Blueprint("book-journey"),
          new Blueprint("generate-code"),
          new Blueprint("qualify-lead"),
          new Blueprint("answer-ticket"),
          new Blueprint("provision-user"),
          new Blueprint("nightly-batch"),
          new Blueprint("reconcile-payments"));

  private Blueprint(String name, String... others) {
    this(name, List.of(others));
  }

  static Blueprint named(String name) {
    return ALL.stream()
        .filter(blueprint -> blueprint.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.of(
                        Exit.NOT_FOUND, "not-found", "there is no blueprint '%s'".formatted(name))
                    .hint("the blueprints are %s".formatted(names())));
  }

  static String names() {
    return String.join(", ", ALL.stream().map(Blueprint::name).toList());
  }

  /** Returns the files of the folder by name, in the order in which a reader meets them. */
  Map<String, String> files() throws IOException {
    var files = new LinkedHashMap<String, String>();
    for (String file :
        List.of(
            "README.md",
            "flows/%s.yaml".formatted(name),
            "flows/%s.test.yaml".formatted(name),
            "stand-in.yaml")) {
      files.put(file, resource(file));
    }
    for (String file : others) {
      files.put(file, resource(file));
    }
    return files;
  }

  private String resource(String file) throws IOException {
    String path = "blueprints/%s/%s".formatted(name, file);
    try (InputStream in = Blueprint.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException(path + " is missing in this program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
