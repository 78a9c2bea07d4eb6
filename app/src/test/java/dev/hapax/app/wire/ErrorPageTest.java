package dev.hapax.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/errors.md} is made from the catalog, and the catalog has every code that
 * the sources contain. With {@code -Dhapax.golden=write} the page is written anew.
 */
class ErrorPageTest {
  private static final String MARK = "<!-- made from the catalog of errors -->\n";
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling(".");
  private static final String TEXT = "\\(\\s*\"([a-z0-9]+(?:-[a-z0-9]+)*-?)\"";
  private static final String MADE =
      "(?:Failure\\.of|new Failure|new StepFailed|new Rejected|Rejected\\.stored|new Mistake"
          + "|new Reply\\.Hopeless|InvalidInput|throw step\\.failed|throw failed|ErrorView\\.explained)";
  private static final Pattern CODE = Pattern.compile(MADE + TEXT);
  private static final Pattern CODE_BY_NAME = Pattern.compile(MADE + "\\(\\s*([A-Z][A-Z_]+)\\b");
  private static final Pattern OWN_CODE =
      Pattern.compile("String code\\(\\) \\{\\s*return (?:\"([a-z-]+)\"|([A-Z_]+));");
  private static final Pattern PROBLEM = Pattern.compile("\\bof" + TEXT);

  @Test
  void every_code_with_which_a_run_or_step_can_fail_is_in_the_catalog() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path source : sources("core", "store", "flows", "app")) {
      String text = Files.readString(source);
      if (!source.getFileName().toString().equals("ConnectionTrial.java")) {
        found(CODE, text, found);
      }
      CODE_BY_NAME.matcher(text).results().forEach(one -> constant(one.group(1), text, found));
      OWN_CODE
          .matcher(text)
          .results()
          .forEach(
              one -> {
                if (one.group(1) == null) {
                  constant(one.group(2), text, found);
                } else {
                  found.add(one.group(1));
                }
              });
      if (text.contains("USUAL_CODE = ")) {
        constant("USUAL_CODE", text, found);
      }
    }

    Set<String> known =
        ErrorCatalog.codes().stream()
            .map(entry -> entry.code().replace("-*", "-"))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(found).as("codes in the sources").hasSizeGreaterThan(50).isEqualTo(known);
  }

  @Test
  void every_problem_over_http_is_in_the_catalog() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path source : sources("app")) {
      String text = Files.readString(source);
      if (text.contains("Problem")) {
        found(
            source.endsWith("Problem.java") ? PROBLEM : Pattern.compile("Problem\\.of" + TEXT),
            text,
            found);
      }
    }

    assertThat(ErrorCatalog.problems().stream().map(ErrorCatalog.Entry::code))
        .containsExactlyElementsOf(found);
  }

  @Test
  void a_code_of_a_family_and_a_code_of_a_flow_have_a_section_too() {
    assertThat(ErrorCatalog.of("http-404").docs()).isEqualTo("https://hapax.dev/errors/http");
    assertThat(ErrorCatalog.of("sql-parameter").docs()).endsWith("/sql-parameter");
    assertThat(ErrorCatalog.of("sold-out").docs()).endsWith("/other");
    assertThat(ErrorCatalog.of("").docs()).endsWith("/other");
  }

  @Test
  void the_page_of_errors_has_a_section_for_every_code() throws IOException {
    Path page = ROOT.resolve("docs/reference/errors.md");
    String text = Files.readString(page);
    String expected = text.substring(0, text.indexOf(MARK) + MARK.length()) + sections();

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.writeString(page, expected);
    } else {
      assertThat(text).isEqualTo(expected);
    }
  }

  private static String sections() {
    var text = new StringBuilder("\n## Codes of runs and steps\n");
    for (ErrorCatalog.Entry entry : ErrorCatalog.codes()) {
      text.append("\n### ").append(entry.section()).append("\n\n");
      if (entry.code().endsWith("-*")) {
        text.append("All codes that begin with `%s-`. ".formatted(entry.section()));
      }
      text.append(
          switch (entry.kind()) {
            case "retryable" -> "*Failed, retryable.* ";
            case "person" -> "*Failed, needs a person.* ";
            case "review" -> "*Review.* ";
            default -> "";
          });
      text.append(entry.meaning()).append("\n\n").append(entry.advice()).append('\n');
    }
    ErrorCatalog.Entry other = ErrorCatalog.of("sold-out");
    text.append("\n### other\n\n%s %s%n".formatted(other.meaning(), other.advice()));
    text.append("\n## Problems over HTTP\n\n| problem | status | meaning | what to do |\n");
    text.append("|---|---|---|---|\n");
    for (ErrorCatalog.Entry entry : ErrorCatalog.problems()) {
      text.append(
          "| <a name=\"problem-%1$s\"></a>`%1$s` | %2$s | %3$s | %4$s |%n"
              .formatted(entry.code(), entry.kind(), entry.meaning(), entry.advice()));
    }
    return text.toString();
  }

  private static void found(Pattern pattern, String text, Set<String> into) {
    pattern.matcher(text).results().forEach(one -> into.add(one.group(1)));
  }

  private static void constant(String name, String text, Set<String> into) {
    Matcher value = Pattern.compile("\\b" + name + "\\s*=\\s*\"([a-z-]+)\"").matcher(text);
    if (value.find()) {
      into.add(value.group(1));
    }
  }

  private static List<Path> sources(String... modules) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
      }
    }
    return all;
  }
}
