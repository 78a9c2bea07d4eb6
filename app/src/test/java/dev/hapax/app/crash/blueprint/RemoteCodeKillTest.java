package dev.hapax.app.crash.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.app.ServerProcess;
import dev.hapax.testkit.fault.FaultProxy;
import dev.hapax.testkit.fault.SshServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * The blueprint {@code generate-code.yaml} with a real OpenSSH server: it is kicked off twice, its
 * server is killed and its connections are cut, and its job calls back once before the run waits
 * and three times later. At the end there was one job of each step, and one resume.
 */
@Tag("crash")
@ResourceLock("kills")
@Timeout(value = 20, unit = java.util.concurrent.TimeUnit.MINUTES)
@SuppressWarnings("MemberName") // the names of tests are sentences
class RemoteCodeKillTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/blueprints/generate-code/flows/generate-code.yaml");
  private static final int TASKS = 3;
  private static final int KILLS = Integer.getInteger("hapax.kills.remote", 4);

  @TempDir Path folder;
  private final Door door = new Door();
  private final ExecutorService people = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, String> told = new ConcurrentHashMap<>();
  private SshServer host;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(SshServer.isInstalled(), "no /usr/sbin/sshd: apt-get install openssh-server");
    host = SshServer.start(Files.createDirectory(folder.resolve("ssh")));
    proxy = FaultProxy.before(host.port());
    script(
        "generate",
        "echo \"$1 $2\" >> generated; echo \"$4\" > new-$1; mv new-$1 url-$1; sleep 1; echo diff of"
            + " $1");
    script("verify", "echo \"$1 $2\" >> verified; sleep 0.3; echo fine");
    script("apply", "echo \"$1 $2\" >> applied; sleep 0.3; echo merged $1");
  }

  @AfterEach
  void stop() throws Exception {
    people.shutdownNow();
    if (host != null) {
      proxy.close();
      host.close();
    }
  }

  private void script(String name, String text) throws IOException {
    Files.writeString(host.home().resolve(name), text);
  }

  /** Nobody waits for hours here. */
  private static String flow() throws IOException {
    return Files.readString(FILE)
        .replaceAll("    timeout: 10m.*\n", "")
        .replaceAll(
            "( *)retry: \\{.*\\}",
            "$1retry: {attempts: 1000, delay: 50ms, factor: 1.5, maxDelay: 500ms, within: 20h}\n"
                + "$1timeout: 5s");
  }

  @Test
  void one_job_and_one_resume_whatever_dies() throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var random = new Random(seed);
    try (var town = new Town(List.of(this::chat), seed)) {
      try (ServerProcess first = server()) {
        Door.must(door.put("/api/secrets/builder-key", Map.of("value", host.key())));
        Door.must(door.put("/api/connections/builder", builder(proxy.port())));
        Door.must(door.put("/api/connections/chat", chatOf(town)));
        first.release(first.token(), flow());
        door.leadTo(null);
        first.stop();
      }
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        String name = "t-" + task;
        tasks.add(people.submit(() -> play(name)));
      }

      for (int kill = 0; kill < KILLS; kill++) {
        try (ServerProcess server = server()) {
          proxy.failAfter(
              random.nextBoolean() ? FaultProxy.Fault.CUT_REQUEST : FaultProxy.Fault.CUT_ANSWER,
              random.nextInt(12_000));
          LockSupport.parkNanos(Duration.ofMillis(random.nextInt(300, 5_000)).toNanos());
          door.leadTo(null);
          server.kill();
        }
      }
      try (ServerProcess last = server()) {
        for (Future<?> task : tasks) {
          task.get();
        }
        assertThat(last.isAlive()).isTrue();
      }
    }
    for (String file : List.of("generated", "verified", "applied")) {
      assertThat(Files.readAllLines(host.home().resolve(file)))
          .as("%s, seed %d", file, seed)
          .containsExactlyInAnyOrder("t-0 1", "t-1 1", "t-2 1");
    }
    assertThat(told).hasSize(TASKS);
  }

  /**
   * The host's answer to the kick-off is held until the job has called back, so this call is
   * certain to come before the wait. Then the server dies, and the connection is cut with the
   * answer in it.
   */
  @Test
  void a_callback_before_the_wait_is_one_resume_though_the_server_dies() throws Exception {
    try (var town = new Town(List.of(this::chat), 1);
        var held = new HeldAnswers(host.port(), this::hasJob)) {
      String run;
      String path;
      try (ServerProcess first = server()) {
        Door.must(door.put("/api/secrets/builder-key", Map.of("value", host.key())));
        Door.must(door.put("/api/connections/builder", builder(held.port())));
        Door.must(door.put("/api/connections/chat", chatOf(town)));
        first.release(first.token(), flow());

        run = door.startTwice("generate-code", Map.of("task", "t-0", "prompt", "it's; $(new)"));
        held.await();
        until(() -> Files.exists(host.home().resolve("url-t-0")));
        path = URI.create(Files.readString(host.home().resolve("url-t-0")).strip()).getPath();
        assertThat(door.post(path, Map.of("call", 0)).status()).isEqualTo(200);
        assertThat(steps(run)).as("the kick-off has no answer").containsOnlyOnce("generate");

        door.leadTo(null);
        first.kill();
      }
      held.cut();
      try (ServerProcess second = server()) {
        for (int call = 1; call <= 3; call++) {
          assertThat(door.post(path, Map.of("call", call)).status()).isEqualTo(200);
        }
        end(run, "t-0");
        assertThat(second.isAlive()).isTrue();
      }
    }
    for (String file : List.of("generated", "verified", "applied")) {
      assertThat(Files.readAllLines(host.home().resolve(file))).as(file).containsExactly("t-0 1");
    }
    assertThat(told).hasSize(1);
  }

  /** The launcher makes the folder of a job before it answers. */
  private boolean hasJob() {
    return Files.isDirectory(host.home().resolve(".hapax/jobs"));
  }

  private List<String> steps(String run) throws InterruptedException {
    return door.all("/api/runs/" + run + "/history").stream()
        .map(entry -> entry.path("step").asString(""))
        .toList();
  }

  private ServerProcess server() throws Exception {
    var server = new ServerProcess(folder, List.of());
    door.leadTo(server);
    return server;
  }

  private Map<String, Object> builder(int port) throws IOException {
    return Map.of(
        "ssh",
        Map.of(
            "host",
            "127.0.0.1",
            "port",
            port,
            "user",
            host.user(),
            "hostKeys",
            List.of(host.fingerprint()),
            "key",
            "builder-key",
            "privateHosts",
            List.of("127.0.0.1")));
  }

  private static Map<String, Object> chatOf(Town town) {
    return Map.of(
        "http", Map.of("base", town.base() + "/chat", "privateHosts", List.of("127.0.0.1")));
  }

  private Visit.@Nullable Answer chat(Visit visit) {
    told.put(visit.key(), visit.field("task"));
    return Visit.ok();
  }

  /** The caller, the job and the maintainer of one task. */
  private Void play(String task) throws InterruptedException, IOException {
    String run = door.startTwice("generate-code", Map.of("task", task, "prompt", "it's; $(new)"));
    Path url = host.home().resolve("url-" + task);
    until(() -> Files.exists(url));
    String path = URI.create(Files.readString(url).strip()).getPath();
    for (int call = 0; call < 4; call++) { // the first one usually comes before the run waits
      assertThat(door.post(path, Map.of("call", call)).status()).isEqualTo(200);
    }
    end(run, task);
    return null;
  }

  /** The maintainer approves, and there was one answer to the wait. */
  private void end(String run, String task) throws InterruptedException, IOException {
    until(() -> approve(run) || settled(run));
    until(() -> settled(run));

    JsonNode ended = door.ask("GET", "/api/runs/" + run, null).json();
    assertThat(ended.path("status").asString()).as(ended.toString()).isEqualTo("succeeded");
    assertThat(ended.at("/output/applied").asString()).isEqualTo("merged " + task + "\n");
    List<JsonNode> answers =
        door.all("/api/runs/" + run + "/history").stream()
            .filter(entry -> entry.path("step").asString("").equals("generated"))
            .filter(entry -> entry.path("type").asString().equals("wait-settled"))
            .toList();
    assertThat(answers).as("%s", door.all("/api/runs/" + run + "/history")).hasSize(1);
  }

  private boolean approve(String run) throws InterruptedException {
    for (JsonNode question : door.all("/api/approvals?state=open")) {
      if (question.path("run").asString().equals(run)) {
        String path = "/api/approvals/" + question.path("id").asString();
        door.post(path, Map.of("decision", "approve"));
        door.post(path, Map.of("decision", "approve"));
        return true;
      }
    }
    return false;
  }

  /** A person resumes what is in quarantine: the server was killed, and not by this run. */
  private boolean settled(String run) throws InterruptedException {
    JsonNode now = door.ask("GET", "/api/runs/" + run, null).json();
    if (now.at("/error/code").asString("").equals("quarantined")) {
      door.post("/api/runs/" + run + "/resume", Map.of("reason", "the test killed the server"));
    }
    return List.of("succeeded", "failed", "compensated", "canceled", "partial")
        .contains(now.path("status").asString());
  }

  /** Something that another process makes true. */
  private interface Condition {
    boolean holds() throws InterruptedException, IOException;
  }

  private static void until(Condition condition) throws InterruptedException, IOException {
    while (!condition.holds()) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException("the test is over");
      }
    }
  }
}
