package dev.hapax.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.limit.ValueMemory;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class RunsInMemoryTest {
  private final RunsInMemory runs = new RunsInMemory(10, new ValueMemory(1_000, 100));

  private RunsInMemory.Place take(long run) {
    return Objects.requireNonNull(runs.take(run));
  }

  @Test
  void a_run_returns_only_after_it_has_given_back_what_it_held() {
    RunsInMemory.Place place = take(1);

    boolean left = runs.leave(1, place, () -> assertThat(runs.take(1)).isNull());

    assertThat(left).isTrue();
    assertThat(place.wasWokenMeanwhile()).isTrue();
    take(1);
  }

  @Test
  void a_place_is_given_back_once() {
    RunsInMemory.Place place = take(1);
    runs.leave(1, place, () -> {});
    take(1);

    assertThat(
            runs.leave(
                1,
                place,
                () -> {
                  throw new AssertionError("given back twice");
                }))
        .isFalse();
    assertThat(runs.isTaken(1)).isTrue();
  }

  @Test
  void a_place_is_free_also_if_giving_back_fails() {
    RunsInMemory.Place place = take(1);

    assertThatThrownBy(
            () ->
                runs.leave(
                    1,
                    place,
                    () -> {
                      throw new IllegalStateException("no thread");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(runs.isTaken(1)).isFalse();
  }
}
