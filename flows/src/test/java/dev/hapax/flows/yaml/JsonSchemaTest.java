package dev.hapax.flows.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$ref': '#'}",
        "{'$ref': '#/'}",
        "{'$id': 'http://127.0.0.1:1/x', '$ref': '#'}",
        "{'allOf': [{'$ref': '#'}]}",
        "{'type': 'object', 'properties': {'a': {'anyOf': [{'$ref': '#/properties/a'}]}}}",
        "{'$ref': '#/$defs/a', '$defs': {'a': {'$ref': '#/$defs/b'}, 'b': {'$ref': '#/$defs/a'}}}",
        "{'$ref': '#/$defs/a', '$defs': {'a': {'if': {'$ref': '#/$defs/b'}}, 'b': {'not': {'$ref': '#/$defs/a'}}}}",
        "{'$ref': '#me', '$anchor': 'me'}",
        "{'$ref': '#/%24defs/a', '$defs': {'a': {'$ref': '#'}}}",
        "{'$ref': '#/nothing'}",
        "{'$ref': 'http://127.0.0.1:1/x'}",
        "{'$ref': 'file:///etc/passwd'}",
        "{'$ref': 'other.json#/a'}",
        "{'properties': {'a': {'$ref': '//host/x'}}}",
        "{'$dynamicRef': '#'}",
        "{'$dynamicRef': 'http://127.0.0.1:1/x'}",
        "{'$recursiveRef': '#'}",
        "{'$schema': 'http://127.0.0.1:1/x'}",
      })
  void a_reference_that_never_ends_or_leaves_the_file_is_refused(String schema) {
    assertThatThrownBy(() -> JsonSchema.of(Json.tree(schema.replace('\'', '"'))))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotEmpty();
  }

  @Test
  void a_chain_of_references_that_is_too_long_or_branches_too_often_is_refused() {
    var chain = new StringBuilder("{\"$ref\": \"#/$defs/a0\", \"$defs\": {");
    var tree = new StringBuilder("{\"$ref\": \"#/$defs/a0\", \"$defs\": {");
    for (int i = 0; i < 5_000; i++) {
      chain.append("\"a%d\": {\"$ref\": \"#/$defs/a%d\"},".formatted(i, i + 1));
    }
    for (int i = 0; i < 40; i++) {
      String next = "{\"$ref\": \"#/$defs/a%d\"}".formatted(i + 1);
      tree.append("\"a%d\": {\"allOf\": [%s, %s]},".formatted(i, next, next));
    }
    chain.append("\"a5000\": {}}}");
    tree.append("\"a40\": {}}}");

    assertThatThrownBy(() -> JsonSchema.of(Json.tree(chain.toString())))
        .hasMessageContaining("100 deep");
    assertThatThrownBy(() -> JsonSchema.of(Json.tree(tree.toString())))
        .hasMessageContaining("1,000 schemas");
  }

  @Test
  void a_schema_of_a_tree_may_refer_to_itself() {
    JsonSchema tree =
        JsonSchema.of(
            Json.tree(
                """
                {"type": "object", "required": ["id"],
                 "properties": {"id": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#"}}}}
                """));

    assertThat(tree.problems(Map.of("id", "a", "parts", List.of(Map.of("id", "b"))))).isEmpty();
    assertThat(tree.problems(Map.of("id", "a", "parts", List.of(Map.of("id", 1)))))
        .singleElement()
        .asString()
        .contains("/parts/0/id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e30000000", "-1e30000000", "1e-30000000", "1.5e2000000000"})
  void a_number_that_is_gigabytes_when_it_is_written_out_fits_no_schema(String number) {
    JsonSchema amounts =
        JsonSchema.of(
            Json.tree(
                """
                {"properties": {"lines": {"items": {"properties": {"amount": {"multipleOf": 0.01}}}}}}
                """));
    var value = Map.of("lines", List.of(Map.of("amount", new BigDecimal(number))));

    assertThat(amounts.problems(value))
        .singleElement()
        .asString()
        .startsWith("/lines/0/amount expected numbers of at most 1,000 digits, got ");
    assertThat(
            amounts.problems(Map.of("lines", List.of(Map.of("amount", new BigDecimal("1e300"))))))
        .isEmpty();
  }

  @Test
  void a_schema_has_no_huge_number_either() {
    assertThatThrownBy(() -> JsonSchema.of(Json.tree("{\"multipleOf\": 1e-30000000}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1,000 digits");
  }
}
