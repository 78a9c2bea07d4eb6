package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that ends every process that loads it. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoisonRunAttackTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int RESTARTS = 4;
  private static final long A_MOMENT = 50_000_000;

  @TempDir Path folder;

  @Test
  void a_run_that_uses_up_the_memory_ends_no_more_than_four_processes_and_the_others_are_done()
      throws Exception {
    int ends = endsUntilItLives("memory");

    assertThat(ends).isBetween(1, RESTARTS);
    AttackTable.held(
        PoisonRunAttackTest.class, "a run that uses up the memory, restarts", RESTARTS);
  }

  @Test
  void a_run_that_was_alone_when_it_halted_the_process_ends_two() throws Exception {
    int ends = endsUntilItLives(PoisonProcess.HALT);

    assertThat(ends).isEqualTo(2);
  }

  /** Starts one process after another until one has got rid of the run. */
  private int endsUntilItLives(String how) throws Exception {
    for (int ends = 0; ends <= RESTARTS; ends++) {
      List<String> words =
          List.of(folder.resolve("store.db").toString(), how, Boolean.toString(ends == 0));
      List<String> options = List.of("-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
      try (ChildProcess child = ChildProcess.start(folder, PoisonProcess.class, options, words)) {
        String lives = lastWords(child);
        if (lives != null) {
          assertThat(lives).contains("quarantined", "ended without closing");
          return ends;
        }
      }
    }
    throw new AssertionError("every process ended");
  }

  /** What it says when it lives; null if it has ended. */
  private static @Nullable String lastWords(ChildProcess child) throws InterruptedException {
    long until = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() < until) {
      var lives = child.firstLine(line -> line.startsWith(PoisonProcess.LIVES));
      if (lives.isPresent()) {
        return lives.get();
      }
      if (child.hasEndedWithin(Duration.ofNanos(A_MOMENT))) {
        return null;
      }
    }
    throw new AssertionError("it neither ended nor lives: " + child);
  }

  @Test
  void a_server_that_is_killed_twice_with_one_run_in_memory_quarantines_it_until_a_person_decides()
      throws Exception {
    var arrived = new Semaphore(0);
    try (var silent =
        new HostileServer(
            (_, client) -> {
              arrived.release();
              HostileServer.silence(client, "");
            })) {
      ServerProcess server = start();
      connect(server, silent.port());
      server.release(
          server.token(),
          """
          flow: hang
          key: ${input.id}
          steps:
            - id: send
              http: {connection: silent, method: POST, path: /, body: {a: 1}}
              effect: {kind: create, key: "${input.id}", guard: keyed}
              timeout: 5m
          """);
      String run =
          ServerProcess.must(
                  server.ask(server.token(), "POST", "/api/flows/hang/runs", "{\"id\": \"A-1\"}"))
              .at("/id");
      for (int i = 0; i < 2; i++) {
        assertThat(arrived.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        server.kill();
        server.close();
        server = start();
      }
      while (!get(server, run).at("/status").equals("review")) {
        LockSupport.parkNanos(A_MOMENT);
      }
      assertThat(get(server, run).at("/error/code")).isEqualTo("quarantined");
      assertThat(act(server, run, "cancel", "{\"compensate\": true}").status()).isEqualTo(409);
      assertThat(act(server, run, "retry", "{}").status()).isEqualTo(409);
      assertThat(act(server, run, "resume", "{\"reason\": \"repaired\"}").status()).isEqualTo(200);
      assertThat(arrived.tryAcquire(60, TimeUnit.SECONDS)).as("it goes on").isTrue();
      assertThat(act(server, run, "resume", "{}").status()).isEqualTo(409);
      assertThat(server.get(server.token(), "/api/audit?limit=200").text())
          .contains("POST /api/runs/{id}/resume", "POST /api/runs/{id}/cancel");
      server.close();
    }
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, List.of("-Xmx128m"));
  }

  private static ServerCalls.Reply get(ServerProcess server, String run) throws Exception {
    return server.get(server.token(), "/api/runs/" + run);
  }

  private static ServerCalls.Reply act(ServerProcess server, String run, String what, String body)
      throws Exception {
    return server.ask(server.token(), "POST", "/api/runs/" + run + "/" + what, body);
  }

  private static void connect(ServerProcess server, int port) throws Exception {
    Map<String, Object> form =
        Map.of("base", "http://127.0.0.1:" + port, "privateHosts", Set.of("127.0.0.1"));
    ServerProcess.must(
        server.ask(
            server.token(), "PUT", "/api/connections/silent", Json.write(Map.of("http", form))));
  }
}
