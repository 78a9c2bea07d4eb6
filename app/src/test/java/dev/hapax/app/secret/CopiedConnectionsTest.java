package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.json.Json;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** In a copy of a store connections are off until they are set again. */
class CopiedConnectionsTest {
  private static final String FORM = "{\"http\": {\"base\": \"https://psp.example\"}}";

  private final ManualTime time = new ManualTime();

  @Test
  void a_connection_of_the_original_is_off_in_a_copy_until_it_is_set_again() {
    try (Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT.ports(time.ports()))) {
      var copiedAt = new AtomicReference<Instant>();
      var book = new ConnectionBook(hapax.kv(), time, copiedAt::get);
      book.put("acme", "psp", Json.tree(FORM), "ann", null);
      assertThat(book.of("acme").find("psp")).isPresent();

      time.move(Duration.ofSeconds(1));
      copiedAt.set(time.now());

      assertThat(book.of("acme").find("psp")).isEmpty();
      time.move(Duration.ofSeconds(1));
      book.put("acme", "psp", Json.tree(FORM), "ann", null);
      assertThat(book.of("acme").find("psp")).isPresent();
    }
  }
}
