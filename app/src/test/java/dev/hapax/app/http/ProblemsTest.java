package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.StoreUnavailable;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The answers to errors that a caller cannot fix. */
class ProblemsTest {
  @Test
  @SuppressWarnings("MemberName") // the names of tests are sentences
  void a_store_that_cannot_answer_is_unavailable_and_not_an_error_of_the_caller() {
    Route route =
        Route.get("/api/runs", TokenScope.PUBLIC, "Runs", _ -> RouteAnswer.ok(Map.of()))
            .gives(200, Map.class);

    Problem told = Problems.of(new StoreUnavailable("canceling statement", null), route);

    assertThat(told.status()).isEqualTo(503);
    assertThat(String.valueOf(told.getMessage())).contains("try again");
  }
}
