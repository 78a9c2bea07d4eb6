package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that cannot answer a read, or ends the session, decides nothing. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresReadFaultTest {
  private static final int READERS = 4;
  private static final String LARGE = "x".repeat(100_000);
  private static final String ENDED = "terminating connection due to idle-session timeout";

  /** Fails the next so many queries with this state. */
  private static final class Faults {
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String state = "";

    void fail(String sqlState, int times) {
      state = sqlState;
      asked.set(0);
      left.set(times);
    }

    PostgresConnections.Source before(DataSource database) {
      return () -> over(Connection.class, database.getConnection());
    }

    private <T> T over(Class<T> type, T target) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> invoke(target, method, arguments)));
    }

    private Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("executeQuery") && target instanceof PreparedStatement) {
        asked.incrementAndGet();
        if (left.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
          throw new SQLException("made up", state);
        }
      }
      try {
        Object answer = method.invoke(target, arguments);
        return answer instanceof PreparedStatement statement
            ? over(PreparedStatement.class, statement)
            : answer;
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "57P05", "57014", "57P01", "53200", "53300", "58030", "58000", "08006", "XX000", "0A000",
        "26000", "42501", "42P01", "55P03", "40001", "25P03"
      })
  void a_read_that_fails_is_repeated_on_another_connection_and_then_has_no_answer(String state) {
    var faults = new Faults();
    try (PostgresStore store =
        new PostgresStore(
            faults.before(TestDatabase.empty(PostgresReadFaultTest.class)),
            Ports.system().threads())) {
      faults.fail(state, 2);
      assertThat(store.run(7)).isNull();

      faults.fail(state, 1_000);
      assertThatThrownBy(() -> store.run(7)).isInstanceOf(StoreUnavailable.class);
      assertThat(faults.asked.get()).isBetween(3, 10);

      faults.fail(state, 0);
      assertThat(store.run(7)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"22021", "22P02", "54000"})
  void an_error_of_the_question_itself_is_reported_at_once(String state) {
    var faults = new Faults();
    try (PostgresStore store =
        new PostgresStore(
            faults.before(TestDatabase.empty(PostgresReadFaultTest.class)),
            Ports.system().threads())) {
      faults.fail(state, 1);

      assertThatThrownBy(() -> store.run(7))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("refused this query");

      assertThat(faults.asked.get()).isEqualTo(1);
      assertThat(store.run(7)).isNull();
    }
  }

  @Test
  void sessions_that_the_server_ends_cost_no_event_no_step_and_no_wake_up() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    Flow<String, Integer> flow =
        Flow.of("large", String.class, Integer.class)
            .key(order -> order)
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(
                (run, _) -> {
                  String first = run.step("first", () -> LARGE, String.class);
                  run.sleep("pause", Duration.ofSeconds(3));
                  String again = run.step("again", () -> LARGE + "y", String.class);
                  run.sleep("longer", Duration.ofSeconds(3));
                  return first.length() + again.length();
                });
    try (PostgresServer server =
            PostgresServer.start(
                PostgresServer.Durability.NONE, Map.of("idle_session_timeout", "'1s'"));
        Hapax hapax = Hapax.open(server.newDatabase(), HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      hapax.inbox().source("shop", String.class, flow, order -> order);
      RunHandle<Integer> run = hapax.start(flow, "A-0");
      for (int i = 1; i <= 3; i++) {
        awaitEnds(server, i == 1 ? READERS : 1); // then only those that were used since

        var heard = hapax.inbox().receive(Event.from("shop").id("e-" + i).payload("A-" + i));

        assertThat(heard.outcome()).as(heard.toString()).isEqualTo(InboxOutcome.ACCEPTED);
      }

      assertThat(run.await()).isEqualTo(2 * LARGE.length() + 1);
      for (int i = 1; i <= 3; i++) {
        assertThat(hapax.start(flow, "A-" + i).await()).isEqualTo(2 * LARGE.length() + 1);
      }
      assertThat(ends(server)).isGreaterThan(READERS + 1);
    }
  }

  /** So many more sessions were ended. */
  private static void awaitEnds(PostgresServer server, int more) throws IOException {
    long before = ends(server);
    while (ends(server) < before + more) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private static long ends(PostgresServer server) throws IOException {
    return Files.readString(server.log(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(ENDED))
        .count();
  }
}
