package dev.hapax.flows.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that compute for long leave processors to the others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongEvaluationsTest {
  private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  private static final Scope SCOPE =
      Scope.of(
          Map.of(
              "input",
              Map.of(
                  "text", "a".repeat(900_000),
                  "sought", "a".repeat(30) + "b",
                  "list", Collections.nCopies(3_000, 7))));

  private static Template template(String expression) {
    var problems = new ArrayList<ExpressionProblem>();
    Template template =
        Template.parse(
            "${" + expression + "}",
            new Position("order.yaml", 7, 10),
            true,
            new ExpressionCompiler(null, Set.of()),
            problems);
    assertThat(problems).isEmpty();
    return template;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "input.text.contains(input.sought)",
        "input.text.matches(input.sought)",
        "matches(input.text, input.sought)",
        "input.list.map(x, x + 1).size()",
      })
  void a_long_one_waits_for_its_turn_and_a_short_one_does_not(String expression) throws Exception {
    Template longOne = template(expression);
    Template shortOne = template("input.list.size() + input.text.size()");
    for (int i = 0; i < TURNS; i++) {
      LongEvaluations.OF_PROCESS.begin(); // others compute
    }
    var task = new FutureTask<>(() -> longOne.value(SCOPE));
    try {
      Thread.ofVirtual().start(task);
      while (LongEvaluations.OF_PROCESS.waiting() == 0) {
        assertThat(task.isDone()).isFalse();
        LockSupport.parkNanos(1_000_000); // the test's own time limit ends this
      }

      assertThat(shortOne.value(SCOPE)).isEqualTo(903_000L);
      assertThat(task.isDone()).isFalse();
    } finally {
      for (int i = 0; i < TURNS; i++) {
        LongEvaluations.OF_PROCESS.end();
      }
    }
    assertThat(task.get()).isNotNull();
  }

  /** Also if they fail, their turns end. */
  @Test
  void many_long_ones_come_to_their_end() throws Exception {
    Template failing = template("input.list.map(x, input.list.map(y, y)).size()");
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 4 * TURNS; i++) {
      var task = new FutureTask<>(() -> failing.value(SCOPE));
      Thread.ofVirtual().start(task);
      all.add(task);
    }
    for (Future<?> task : all) {
      assertThatThrownBy(task::get).hasCauseInstanceOf(ExpressionFailed.class);
    }
    assertThat(template("input.list.map(x, x).size()").value(SCOPE)).isEqualTo(3_000L);
  }
}
