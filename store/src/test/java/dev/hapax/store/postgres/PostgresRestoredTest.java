package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreRestored;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A copy of a database knows that it is one, and so do all nodes that use it. */
@Tag("server")
class PostgresRestoredTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HapaxOptions QUICK = HapaxOptions.DEFAULT.lease(Duration.ofSeconds(3));

  private final List<String> sent = new CopyOnWriteArrayList<>();

  private final List<String> tokens = new CopyOnWriteArrayList<>();

  private final Flow<String, String> mail =
      Flow.of("mail", String.class, String.class)
          .key(id -> id)
          .body(
              (run, id) -> {
                tokens.add(run.callback("go"));
                String answer = run.awaitCallback("go", String.class);
                run.effect("mail", Effect.notify(id).unguarded(), _ -> sent.add(id));
                return answer;
              });

  private Hapax open(String url) {
    Hapax hapax = Hapax.open(url, QUICK);
    hapax.register(mail);
    return hapax;
  }

  @Test
  void a_copied_database_sends_nothing_until_a_person_has_said_what_it_is() throws Exception {
    String original = TestDatabase.freshUrl();
    String token;
    try (Hapax hapax = open(original)) {
      RunHandle<String> run = hapax.start(mail, "A-1");
      eventually(() -> run.run().status() == RunStatus.WAITING);
      token = tokens.getFirst();
    }
    String copy = copyOf(original);
    long id;
    try (Hapax hapax = open(original)) {
      id = hapax.storeId();
      assertThat(hapax.restored()).isNull();
    }

    try (Hapax one = open(copy);
        Hapax two = open(copy)) {
      assertThat(one.restored()).isNotNull();
      assertThat(two.restored()).isNotNull();
      assertThat(one.run(one.id("mail", "A-1")).status()).isEqualTo(RunStatus.WAITING);
      assertThatThrownBy(() -> one.start(mail, "A-2")).isInstanceOf(StoreRestored.class);
      assertThatThrownBy(() -> two.callbacks().answer(token, "go"))
          .isInstanceOf(StoreRestored.class);

      one.restore(Restoration.COPY);

      eventually(() -> two.restored() == null);
      assertThat(one.storeId()).isNotEqualTo(id);
      two.callbacks().answer(token, "go");
      eventually(() -> !two.effects(two.effects().state(EffectState.REVIEW)).isEmpty());
      assertThat(sent).isEmpty();
    }
    try (Hapax hapax = open(copy)) {
      assertThat(hapax.restored()).isNull();
    }
  }

  /** A database with everything that the other one has. */
  private static String copyOf(String url) throws SQLException {
    String fresh = TestDatabase.freshUrl();
    String name = nameOf(fresh);
    try (Connection connection =
            DriverManager.getConnection(url.replace("/" + nameOf(url) + "?", "/postgres?"));
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE " + name);
      statement.execute("CREATE DATABASE " + name + " TEMPLATE " + nameOf(url));
    }
    return fresh;
  }

  private static String nameOf(String url) {
    return url.replaceAll(".*/([^/?]+)\\?.*", "$1");
  }

  private static void eventually(BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come within %s", PATIENCE).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
