package dev.hapax.trial.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The published schema and the page of cases say what the reader accepts. */
class CaseShapesTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "."));
  private static final Path SCHEMA =
      MODULE.resolve("src/main/resources/dev/hapax/trial/cases/" + CaseShapes.RESOURCE);
  private static final Path PAGE = MODULE.resolve("../docs/flows/testing.md");
  private static final String MARK = "<!-- made from the shapes -->\n";

  @Test
  void the_published_schema_is_made_from_the_shapes() throws IOException {
    String made = Json.write(CaseShapes.schema()) + "\n";
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(SCHEMA, made);
    }

    assertThat(Files.readString(SCHEMA))
        .as("write it anew with -Dhapax.write=true")
        .isEqualTo(made);
    assertThat(CaseShapes.class.getResource(CaseShapes.RESOURCE)).isNotNull();
  }

  @Test
  void the_page_of_cases_lists_every_key() throws IOException {
    String text = Files.readString(PAGE);
    int at = text.indexOf(MARK) + MARK.length();
    String made = CaseShapes.page().replace("\n## ", "\n### ");
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(PAGE, text.substring(0, at) + made);
    }

    assertThat(Files.readString(PAGE).substring(at))
        .as("write it anew with -Dhapax.write=true")
        .isEqualTo(made);
  }
}
