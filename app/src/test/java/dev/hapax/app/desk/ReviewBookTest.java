package dev.hapax.app.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.data.ServerMap;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Step;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class ReviewBookTest {
  private static EffectRecord effect(long number, long run) {
    return new EffectRecord(
        number,
        new EffectKey("default", "charge", "A-1", null),
        Kind.CREATE,
        "none",
        EffectState.REVIEW,
        1,
        run,
        new Step("charge", null),
        1,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void notes_are_deleted_with_their_run_and_not_before() {
    var time = new ManualTime();
    try (Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT.ports(time.ports()))) {
      Flow<String, String> flow =
          Flow.of("echo", String.class, String.class).body((_, input) -> input);
      hapax.register(flow);
      var run = hapax.start(flow, "x");
      run.await();
      EffectRecord kept = effect(1, run.run().number());
      EffectRecord gone = effect(2, 77);
      var book = new ReviewBook(ServerMap.of(hapax), time.ports().clock());
      book.assign(kept, "ada");
      book.comment(gone, "ada", "asked them");

      book.sweep(hapax::tenant);

      assertThat(book.of(kept).assignee()).isEqualTo("ada");
      assertThat(book.of(gone).comments()).isEmpty();
    }
  }
}
