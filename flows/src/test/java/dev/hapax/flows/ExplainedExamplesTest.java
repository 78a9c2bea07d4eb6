package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.explain.Checklist;
import dev.hapax.flows.explain.EffectAnswers;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The checklist of every example is the one of its golden file; {@code -Dhapax.write=true} writes
 * them anew.
 */
class ExplainedExamplesTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path RESOURCES = BASE.resolve("src/test/resources/dev/hapax/flows");
  private static final Path PAGE = BASE.resolve("../docs/flows/explain.md");
  private static final Pattern SHOWN =
      Pattern.compile("<!-- explained: (\\S+) -->\\n```\\n.*?```\\n", Pattern.DOTALL);

  @TestFactory
  Stream<DynamicTest> each_example_is_explained() {
    return ExampleFiles.names().stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> assertGolden(golden(name), text(name))));
  }

  @Test
  void programs_get_a_stable_document() throws IOException {
    String everyKind = Files.readString(RESOURCES.resolve("good/every-kind.yaml"));
    FlowFile file = Objects.requireNonNull(Check.check("every-kind.yaml", everyKind).file());

    assertGolden(
        "every-kind.json",
        Json.write(Checklist.of(file).json()).replace("},{", "},\n{").replace(":[{", ":[\n{")
            + "\n");
  }

  @Test
  void each_effect_of_a_flow_is_in_its_checklist() {
    for (String name : ExampleFiles.names()) {
      List<String> effects =
          file(name).allSteps().stream()
              .filter(step -> step.effect() != null)
              .map(FlowStep::id)
              .toList();

      assertThat(Checklist.of(file(name)).effects())
          .extracting(EffectAnswers::step)
          .containsAll(effects);
    }
  }

  @Test
  void the_page_shows_a_checklist_as_it_is() throws IOException {
    String text = Files.readString(PAGE);
    String made =
        SHOWN
            .matcher(text)
            .replaceAll(
                place ->
                    Matcher.quoteReplacement(
                        "<!-- explained: %s -->\n```\n%s```\n"
                            .formatted(place.group(1), text("guards/keyed.yaml"))));
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(PAGE, made);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(made).contains("crash during");
  }

  private static String golden(String example) {
    return example
        .replaceFirst("^blueprints/.*/", "blueprints-")
        .replace('/', '-')
        .replace(".yaml", ".txt");
  }

  private static String text(String example) {
    return Checklist.of(file(example)).text();
  }

  private static FlowFile file(String example) {
    return Objects.requireNonNull(Check.check(example, ExampleFiles.text(example)).file());
  }

  private static void assertGolden(String name, String found) throws IOException {
    Path golden = RESOURCES.resolve("explain").resolve(name);
    if (Boolean.getBoolean("hapax.write")) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, found);
    }

    assertThat(found).isEqualTo(Files.readString(golden));
  }
}
