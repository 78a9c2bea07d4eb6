package dev.hapax.flows.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.json.ValueBudget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No expression and no template builds a value that is larger than a value may be. */
@Timeout(20)
class ValueRoomTest {
  private static final Position HERE = new Position("order.yaml", 7, 10);
  private static final String LONG = "a".repeat(900_000);
  private static final Scope SCOPE =
      Scope.of(
          Map.of(
              "input",
              Map.of(
                  "a", LONG,
                  "u", "ä€".repeat(200_000),
                  "s", "x".repeat(20_000),
                  "l", Collections.nCopies(3_000, LONG),
                  "n", Collections.nCopies(5_000, 7),
                  "m", Map.of("k", LONG))));

  private static Template template(String text) {
    var problems = new ArrayList<ExpressionProblem>();
    Template template =
        Template.parse(text, HERE, true, new ExpressionCompiler(null, Set.of()), problems);
    assertThat(problems).isEmpty();
    return template;
  }

  private static @Nullable Object value(String expression) {
    return template("${" + expression + "}").value(SCOPE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "input.s.replace('', input.s)",
        "input.a.replace('a', 'bb')",
        "input.a.replace('a', input.a, 100)",
        "input.a.split('').map(c, c + c)",
        "input.a.split('a')",
        "input.a + input.a",
        "input.u + input.u",
        "[input.a, input.a].join()",
        "input.l.join(',')",
        "join(input.l)",
        "join(input.l, ',')",
        "join([input.m, input.m])",
        "input.l",
        "input.l.map(x, x)",
        "input.l.map(x, [x, x])",
        "input.n.map(x, input.a)",
        "input.n.map(x, {'k': input.a})",
        "[input, input]",
        "{'a': input.a, 'b': input.a}",
        "{input.a: input.a}",
        "canonical([input.a, input.a])",
        "canonical(input.l)",
        "bytes(input.a)",
        "[input.u.lowerAscii(), input.u.upperAscii()]",
        "lower(input.a) + trim(input.a)",
      })
  void is_refused_before_it_is_built(String expression) {
    ExpressionFailed failed = catchThrowableOfType(ExpressionFailed.class, () -> value(expression));

    assertThat(failed).as(expression).isNotNull();
    assertThat(failed.code()).isEqualTo("value-too-large");
    assertThat(failed).hasMessageContaining("order.yaml:7:12").hasMessageContaining("too large");
    assertThat(String.valueOf(failed.getMessage()).length()).isLessThan(2_000);
  }

  /** The same small list, many times in lists of lists: short in memory, endless as a tree. */
  @Test
  void a_list_that_holds_itself_many_times_is_neither_compared_nor_shown() {
    String grown = "[1]" + ".map(l, [l, l, l, l, l, l, l, l, l, l])".repeat(20);

    for (String text :
        List.of(
            grown,
            "dyn(" + grown + ") || true",
            grown + " == " + grown,
            "dyn(1) in dyn(" + grown + ")",
            "{'a': 1, dyn(" + grown + "): 2}",
            "input.s.split('').map(c, input.s)",
            "canonical(" + grown + ")")) {
      try {
        assertThat(value(text)).isNotNull();
      } catch (ExpressionFailed e) {
        assertThat(String.valueOf(e.getMessage()).length()).isLessThan(4_000);
      }
    }
  }

  /** A text of many equal letters, sought in another: each place is nearly a match. */
  @Test
  void a_search_that_would_take_minutes_is_refused() {
    Scope scope =
        Scope.of(Map.of("input", Map.of("a", LONG, "b", "a".repeat(400_000) + "b", "c", "ab")));

    for (String call : List.of("contains", "indexOf", "lastIndexOf", "split")) {
      ExpressionFailed failed =
          catchThrowableOfType(
              ExpressionFailed.class,
              () -> template("${input.a.%s(input.b)}".formatted(call)).value(scope));
      assertThat(failed).as(call).hasMessageContaining("computing steps");
    }
    assertThat(template("${input.a.contains(input.c)}").value(scope)).isEqualTo(false);
  }

  /** The sum of what an evaluation makes on its way is bounded too. */
  @Test
  void many_large_values_on_the_way_are_refused_though_the_result_is_small() {
    String parts = String.join(", ", Collections.nCopies(100, "input.a.lowerAscii()"));

    for (String expression : List.of("size([" + parts + "])", "[" + parts + "][0].size()")) {
      ExpressionFailed failed =
          catchThrowableOfType(ExpressionFailed.class, () -> value(expression));
      assertThat(failed).isNotNull();
      assertThat(failed.code()).isEqualTo("value-too-large");
    }
  }

