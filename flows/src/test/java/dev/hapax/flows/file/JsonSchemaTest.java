package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values held against a schema, within a time that the caller cannot stretch. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JsonSchemaTest {
  private static JsonSchema schema(String pattern) {
    return JsonSchema.of(
        Json.tree(
            """
            {"type": "object", "properties": {"id": {"type": "string", "pattern": "%s"}},
             "patternProperties": {"^(x+x+)+y$": {"type": "string"}}}
            """
                .formatted(pattern)));
  }

  @Test
  void a_pattern_is_found_anywhere_in_the_value() {
    JsonSchema schema = schema("[A-Z]-[0-9]+");

    assertThat(schema.problems(Map.of("id", "order A-1 of Ann"))).isEmpty();
    assertThat(schema.problems(Map.of("id", "order")))
        .singleElement()
        .asString()
        .contains("/id", "[A-Z]-[0-9]+");
  }

  @Test
  void a_pattern_that_would_never_end_ends() {
    assertThat(schema("^(a+)+$").problems(Map.of("id", "a".repeat(100_000) + "!"))).hasSize(1);
    assertThat(schema("^a").problems(Map.of("x".repeat(10_000), "1"))).isEmpty();
  }
}
