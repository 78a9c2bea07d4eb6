package dev.hapax.app.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import org.junit.jupiter.api.Test;

/** What the tool says after a failure is true of this failure. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class OnceWordsTest {
  private static final String NOT_APPLIED = "It was not applied.";
  private static final String TRIES_AGAIN = "tries again";

  private static String words(String state, String code, String effect) {
    String error =
        code.isEmpty() ? "null" : "{\"code\": \"%s\", \"message\": \"m\"}".formatted(code);
    String row = effect.isEmpty() ? "null" : "{\"state\": \"%s\"}".formatted(effect);
    return OnceWords.of(
        Json.tree(
            "{\"state\": \"%s\", \"error\": %s, \"effect\": %s}".formatted(state, error, row)));
  }

  @Test
  void a_final_refusal_was_not_applied_and_is_tried_again() {
    assertThat(words("failed", "http-400", "failed")).contains(NOT_APPLIED, TRIES_AGAIN);
    assertThat(words("failed", "http-400", "failed")).contains("http-400");
  }

  @Test
  void an_effect_that_was_given_up_is_unknown_and_not_repeated() {
    for (String said :
        new String[] {
          words("failed", "effect-abandoned", "abandoned"), words("failed", "error", "abandoned")
        }) {
      assertThat(said)
          .contains("unknown whether it was applied", "Do not repeat it with another key")
          .doesNotContain(NOT_APPLIED, TRIES_AGAIN);
    }
  }

  @Test
  void a_used_key_sent_nothing_and_does_not_say_that_a_repetition_helps() {
    assertThat(words("failed", "effect-key-reused", "done"))
        .contains("this call sent nothing", "only for another intent")
        .doesNotContain(NOT_APPLIED, TRIES_AGAIN);
    assertThat(words("failed", "effect-expired", ""))
        .contains("done before")
        .doesNotContain(NOT_APPLIED, TRIES_AGAIN);
  }

  @Test
  void a_canceled_call_is_not_tried_again() {
    assertThat(words("canceled", "", "failed"))
        .contains(NOT_APPLIED, "tries nothing")
        .doesNotContain(TRIES_AGAIN);
    assertThat(words("canceled", "", "done"))
        .contains("applied before")
        .doesNotContain("not applied");
    assertThat(words("canceled", "", "doubt")).contains("not known whether it was applied");
  }

  @Test
  void an_effect_that_is_done_is_not_called_undone() {
    assertThat(words("failed", "value-too-large", "done"))
        .contains("It was applied", "sends nothing")
        .doesNotContain(NOT_APPLIED);
    assertThat(words("failed", "value-too-large", "undone")).contains("then undone");
  }

  @Test
  void without_a_row_nothing_was_changed() {
    assertThat(words("failed", "error", "")).contains("nothing was changed", TRIES_AGAIN);
  }
}
