package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.ProofReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of guards, while the process dies, answers get lost and requests arrive twice at
 * each commit and each request in turn.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuardProofTest {
  @TempDir Path folder;
  private final List<ExampleWorld> worlds = new ArrayList<>();

  @Test
  void keyed() {
    prove(
        "guards/keyed.yaml",
        Map.of("order", "A", "cents", 4000),
        world -> assertThat(world.done()).containsExactly("POST /payments/charges"));
  }

  @Test
  void upsert() {
    prove(
        "guards/upsert.yaml",
        Map.of("customer", "c", "version", 1, "email", "ann@example.org"),
        world ->
            assertThat(world.done("PUT /accounting/customers/c"))
                .isNotEmpty()
                .containsOnly(Map.of("email", "ann@example.org")));
  }

  @Test
  void lookup() {
    prove(
        "guards/lookup.yaml",
        Map.of("order", "A", "cents", 4000),
        world -> assertThat(world.done()).containsExactly("POST /accounting/invoices"));
  }

  @Test
  void transaction() {
    prove(
        "guards/transaction.yaml",
        Map.of("transfer", "t", "from", "a", "to", "b", "cents", 30),
        world -> assertThat(cents(world)).isEqualTo("[70, 30]"));
  }

  private void prove(String example, Map<String, Object> input, Consumer<ExampleWorld> holds) {
    ProofReport proof =
        EffectProof.<ExampleWorld, Object>of(this::world, world -> world.load(example).flow())
            .check(holds)
            .prove(input);

    assertThat(proof.reviews()).isZero();
    assertThat(proof.runs()).isGreaterThan(5);
  }

  private static String cents(ExampleWorld world) {
    try {
      return world
          .database()
          .run("SELECT cents FROM accounts ORDER BY account", Map.of())
          .rows()
          .stream()
          .map(row -> row.get("cents"))
          .toList()
          .toString();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private ExampleWorld world() {
    try {
      ExampleWorld world =
          new ExampleWorld().sqlite(folder.resolve("books-" + worlds.size() + ".db"));
      worlds.add(world);
      world.database().run("CREATE TABLE accounts (account TEXT, cents INTEGER)", Map.of());
      world.database().run("INSERT INTO accounts VALUES ('a', 100), ('b', 0)", Map.of());
      return world;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void closeWorlds() throws IOException {
    for (ExampleWorld world : worlds) {
      world.close();
    }
  }
}
