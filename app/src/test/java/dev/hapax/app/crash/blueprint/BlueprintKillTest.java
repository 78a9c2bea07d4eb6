package dev.hapax.app.crash.blueprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * Five folders of {@code examples/blueprints} on a server that is killed at random instants, one
 * process after another on the same store, while the systems around it lose one answer of five: at
 * the end their books agree with what was asked for. {@code -Dhapax.kills.blueprints} says how
 * often; a seed is repeated with {@code -Dhapax.seed}.
 */
@Tag("crash")
@ResourceLock("kills") // beside each other they are so slow that runs get nowhere between two kills
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 2, unit = java.util.concurrent.TimeUnit.HOURS)
class BlueprintKillTest {
  private static final Path FILES =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples/blueprints");
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final List<String> OPEN =
      List.of("queued", "running", "waiting", "review", "compensating", "canceling");

  /** The files' own times are for real systems: nobody waits hours for a retry here. */
  private static final String PATIENT =
      "( *)retry: \\{attempts: \\d+, delay: 1s, factor: 2, maxDelay: 10m, within: 20h\\}";

  private static final String HASTY =
      "$1retry: {attempts: 1000, delay: 50ms, factor: 1.5, maxDelay: 300ms, within: 20h}\n"
          + "$1timeout: 1s";

  @TempDir Path folder;

  private final Door door = new Door();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final Payments payments = new Payments();
  private final List<Blueprint> blueprints =
      List.of(
          new Charges(door, payments),
          new Customers(door),
          new Invoices(door),
          new Videos(door, callers),
          new Journeys(door, payments));
  private final Operator operator = new Operator(door, blueprints);
  private final List<Future<?>> promised = new ArrayList<>();

  @Test
  void the_books_agree_however_often_the_server_is_killed() throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var random = new Random(seed);
    var programme = Programme.of("hapax.kills.blueprints", 10, 300);
    var places = new ArrayList<Town.Place>(blueprints);
    places.add(payments);
    int kills = 0;
    try (var town = new Town(places, seed)) {
      setUp(town);
      callers.execute(operator);

      while (programme.goesOn(kills)) {
        giveWork(kills, random);
        live(random);
        kills++;
      }
      try (ServerProcess last = start()) {
        giveWork(kills, random);
        awaitEnds();
        List<String> problems = problems();
        String line =
            "blueprints: %d kills in %s, seed %d: %d of %d answers lost, %d reviews settled, %d runs resumed, %d problems"
                .formatted(
                    kills,
                    programme.taken(),
                    seed,
                    town.lost.get(),
                    town.visits.get(),
                    operator.settled.get(),
                    operator.resumed.get(),
                    problems.size());
        System.out.println(line);
        Results.append(line);
        assertThat(problems).as("seed %d", seed).isEmpty();
        assertThat(town.lost.get()).isGreaterThan(town.visits.get() / 10);
        assertThat(last.isAlive()).isTrue();
      }
    } finally {
      callers.shutdownNow();
    }
  }

  private void setUp(Town town) throws Exception {
    try (ServerProcess first = start()) {
      Door.must(door.put("/api/secrets/shop-signing", Map.of("value", Customers.SECRET)));
      for (String name :
          Stream.concat(
                  Stream.of("payments"),
                  blueprints.stream().flatMap(blueprint -> blueprint.connections().stream()))
              .toList()) {
        Door.must(door.put("/api/connections/" + name, connection(town, name)));
      }
      for (Blueprint blueprint : blueprints) {
        first.release(first.token(), text(blueprint.flow()));
      }
      door.leadTo(null);
      first.stop();
    }
  }

  /** All remove duplicates by key for a day; a refused payment is stored under its key. */
  private static Object connection(Town town, String name) {
    return Map.of(
        "http",
        Map.of(
            "base",
            town.base() + "/" + name,
            "privateHosts",
            List.of("127.0.0.1"),
            "idempotency",
            Map.of("header", "Idempotency-Key", "window", "24h", "refusals", List.of(402))));
  }

  private static String text(String flow) throws IOException {
    return Files.readString(FILES.resolve("%s/flows/%s.yaml".formatted(flow, flow)))
        .replaceAll(PATIENT, HASTY)
        .replace("settle: 10s", "settle: 200ms");
  }

  private ServerProcess start() throws Exception {
    var server = new ServerProcess(folder, List.of("-Dsun.net.httpserver.nodelay=true"));
    door.leadTo(server);
    return server;
  }

  /** New work of every blueprint, so that each kill meets all of them. */
  private void giveWork(int life, Random random) {
    var work = new ArrayList<Callable<?>>();
    blueprints.forEach(blueprint -> work.addAll(blueprint.work(life)));
    Collections.shuffle(work, random);
    work.forEach(one -> promised.add(callers.submit(one)));
  }

  /** Most die soon; some live long enough that doubts are settled. */
  private void live(Random random) throws Exception {
    int most = random.nextInt(4) == 0 ? 3_000 : 1_000;
    try (ServerProcess server = start()) {
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(20, most)).toNanos());
      assertThat(server.isAlive()).as("it ended by itself: %s", server.log()).isTrue();
      door.leadTo(null);
      server.kill();
    }
  }

  private void awaitEnds() throws InterruptedException, ExecutionException {
    long end = System.nanoTime() + LONGEST.toNanos();
    for (Future<?> one : promised) {
      one.get();
    }
    while (hasOpenRuns()) {
      assertThat(System.nanoTime()).as("%s", operator.problems).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
  }

  private boolean hasOpenRuns() throws InterruptedException {
    for (String status : OPEN) {
      if (!door.all("/api/runs?status=" + status).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private List<String> problems() throws InterruptedException {
    var problems = new ArrayList<>(operator.problems);
    for (Blueprint blueprint : blueprints) {
      var runs = new ArrayList<JsonNode>();
      for (JsonNode run : door.all("/api/runs?flow=" + blueprint.flow())) {
        runs.add(door.ask("GET", "/api/runs/" + run.path("id").asString(), null).json());
      }
      blueprint.problems(runs).forEach(one -> problems.add(blueprint.flow() + ": " + one));
    }
    return problems;
  }
}
