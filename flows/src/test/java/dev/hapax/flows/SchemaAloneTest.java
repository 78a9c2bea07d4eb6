package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.hapax.flows.file.FlowSchema;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An agent that has nothing but the published JSON Schema can write what the documentation shows:
 * every flow file in it fits the schema alone.
 */
class SchemaAloneTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Pattern BLOCK =
      Pattern.compile("```yaml(?: good)?\\n(flow: .*?)```", Pattern.DOTALL);

  @Test
  void every_flow_file_in_the_guides_fits_the_published_schema() throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Json.tree(FlowSchema.text()));
    var problems = new LinkedHashMap<String, Object>();
    Map<String, String> flows = flows();

    flows.forEach(
        (place, text) -> {
          Node root = new Yaml(place, new ArrayList<>()).read(text);
          Object plain = Objects.requireNonNull(Objects.requireNonNull(root).plain());
          List<?> errors = schema.validate(Json.tree(Json.write(plain)));
          if (!errors.isEmpty()) {
            problems.put(place, errors);
          }
        });

    assertThat(problems).isEmpty();
    assertThat(flows).hasSizeGreaterThan(60);
  }

  private static Map<String, String> flows() throws IOException {
    var flows = new LinkedHashMap<String, String>();
    for (Path page : files("docs/flows", ".md")) {
      Matcher blocks = BLOCK.matcher(Files.readString(page));
      while (blocks.find()) {
        flows.put(page + ":" + blocks.start(), blocks.group(1));
      }
    }
    for (Path file : ExampleFiles.paths()) {
      String text = Files.readString(file);
      if (text.lines().anyMatch(line -> line.startsWith("flow: "))) {
        flows.put(file.toString(), text);
      }
    }
    return flows;
  }

  private static List<Path> files(String folder, String end) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT.resolve(folder))) {
      return all.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }
}
