package dev.hapax.app.preset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.preset.Preset;
import dev.hapax.flows.preset.PresetFacts;
import dev.hapax.flows.preset.Presets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of {@code docs/operate/presets.md} is made from the data files. With {@code
 * -Dhapax.golden=write} it is written anew.
 */
class PresetPageTest {
  private static final String MARK = "<!-- made from the presets -->\n";

  @Test
  void the_page_of_presets_says_what_the_presets_say() throws IOException {
    Path page = Path.of(System.getProperty("basedir", "app")).resolve("../docs/operate/presets.md");
    String text = Files.readString(page);
    String expected = text.substring(0, text.indexOf(MARK) + MARK.length()) + presets();

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.writeString(page, expected);
    } else {
      assertThat(text).isEqualTo(expected);
    }
  }

  private static String presets() {
    var text =
        new StringBuilder(
            "\n| preset | key | window | stored | lookup | webhook | assumed | read |\n|---|---|---|---|---|---|---|---|\n");
    for (Preset preset : Presets.all()) {
      PresetFacts facts = PresetFacts.of(preset);
      text.append(
          "| [%s](#%s) | %s | %s | %s | %s | %s | %s | %s |\n"
              .formatted(
                  facts.preset(),
                  facts.preset(),
                  orNone(facts.key().isEmpty() ? "" : "`%s`".formatted(facts.key())),
                  orNone(facts.window()),
                  orNone(facts.stored()),
                  facts.lookups().isEmpty() ? "none" : "yes",
                  orNone(facts.webhook()),
                  orNone(String.join(", ", facts.assumed())),
                  facts.read()));
    }
    for (Preset preset : Presets.all()) {
      text.append("\n### ")
          .append(preset.preset())
          .append("\n\n")
          .append(preset.title())
          .append(". ");
      text.append(
          preset.documents().stream()
              .map(page -> "[%s](%s)".formatted(page.of(), page.url()))
              .collect(
                  Collectors.joining(
                      ", ", "Read on " + PresetFacts.of(preset).read() + ": ", ".")));
      text.append('\n');
      list(
          text,
          "Lookups",
          PresetFacts.of(preset).lookups().stream().map(one -> "`%s`".formatted(one)).toList());
      list(text, "Notes", preset.notes());
      list(text, "Assumed", preset.assumed());
    }
    return text.toString();
  }

  private static String orNone(String cell) {
    return cell.isEmpty() ? "none" : cell;
  }

  private static void list(StringBuilder text, String heading, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append('\n').append(heading).append(":\n\n");
      lines.forEach(line -> text.append("- ").append(line.replace("<", "&lt;")).append('\n'));
    }
  }
}
