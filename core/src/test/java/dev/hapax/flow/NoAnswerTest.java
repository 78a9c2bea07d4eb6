package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class NoAnswerTest {
  private final StoreUnavailable missing = new StoreUnavailable("busy", null);

  @Test
  void a_missing_answer_is_found_however_often_it_is_wrapped() {
    assertThat(NoAnswer.behind(missing)).isSameAs(missing);
    assertThat(NoAnswer.behind(new CompletionException(new ExecutionException(missing))))
        .isSameAs(missing);
    assertThat(NoAnswer.behind(new UncheckedIOException(new IOException(new Error(missing)))))
        .isSameAs(missing);
    var last = new IllegalStateException("the second try failed, too");
    last.addSuppressed(new RuntimeException(missing));
    assertThat(NoAnswer.behind(new RuntimeException(last))).isSameAs(missing);
    assertThatThrownBy(() -> NoAnswer.passOn(last)).isSameAs(missing);
  }

  @Test
  void another_failure_has_none_behind_it() {
    assertThat(NoAnswer.behind(new IllegalArgumentException(new IOException()))).isNull();
    assertThatCode(() -> NoAnswer.passOn(new IOException())).doesNotThrowAnyException();
  }

  @Test
  void a_circle_of_causes_or_one_that_cannot_be_read_ends_the_search() {
    var first = new RuntimeException("first");
    first.initCause(new RuntimeException("second", first));
    var unreadable =
        new RuntimeException("third") {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException("its cause cannot be read");
          }
        };
    unreadable.addSuppressed(first);

    assertThat(NoAnswer.behind(first)).isNull();
    assertThat(NoAnswer.behind(unreadable)).isNull();
  }
}