  @Test
  void what_fits_is_computed_as_before() {
    assertThat(value("input.a")).isEqualTo(LONG);
    assertThat(value("input.a.size()")).isEqualTo(900_000L);
    assertThat(value("input.l.size() + input.n.size()")).isEqualTo(8_000L);
    assertThat(value("input.n.map(x, x + 1)"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(5_000)
        .contains(8L);
    assertThat(value("input.n.filter(x, x > 7)")).isEqualTo(List.of());
    assertThat(value("input.n.map(x, {'sku': 'A-' + string(x), 'n': [x, x]})"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(5_000);
    assertThat(value("input.a.replace('b', 'c')")).isEqualTo(LONG);
    assertThat(value("'abcabc'.replace('b', '--')")).isEqualTo("a--ca--c");
    assertThat(value("'abcabc'.replace('b', '--', 1)")).isEqualTo("a--cabc");
    assertThat(value("'abc'.replace('b', '', 0)")).isEqualTo("abc");
    assertThat(value("'a€b'.replace('', '-')")).isEqualTo("-a-€-b-");
    assertThat(value("'\uD83D\uDE00b'.replace('', '-')")).isEqualTo("-\uD83D\uDE00-b-");
    assertThat(value("'abc'.replace('', '-', 2)")).isEqualTo("-a-bc");
    assertThat(value("'a,b,,c'.split(',')")).isEqualTo(List.of("a", "b", "", "c"));
    assertThat(value("'a,b,,c'.split(',', 2)")).isEqualTo(List.of("a", "b,,c"));
    assertThat(value("'a,b'.split(',', 0)")).isEqualTo(List.of());
    assertThat(value("'abc'.split('')")).isEqualTo(List.of("a", "b", "c"));
    assertThat(value("'abc'.split('', 2)")).isEqualTo(List.of("a", "bc"));
    assertThat(value("''.split(',')")).isEqualTo(List.of(""));
    assertThat(value("['a', '', 'c'].join('-')")).isEqualTo("a--c");
    assertThat(value("['', 'b'].join('-')")).isEqualTo("-b");
    assertThat(value("[].join('-')")).isEqualTo("");
    assertThat(value("['x'].join()")).isEqualTo("x");
  }

  @Test
  void a_template_counts_each_part_in_its_place() {
    var one = new ValueTemplate.Text(template("${input}"));
    Scope input = Scope.of(Map.of("input", Map.of("a", "x".repeat(1_000))));
    var few = new ValueTemplate.Sequence(HERE, Collections.nCopies(1_000, one));
    var many = new ValueTemplate.Sequence(HERE, Collections.nCopies(1_500, one));
    var named =
        new ValueTemplate.Mapping(HERE, Map.of("x".repeat(600_000), one, "y".repeat(600_000), one));

    assertThat(few.value(input)).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(1_000);
    for (ValueTemplate large : List.of(many, named)) {
      ExpressionFailed failed =
          catchThrowableOfType(ExpressionFailed.class, () -> large.value(input));
      assertThat(failed.code()).isEqualTo("value-too-large");
    }
  }

  @Test
  void a_text_of_several_expressions_is_one_value() {
    ExpressionFailed twice =
        catchThrowableOfType(
            ExpressionFailed.class, () -> template("${input.a} and ${input.a}").text(SCOPE));
    ExpressionFailed json =
        catchThrowableOfType(
            ExpressionFailed.class, () -> template("all: ${input.m}${input.m}").text(SCOPE));

    assertThat(twice.code()).isEqualTo("value-too-large");
    assertThat(json.code()).isEqualTo("value-too-large");
    assertThat(template("all: ${input.m}").text(SCOPE)).hasSizeGreaterThan(900_000);
  }

  @Test
  void a_scope_may_have_another_limit_and_several_texts_may_share_one() {
    Scope small = SCOPE.bounded(100);
    Scope shared = small.asOneValue();

    assertThat(template("${'x' + 'y'}").value(small)).isEqualTo("xy");
    assertThat(
            catchThrowableOfType(ExpressionFailed.class, () -> template("${input.a}").value(small)))
        .hasMessageContaining("100 bytes");
    assertThat(template("60 characters".repeat(5)).text(shared)).hasSize(65);
    assertThat(
            catchThrowableOfType(
                ExpressionFailed.class, () -> template("60 characters".repeat(5)).text(shared)))
        .isNotNull();
  }

  @Test
  void an_error_shows_the_beginning_of_a_value_and_never_writes_all_of_it() {
    Object deep = Collections.nCopies(3_000, Collections.nCopies(3_000, LONG)); // 8 TB as JSON
    Scope scope = Scope.of(Map.of("input", Map.of("deep", deep)));

    ExpressionFailed failed =
        catchThrowableOfType(
            ExpressionFailed.class, () -> template("${input.deep.nothing}").value(scope));

    assertThat(failed.code()).isEqualTo("expression");
    assertThat(String.valueOf(failed.getMessage()).length()).isLessThan(1_000);
  }

  @Test
  void the_size_of_a_value_is_that_of_its_texts_and_its_punctuation() {
    assertThat(ValueBudget.sizeOf("abc", 100)).isEqualTo(3);
    assertThat(ValueBudget.sizeOf("ä€\uD83D\uDE00", 100)).isEqualTo(2 + 3 + 4);
    assertThat(ValueBudget.sizeOf(List.of(1, 22), 100)).isEqualTo("[1,22]".length());
    assertThat(ValueBudget.sizeOf(Map.of("a", true), 100)).isEqualTo("{a:true}".length());
    assertThat(ValueBudget.sizeOf(List.of(), 100)).isEqualTo(2);
    assertThat(ValueBudget.sizeOf(LONG, 100)).isGreaterThan(100);
  }
}
