package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Reviews with the same cause have the same words, though their numbers and names differ. */
class ReviewCauseTest {
  @Test
  void the_status_of_an_answer_is_part_of_the_cause_and_other_numbers_are_not() {
    String one = ReviewCause.error("it is not known: HTTP 500: order A-17 failed at 10:15");
    String same = ReviewCause.error("it is not known: HTTP 500: order B-2 failed at 23:59");
    String other = ReviewCause.error("it is not known: HTTP 503: order A-17 failed at 10:15");

    assertThat(one).isEqualTo("it is not known: HTTP 500: order # failed at #").isEqualTo(same);
    assertThat(other).isEqualTo("it is not known: HTTP 503: order # failed at #");
  }
}
