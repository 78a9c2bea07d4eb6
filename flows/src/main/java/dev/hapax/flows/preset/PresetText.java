package dev.hapax.flows.preset;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A preset with its placeholders filled in, as the file of a connection: complete, and with the
 * pages that say so. Its steps and its webhook follow as comments, to be copied into a flow.
 */
public final class PresetText {
  static final Pattern PLACEHOLDER = Pattern.compile("<([a-z][a-z0-9]*)>");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final Preset preset;
  private final String name;
  private final Map<String, String> values;

  /**
   * A preset for a connection.
   *
   * @param name of the connection
   * @param given the user's values, by name
   * @throws IllegalArgumentException if a value is missing, unknown or has not its form
   */
  public PresetText(Preset preset, String name, Map<String, String> given) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of the connection: expected 1 to 64 letters, digits, '.', '_' or '-' that begin with a letter or digit, got '%s'"
              .formatted(name));
    }
    this.preset = preset;
    this.name = name;
    this.values = values(preset, given);
    values.put("name", name);
  }

  private static Map<String, String> values(Preset preset, Map<String, String> given) {
    var all = new LinkedHashMap<String, String>();
    for (Preset.Value value : preset.values()) {
      String text = given.containsKey(value.name()) ? given.get(value.name()) : value.usual();
      if (text == null) {
        throw new IllegalArgumentException(
            "preset '%s' needs '%s': %s, for example %s"
                .formatted(preset.preset(), value.name(), value.ask(), value.example()));
      }
      if (!text.matches(value.pattern())) {
        throw new IllegalArgumentException(
            "'%s' of preset '%s': expected a text such as '%s', got '%s'"
                .formatted(value.name(), preset.preset(), value.example(), text));
      }
      all.put(value.name(), text);
    }
    for (String unknown : given.keySet()) {
      if (!all.containsKey(unknown)) {
        throw new IllegalArgumentException(
            "preset '%s' has no value '%s'; it has %s"
                .formatted(preset.preset(), unknown, all.keySet()));
      }
    }
    return all;
  }

  /** Returns a text of the preset without placeholders. */
  public String filled(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }

  /** Returns the settings of the connection, as the server takes them. */
  public Map<?, ?> settings() {
    return Presets.mapping(name + ".yaml", filled(preset.connection()));
  }

  /** Returns the whole file. */
  public String file() {
    var text = new StringBuilder();
    comment(
        text,
        "Connection '%s': %s. From preset '%s'.".formatted(name, preset.title(), preset.preset()));
    preset
        .documents()
        .forEach(
            page -> comment(text, "%s: %s, read %s".formatted(page.of(), page.url(), page.read())));
    section(text, "Assumed, because the provider does not publish it:");
    preset.assumed().forEach(line -> comment(text, "  - " + line));
    if (preset.assumed().isEmpty()) {
      comment(text, "  nothing");
    }
    section(text, "Secrets, written with 'hapax secrets put NAME':");
    preset
        .secrets()
        .forEach(
            secret ->
                comment(text, "  %s: %s".formatted(Preset.secretOf(name, secret), secret.ask())));
    text.append('\n').append(filled(preset.connection())).append('\n');
    for (Preset.Operation operation : preset.operations()) {
      comment(text, "A step: %s.".formatted(operation.name()));
      listed(text, filled(operation.step()));
      comment(text, "");
    }
    webhook(text);
    preset.notes().forEach(note -> comment(text, "Note: " + note));
    return text.toString().stripTrailing() + "\n";
  }

  private void webhook(StringBuilder text) {
    String webhook = preset.webhook();
    if (webhook == null) {
      return;
    }
    comment(text, "A trigger for its webhooks:");
    comment(text, "  - webhook:");
    filled(webhook).lines().forEach(line -> comment(text, "      " + line));
    String newest = preset.newest();
    if (newest != null) {
      comment(text, "and, for the newest state of an object only:");
      filled(newest).lines().forEach(line -> comment(text, "      " + line));
    }
    String fetch = preset.fetch();
    if (fetch != null) {
      comment(text, "The first step of that flow reads what the delivery only names:");
      listed(text, filled(fetch));
    }
    comment(text, "");
  }

  private static void listed(StringBuilder text, String step) {
    String mark = "  - ";
    for (String line : step.lines().toList()) {
      comment(text, mark + line);
      mark = "    ";
    }
  }

  private static void section(StringBuilder text, String heading) {
    comment(text, "");
    comment(text, heading);
  }

  private static void comment(StringBuilder text, String line) {
    text.append(("# " + line).stripTrailing()).append('\n');
  }
}
