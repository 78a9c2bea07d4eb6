package dev.hapax.app.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Rejected;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A list may have five million entries, and not one more. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SeenKeysTest {
  private static final int PAGE = 100_000;

  @Test
  void five_million_keys_are_known_and_one_more_is_refused() {
    var seen = new SeenKeys();
    for (long from = 0; from < 5_000_000; from += PAGE) {
      seen.add(page(from, PAGE));
    }

    assertThat(seen.has(0)).isTrue();
    assertThat(seen.has(4_999_999)).isTrue();
    assertThat(seen.has(5_000_000)).isFalse();
    assertThatThrownBy(() -> seen.add(page(5_000_000, 1)))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("5,000,000");
  }

  private static String page(long from, int size) {
    return SeenKeys.text(LongStream.range(from, from + size).boxed().toList());
  }
}
