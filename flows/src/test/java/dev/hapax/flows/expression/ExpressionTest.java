package dev.hapax.flows.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.json.Json;
import dev.hapax.json.ValueBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {
  private static final Position HERE = new Position("order.yaml", 7, 10);
  private static final Scope ORDER =
      Scope.of(
          Map.of(
              "input",
              Json.read(
                  "{\"id\":\"A-1\",\"total\":12.50,\"count\":3,\"big\":12345678901234567890,\"none\":null,"
                      + "\"at\":\"2026-11-15T10:42:00Z\",\"name\":\"  Ann\\u00a0 B \",\"lines\":[{\"sku\":\"x\",\"cents\":5},{\"sku\":\"y\",\"cents\":7}]}",
                  Object.class)));

  private final List<ExpressionProblem> problems = new ArrayList<>();

  private Template template(String text) {
    return Template.parse(
        text, HERE, true, new ExpressionCompiler(null, Set.of("send-mail")), problems);
  }

  private @Nullable Object value(String text) {
    Object value = template(text).value(ORDER);
    assertThat(problems).isEmpty();
    return value;
  }

  @Test
  void a_number_in_a_text_has_its_digits_but_not_a_thousand_million_of_them() {
    assertThat(Template.textOf(new BigDecimal("1e20"), new ValueBudget(100)))
        .isEqualTo("100000000000000000000");
    assertThat(Template.textOf(new BigDecimal("10e999999998"), new ValueBudget(100)))
        .isEqualTo("1E+999999999");
    assertThat(Template.textOf(new BigDecimal("1e-999999999"), new ValueBudget(100)))
        .isEqualTo("1E-999999999");
  }

  @Test
  void one_expression_keeps_its_type_and_a_text_is_a_text() {
    assertThat(value("${input.count}")).isEqualTo(3);
    assertThat(value("${input.total}")).isEqualTo(new BigDecimal("12.50"));
    assertThat(value("order-${input.id}/${input.count}")).isEqualTo("order-A-1/3");
    assertThat(value("${input.none}")).isNull();
    assertThat(value("a${input.none}b")).isEqualTo("ab");
    assertThat(value("$${input.id}")).isEqualTo("${input.id}");
    assertThat(value("${{'a': input.id}['a']}")).isEqualTo("A-1");
    assertThat(value("${'}' + input.id}")).isEqualTo("}A-1");
  }

  @Test
  void whole_numbers_and_others_mix() {
    assertThat(value("${input.total * 2}")).isEqualTo(25.0);
    assertThat(value("${input.count + 0.5}")).isEqualTo(3.5);
    assertThat(value("${input.count * 2}")).isEqualTo(6L);
    assertThat(value("${input.count > 2.5}")).isEqualTo(true);
    assertThat(value("${input.?missing.orValue(7)}")).isEqualTo(7L);
    assertThat(value("${has(input.none)}")).isEqualTo(true);
    assertThat(value("${input.lines.map(l, l.cents)}")).isEqualTo(List.of(5L, 7L));
    assertThat(value("${input.lines.filter(l, l.sku == 'y')[0]}"))
        .isEqualTo(Map.of("sku", "y", "cents", 7));
    assertThat(value("${input.none == null}")).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ${bucket(input.at, '1h')}                | 2026-11-15T10:00:00Z
          ${bucket(timestamp(input.at), '15m')}    | 2026-11-15T10:30:00Z
          ${lower('AbC')}${trim('  x ')}           | abcx
          ${normalize(input.name)}                 | Ann B
          ${join(['a', 1, true], '/')}             | a/1/true
          ${join(input.lines.map(l, l.sku))}       | xy
          """)
  void key_functions_give_one_value_for_one_intent(String text, String expected) {
    assertThat(value(text)).isEqualTo(expected);
  }

  @Test
  void a_regular_expression_takes_no_longer_than_its_text() {
    assertThat(value("${'%s!'.matches('^(a+)+$')}".formatted("a".repeat(500)))).isEqualTo(false);
    assertThat(value("${'A-1'.matches('^[A-Z]-[0-9]+$')}")).isEqualTo(true);
  }

  @Test
  void the_order_of_members_does_not_matter() {
    assertThat(value("${canonical({'b': 1, 'a': 2.0})}"))
        .isEqualTo(value("${canonical({'a': 2, 'b': 1.0})}"));
  }

  @Test
  void integers_beyond_doubles_have_fingerprints_of_their_own() {
    assertThat(value("${canonical(9007199254740993)}"))
        .isNotEqualTo(value("${canonical(9007199254740992)}"));
    assertThat(value("${canonical(input.big)}")).isNotNull();
  }

  @Test
  void an_error_names_the_place_and_the_values_without_secrets() {
    Scope scope = ORDER.redactedBy(text -> text.replace("A-1", "***"));

    assertThatThrownBy(() -> template("total: ${input.id + input.missing}").value(scope))
        .isInstanceOf(ExpressionFailed.class)
        .hasMessageStartingWith("order.yaml:7:19 ${input.id + input.missing} has no value: ")
        .hasMessageContaining("input.id = \"***\"")
        .hasMessageContaining("missing")
        .hasMessageNotContaining("A-1");
    assertThatThrownBy(() -> template("${input.lines.sku}").value(scope))
        .hasMessageContaining("'input.lines' is a list and has no field 'sku'");
    assertThatThrownBy(() -> template("${input.total.sku}").value(scope))
        .hasMessageContaining("'input.total' is a number and has no field 'sku'");
  }

  @Test
  void what_does_not_compile_says_where() {
    template("a ${input.id +} b");
    template("${inptu.id}");
    template("${input.id");
    template("${}");
    template("${'x'.foo()}");

    assertThat(problems)
        .extracting(problem -> problem.position().column())
        .startsWith(24, 12, 10, 12);
    assertThat(problems.get(1).message())
        .isEqualTo("'inptu.id': 'inptu' is unknown, did you mean 'input'?");
    assertThat(problems.get(2).message()).isEqualTo("'${' has no '}' that closes it");
  }

  @Test
  void a_known_schema_types_the_input() {
    var compiler =
        new ExpressionCompiler(
            Json.tree(
                """
                {"type": "object", "required": ["id"], "properties": {
                  "total": {"type": "integer"}, "name": {"type": "string"},
                  "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}}}
                """),
            Set.of());
    Scope scope =
        Scope.of(
            Map.of(
                "input",
                Map.of("id", "A", "total", 4, "name", "n", "lines", List.of(Map.of("sku", "s")))));

    assertThat(Template.parse("${input.total + 1}", HERE, true, compiler, problems).value(scope))
        .isEqualTo(5L);
    assertThat(Template.parse("${input.lines[0].sku}", HERE, true, compiler, problems).value(scope))
        .isEqualTo("s");
    assertThat(
            Template.parse("${has(input.name) ? input.id : 'x'}", HERE, true, compiler, problems)
                .value(scope))
        .isEqualTo("A");
    assertThat(
            Template.parse("${input.?name.orValue('x')}", HERE, true, compiler, problems)
                .value(scope))
        .isEqualTo("n");
    assertThat(problems).isEmpty();

    Template.parse("${input.nmae}", HERE, true, compiler, problems);
    Template.parse("${input.name * 2}", HERE, true, compiler, problems);
    assertThat(problems.get(0).message())
        .isEqualTo("'input.nmae': the input has no field 'nmae', did you mean 'name'?");
    assertThat(problems.get(1).message()).contains("cannot be used on a text and a whole number");
  }

  @Test
  void an_expression_that_would_never_end_is_stopped() {
    var many = new ArrayList<Integer>();
    for (int i = 0; i < 5_000; i++) {
      many.add(i);
    }
    Scope scope = Scope.of(Map.of("input", Map.of("l", many, "t", "a".repeat(50_000))));

    assertThatThrownBy(
            () ->
                template("${input.l.all(a, input.l.all(b, input.l.all(c, a+b+c >= 0)))}")
                    .value(scope))
        .isInstanceOf(ExpressionFailed.class);
    assertThatThrownBy(() -> template("${input.l.map(a, input.t + input.t)}").value(scope))
        .hasMessageContaining("too large");
    assertThatThrownBy(
            () -> template("${input.l.all(a, input.l.all(b, input.t.size() > 0))}").value(scope))
        .hasMessageContaining("it needs more than");
    assertThat(template("${" + "(".repeat(200) + "1" + ")".repeat(200) + "}").expressions())
        .hasSize(1);
    assertThat(problems).hasSize(1);
  }

  @Test
  void reach_names_what_an_expression_reads() {
    Reach reach =
        template(
                "${steps.invoice.output.body['id'] + input.a + string(now()) + callback('paid').url + input.l.map(x, x.y)[0]}")
            .reach();

    assertThat(problems).isEmpty();
    assertThat(reach.paths())
        .containsExactlyInAnyOrder(
            List.of("steps", "invoice", "output", "body", "id"),
            List.of("input", "a"),
            List.of("input", "l"));
    assertThat(reach.momentCall()).isEqualTo("now");
    assertThat(reach.callbacks()).containsExactly("paid");
    assertThat(reach.steps()).containsExactly("invoice");
  }

  @Test
  void a_step_id_may_have_a_dash() {
    Template template = template("${steps.send-mail.output.id + '; steps.send-mail'}");

    assertThat(
            template.value(
                Scope.of(
                    Map.of("steps", Map.of("send-mail", Map.of("output", Map.of("id", "m")))))))
        .isEqualTo("m; steps.send-mail");
    assertThat(template.reach().steps()).containsExactly("send-mail");
  }

  @Test
  void the_moment_is_given_from_outside() {
    assertThatThrownBy(() -> template("${now()}").value(ORDER)).hasMessageContaining("now()");
    Volatile moment =
        new Volatile() {
          @Override
          public java.time.Instant now() {
            return java.time.Instant.EPOCH;
          }

          @Override
          public double random() {
            return 0.5;
          }

          @Override
          public String uuid() {
            return "u";
          }

          @Override
          public Map<String, Object> callback(String step) {
            return Map.of("url", "https://x/" + step);
          }

          @Override
          public Map<String, Object> approval(String step, @Nullable String approver) {
            return Map.of("url", "https://y/" + step + "/" + approver);
          }
        };
    assertThat(template("${now()}").value(ORDER.at(moment))).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(template("${random()}|${uuid()}|${callback('a').url}").value(ORDER.at(moment)))
        .isEqualTo("0.5|u|https://x/a");
    assertThat(template("${approval('a', 'ann').url}").value(ORDER.at(moment)))
        .isEqualTo("https://y/a/ann");
  }
}
