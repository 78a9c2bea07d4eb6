package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * {@code docs/reference/cli.md} is made from the verbs. With {@code -Dhapax.golden=write} it is
 * written anew.
 */
class CliPageTest {
  private static final String MARK = "<!-- made from the verbs -->\n";

  @Test
  void the_page_of_the_command_line_lists_every_verb_and_option() throws IOException {
    Path page = page();
    String text = Files.readString(page);
    String upTo = text.substring(0, text.indexOf(MARK) + MARK.length());
    String expected = upTo + verbs();

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.writeString(page, expected);
    } else {
      assertThat(text).isEqualTo(expected);
    }
  }

  private static String verbs() {
    var text = new StringBuilder();
    Cli.commandLine(Main.verbs(), _ -> true)
        .getSubcommands()
        .values()
        .forEach(verb -> append(text, verb));
    return text.toString();
  }

  private static void append(StringBuilder text, CommandLine verb) {
    CommandSpec spec = verb.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    text.append("\n## ").append(spec.qualifiedName()).append("\n\n```\n");
    text.append(synopsis(spec)).append("\n```\n\n");
    for (String line : spec.usageMessage().description()) {
      text.append(line.startsWith(" ") ? "- `%s`".formatted(line.strip()) : line).append('\n');
    }
    for (String line : spec.usageMessage().footer()) {
      text.append(line).append('\n');
    }
    List<String> rows = rows(spec);
    if (!rows.isEmpty()) {
      text.append("\n| | |\n|---|---|\n");
      rows.forEach(row -> text.append(row).append('\n'));
    }
    verb.getSubcommands().values().stream().distinct().forEach(inner -> append(text, inner));
  }

  private static String synopsis(CommandSpec spec) {
    var words = new ArrayList<String>();
    words.add(spec.qualifiedName());
    spec.positionalParameters().forEach(parameter -> words.add(named(parameter)));
    if (!spec.subcommands().isEmpty()) {
      words.add("[" + String.join(" | ", spec.subcommands().keySet()) + "]");
    }
    return String.join(" ", words);
  }

  private static String named(PositionalParamSpec parameter) {
    String name = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
    return parameter.arity().min() == 0 ? "[" + name + "]" : name;
  }

  /**
   * The options of every verb, and of every verb that asks a server, are at the top of the page.
   */
  private static List<String> rows(CommandSpec spec) {
    var rows = new ArrayList<String>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      rows.add(row(parameter.paramLabel(), parameter.description()));
    }
    for (OptionSpec option : spec.options()) {
      boolean isCommon =
          spec.mixins().values().stream()
              .anyMatch(mixin -> mixin.findOption(option.longestName()) != null);
      if (!isCommon && !option.hidden()) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        rows.add(
            row(
                String.join(", ", option.names())
                    + value
                    + (isRequired(option) ? " (required)" : ""),
                option.description()));
      }
    }
    return rows;
  }

  /** One of a group of options that exclude each other is not required by itself. */
  private static boolean isRequired(OptionSpec option) {
    return option.required() && option.group() == null;
  }

  private static String row(String name, String... description) {
    return "| `%s` | %s |".formatted(name, String.join(" ", description).replace("|", "\\|"));
  }

  private static Path page() {
    Path module = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
    return module.resolveSibling("docs").resolve("reference/cli.md");
  }
}
