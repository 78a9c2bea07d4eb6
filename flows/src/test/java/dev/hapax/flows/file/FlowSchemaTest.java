package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The published schema, the page of keys and the reader say the same. */
class FlowSchemaTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "."));
  private static final Path SCHEMA =
      MODULE.resolve("src/main/resources/dev/hapax/flows/file/" + FlowSchema.RESOURCE);
  private static final Path PAGE = MODULE.resolve("../docs/flows/keys.md");

  private static @Nullable String pretty;

  private static final Path FILES = MODULE.resolve("src/test/resources/dev/hapax/flows");

  @Test
  void the_published_schema_is_made_from_the_readers_shapes() throws IOException {
    String made = pretty();
    if (Boolean.getBoolean("hapax.write")) {
      Files.createDirectories(SCHEMA.getParent());
      Files.writeString(SCHEMA, made);
    }

    assertThat(Files.readString(SCHEMA))
        .as("write it anew with -Dhapax.write=true")
        .isEqualTo(made);
    assertThat(FlowSchema.class.getResource(FlowSchema.RESOURCE)).isNotNull();
  }

  @Test
  void every_key_has_a_description_and_an_example() throws IOException {
    Map<String, List<Object>> examples = ExampleValues.all();
    for (Shape shape : FlowShapes.ALL.all()) {
      for (Shape.Field field : shape.fields().values()) {
        assertThat(field.doc()).as(shape.name() + "." + field.name()).isNotBlank();
        assertThat(examples).containsKey(shape.name() + "." + field.name());
      }
    }
  }

  @Test
  void the_published_schema_needs_no_network() {
    assertThat(FlowSchema.text())
        .isEqualTo(FlowSchema.text().replace("\r\n", "\n"))
        .doesNotContain("\"$ref\" : \"http");
  }

  @Test
  void the_page_of_keys_is_made_from_the_readers_shapes() throws IOException {
    String text = Files.readString(PAGE);
    String begin = "<!-- made from the shapes of the reader -->\n";
    int at = text.indexOf(begin) + begin.length();
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(PAGE, text.substring(0, at) + FlowSchema.page());
    }

    assertThat(Files.readString(PAGE).substring(at)).isEqualTo(FlowSchema.page());
  }

  @TestFactory
  Stream<DynamicTest> what_the_reader_accepts_the_schema_accepts() throws IOException {
    return files("good")
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      assertThat(
                              FlowReader.read(file.toString(), Files.readString(file)).problems())
                          .isEmpty();
                      assertThat(schemaProblems(file)).isEmpty();
                    }));
  }

  /**
   * The schema knows no expressions and no references, so it may accept what the reader refuses.
   */
  @TestFactory
  Stream<DynamicTest> what_the_schema_refuses_the_reader_refuses() throws IOException {
    return files("bad")
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      var read = FlowReader.read(file.toString(), Files.readString(file));
                      boolean isYaml =
                          read.problems().stream()
                              .noneMatch(p -> p.rule().equals(FileProblem.YAML));
                      if (isYaml && !schemaProblems(file).isEmpty()) {
                        assertThat(read.problems()).isNotEmpty();
                      }
                    }));
  }

  private static List<String> schemaProblems(Path file) throws IOException {
    Node root = new Yaml("f", new ArrayList<>()).read(Files.readString(file));
    Object plain = Objects.requireNonNull(Objects.requireNonNull(root).plain());
    var registry =
        com.networknt.schema.SchemaRegistry.withDefaultDialect(
            com.networknt.schema.SpecificationVersion.DRAFT_2020_12);
    return registry.getSchema(Json.tree(pretty())).validate(Json.tree(Json.write(plain))).stream()
        .map(error -> error.getInstanceLocation() + " " + error.getMessage())
        .toList();
  }

  private static Stream<Path> files(String folder) throws IOException {
    try (Stream<Path> all = Files.list(FILES.resolve(folder))) {
      return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
    }
  }

  /** Made once: it reads all examples. */
  private static synchronized String pretty() throws IOException {
    if (pretty == null) {
      pretty =
          tools.jackson.databind.json.JsonMapper.builder()
                  .enable(tools.jackson.databind.SerializationFeature.INDENT_OUTPUT)
                  .build()
                  .writeValueAsString(FlowSchema.value(ExampleValues.all()))
                  .replace("\r\n", "\n")
              + "\n";
    }
    return pretty;
  }
}
