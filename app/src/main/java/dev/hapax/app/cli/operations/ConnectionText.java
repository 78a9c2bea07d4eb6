package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.flows.preset.Presets;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;

/** The settings of a connection, as JSON or, from a file, as YAML with comments. */
final class ConnectionText {
  private ConnectionText() {}

  static String json(String given, Surroundings surroundings) throws IOException {
    boolean isFile = given.startsWith("@") || given.equals("-");
    if (!isFile) {
      return Inputs.json(given, surroundings);
    }
    String file = given.replaceFirst("^@", "");
    String text = Inputs.text(file, surroundings);
    if (isJson(text)) {
      return text;
    }
    try {
      return Json.write(Presets.mapping(file, text));
    } catch (IllegalArgumentException e) {
      throw Refusal.of(Exit.REFUSED, "invalid-file", String.valueOf(e.getMessage()))
          .hint("'hapax connections new PRESET --out FILE' writes a file to start from");
    }
  }

  private static boolean isJson(String text) {
    try {
      Json.tree(text);
      return true;
    } catch (NotSerializable e) {
      return false;
    }
  }
}
