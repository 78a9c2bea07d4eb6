package dev.hapax.flows.preset;

import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The presets of this program. A preset is a file in this package's resources and an entry here.
 */
public final class Presets {
  private static final List<String> NAMES =
      List.of(
          "adyen",
          "calendly",
          "discord",
          "github",
          "google-sheets",
          "hubspot",
          "linear",
          "mollie",
          "notion",
          "paypal",
          "salesforce",
          "sendgrid",
          "shopify",
          "slack",
          "square",
          "stripe",
          "stripe-v2",
          "twilio",
          "typeform",
          "xero",
          "zendesk");

  private Presets() {}

  /** Returns all presets by name. */
  public static List<Preset> all() {
    return NAMES.stream().map(Presets::of).toList();
  }

  /** Throws IllegalArgumentException, with the name that was probably meant, if there is none. */
  public static Preset of(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "there is no preset '%s'%s".formatted(name, Suggestion.among(name, NAMES)));
    }
    try (InputStream file = Presets.class.getResourceAsStream(name + ".yaml")) {
      if (file == null) {
        throw new IllegalStateException("the file of preset '%s' is missing".formatted(name));
      }
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Json.read(Json.write(mapping(name + ".yaml", text)), Preset.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads YAML that must be a mapping, such as a connection's settings.
   *
   * @param file its name, for problems
   * @throws IllegalArgumentException with the first problem and its place
   */
  public static Map<?, ?> mapping(String file, String text) {
    var problems = new ArrayList<FileProblem>();
    Node read = new Yaml(file, problems).read(text);
    if (!problems.isEmpty()) {
      FileProblem first = problems.getFirst();
      throw new IllegalArgumentException(
          "%s: %s. %s".formatted(first.position(), first.message(), first.fix()));
    }
    if (read == null || !(read.plain() instanceof Map<?, ?> mapping)) {
      throw new IllegalArgumentException(file + ": expected a mapping");
    }
    return mapping;
  }
}
