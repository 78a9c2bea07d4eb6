package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.Json;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The schema of connections, for editors, knows what the server reads: no more and no less. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ConnectionSchemaTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path SCHEMA =
      BASE.resolve("src/main/resources/dev/hapax/app/cli/authoring/connection.schema.json");
  private static final Path PAGE = BASE.resolve("../docs/operate/connections.md");
  private static final Pattern EXAMPLE = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL);

  @Test
  void it_accepts_every_example_of_the_page() throws IOException {
    JsonSchema schema = JsonSchema.of(schema());
    List<String> examples =
        EXAMPLE.matcher(Files.readString(PAGE)).results().map(block -> block.group(1)).toList();

    assertThat(examples).hasSizeGreaterThan(10);
    for (String example : examples) {
      assertThat(schema.problems(Json.read(example, Object.class))).as(example).isEmpty();
    }
  }

  @Test
  void it_refuses_unknown_members_and_two_kinds() throws IOException {
    JsonSchema schema = JsonSchema.of(schema());

    for (String wrong :
        List.of(
            "{}",
            "{\"http\": {}}",
            "{\"http\": {\"base\": \"https://a.example\", \"pasword\": \"x\"}}",
            "{\"http\": {\"base\": \"https://ann:x@a.example\"}}",
            "{\"http\": {\"base\": \"https://a.example\"}, \"smtp\": {\"host\": \"a\", \"from\": \"b\"}}")) {
      assertThat(schema.problems(Json.read(wrong, Object.class))).as(wrong).isNotEmpty();
    }
  }

  @Test
  void it_has_the_members_of_the_form_each_with_a_description() throws IOException {
    var members = new TreeSet<String>();
    membersOf(ConnectionForm.class, members);
    var described = new TreeSet<String>();
    propertiesOf(schema(), described);

    assertThat(described).isEqualTo(members);
  }

  private static JsonNode schema() throws IOException {
    return Json.tree(Files.readString(SCHEMA));
  }

  private static void membersOf(Class<?> type, Set<String> members) {
    for (RecordComponent component : type.getRecordComponents()) {
      members.add(component.getName());
      if (component.getType().isRecord()) {
        membersOf(component.getType(), members);
      }
    }
  }

  private static void propertiesOf(JsonNode schema, Set<String> names) {
    schema
        .path("properties")
        .properties()
        .forEach(
            property -> {
              names.add(property.getKey());
              assertThat(property.getValue().path("description").asString(""))
                  .as(property.getKey())
                  .isNotEmpty();
              propertiesOf(property.getValue(), names);
            });
    schema
        .path("$defs")
        .properties()
        .forEach(definition -> propertiesOf(definition.getValue(), names));
  }
}
