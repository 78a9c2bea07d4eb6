package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flow files that take long to compile: others are answered meanwhile, and most are refused. */
@Tag("attack")
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompileAttackTest {
  /** Half of the answers are faster than this; ten times what a quiet machine needs. */
  private static final long USUAL_MILLIS = 100;

  private static final long SLOWEST_MILLIS = 3_000;

  @TempDir Path folder;

  @Test
  void files_that_are_too_large_are_refused_before_they_are_compiled() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.add(file(5_000, 1, i));
    }
    files.add(file(900, 6, 0)); // more than 5,000 different expressions
    files.add(nestedSteps());
    files.add("flow: f\nsteps:\n  - {id: a, set: {x: \"${1" + " + 1".repeat(2_000) + "}\"}}\n");
    files.add(
        "flow: f\nsteps:\n  - {id: a, set: {x: \"${"
            + "(".repeat(900)
            + "1"
            + ")".repeat(900)
            + "}\"}}\n");
    files.add(longExpressions());
    files.add(
        "flow: f\nsteps:\n  - {id: a, set: {l: [" + "\"${input.a}\", ".repeat(24_000) + "1]}}\n");
    files.add("flow: f\n" + "unknown%d: 1\n".repeat(5_000) + "steps: []\n");
    schemas()
        .forEach(
            schema ->
                files.add("flow: f\ninput: " + schema + "\nsteps:\n  - {id: a, set: {x: 1}}\n"));
    var done = new AtomicBoolean();
    try (var server =
            new ServerProcess(folder, List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<Long>> watch = threads.submit(() -> askHealth(server, done));
      int attempts;
      try {
        attempts = attack(server, files);
      } finally {
        done.set(true);
      }
      List<Long> millis = watch.get();
      Collections.sort(millis);
      assertThat(millis.get(millis.size() / 2)).as(millis.toString()).isLessThan(USUAL_MILLIS);
      assertThat(millis.getLast()).as(millis.toString()).isLessThan(SLOWEST_MILLIS);
      AttackTable.held(CompileAttackTest.class, "Flow files that take long to compile", attempts);
    }
  }

  @Test
  void effects_without_a_flow_are_compiled_away_from_requests() throws Exception {
    int attempts = 60;
    var done = new AtomicBoolean();
    try (var server =
            new ServerProcess(folder, List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(once(server, 4_900, 0).text()).contains("db.params: expected at most 100");
      Future<List<Long>> watch = threads.submit(() -> askHealth(server, done));
      List<Future<Reply>> calls = new ArrayList<>();
      for (int i = 1; i < attempts; i++) {
        int number = i;
        calls.add(threads.submit(() -> once(server, 100, number)));
      }
      for (Future<Reply> call : calls) {
        assertThat(call.get().status()).as(call.get().text()).isIn(422, 429, 503);
      }
      done.set(true);
      assertThat(watch.get()).allMatch(millis -> millis < SLOWEST_MILLIS);
    }
    AttackTable.held(
        CompileAttackTest.class, "Effects without a flow that take long to compile", attempts);
  }

  /** An effect whose connection does not exist, with so many expressions of its own. */
  private static Reply once(ServerProcess server, int params, int number) throws Exception {
    var given = new StringBuilder();
    for (int i = 0; i < params; i++) {
      given.append("%s\"p%d_%d\": %d".formatted(i == 0 ? "" : ", ", number, i, i));
    }
    return server.ask(
        server.token(),
        "POST",
        "/api/once",
        "{\"effect\": {\"name\": \"e\", \"key\": \"k%d\", \"guard\": \"transaction\"}, \"connection\": \"none\", \"db\": {\"sql\": \"UPDATE t SET a = %d\", \"params\": {%s}}}"
            .formatted(number, number, given));
  }

  private int attack(ServerProcess server, List<String> files) throws Exception {
    int attempts = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> sent = new ArrayList<>();
      for (int i = 0; i < 3; i++) { // the three large drafts at the same time
        String text = files.get(i);
        sent.add(threads.submit(() -> put(server, text)));
      }
      for (Future<Reply> one : sent) {
        assertThat(one.get().text()).contains("at most 1,000 steps");
      }
      for (String file : files) {
        Reply draft = ServerProcess.must(put(server, file));
        assertThat(draft.json().at("/findings").size())
            .as(file.substring(0, Math.min(200, file.length())))
            .isBetween(1, 200);
        Reply release = server.ask(server.token(), "POST", "/api/flows/f/releases", "{}");
        assertThat(release.status()).as(release.text()).isEqualTo(422);
        assertThat(release.at("/type")).endsWith("/findings");
        attempts += 2;
      }
      return attempts + sent.size() + manyAtOnce(server);
    }
  }

  /** The largest files that are allowed, more than can wait: some are asked to come back. */
  private int manyAtOnce(ServerProcess server) throws Exception {
    int refused = 0;
    int checked = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> sent = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        String text = file(990, 1, i);
        sent.add(threads.submit(() -> put(server, text)));
      }
      for (Future<Reply> one : sent) {
        Reply reply = one.get();
        assertThat(reply.status()).isIn(200, 429);
        refused += reply.status() == 429 ? 1 : 0;
        checked += reply.status() == 200 ? 1 : 0;
      }
    }
    assertThat(checked).isPositive();
    assertThat(refused).isPositive();
    return checked + refused;
  }

  private static List<Long> askHealth(ServerProcess server, AtomicBoolean done) throws Exception {
    List<Long> millis = new ArrayList<>();
    while (!done.get()) {
      long start = System.nanoTime();
      assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }
    return millis;
  }

  private static Reply put(ServerProcess server, String text) throws Exception {
    return server.ask(server.token(), "PUT", "/api/flows/f/draft", text);
  }

  private static String file(int steps, int expressions, int number) {
    var text = new StringBuilder("flow: f\nsteps:\n");
    for (int i = 0; i < steps; i++) {
      text.append("  - {id: s%d, set: {".formatted(i));
      for (int j = 0; j < expressions; j++) {
        text.append(
            "x%d: \"${input.a + %d}\", ".formatted(j, (number * steps + i) * expressions + j));
      }
      text.append("y: 1}}\n");
    }
    return text.toString();
  }

  private static String nestedSteps() {
    var text = new StringBuilder("flow: f\nsteps:\n  - id: p\n    parallel:\n      branches:\n");
    for (int i = 0; i < 40; i++) {
      text.append("        b%d:\n".formatted(i));
      for (int j = 0; j < 30; j++) {
        text.append("          - {id: s%d-%d, set: {x: \"${%d}\"}}\n".formatted(i, j, i * 30 + j));
      }
    }
    return text.toString();
  }

  private static String longExpressions() {
    var text = new StringBuilder("flow: f\nsteps:\n");
    for (int i = 0; i < 100; i++) {
      text.append(
          "  - {id: s%d, set: {x: \"${input.a + '%s%d'}\"}}\n".formatted(i, "y".repeat(3_500), i));
    }
    return text.toString();
  }

  private static List<String> schemas() {
    var chain = new StringBuilder("{$ref: '#/$defs/a0', $defs: {");
    var tree = new StringBuilder("{$ref: '#/$defs/a0', $defs: {");
    for (int i = 0; i < 2_000; i++) {
      chain.append("a%d: {$ref: '#/$defs/a%d'}, ".formatted(i, i + 1));
    }
    for (int i = 0; i < 40; i++) {
      tree.append(
          "a%1$d: {allOf: [{$ref: '#/$defs/a%2$d'}, {$ref: '#/$defs/a%2$d'}]}, "
              .formatted(i, i + 1));
    }
    return List.of(
        "{$ref: '#'}",
        "{allOf: [{$ref: '#'}]}",
        "{type: object, properties: {a: {anyOf: [{$ref: '#/properties/a'}]}}}",
        "{$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/b'}, b: {$ref: '#/$defs/a'}}}",
        "{$ref: '#me', $anchor: me}",
        "{$ref: 'http://127.0.0.1:9/x'}",
        "{$ref: 'file:///etc/passwd'}",
        "{$ref: '#/nothing'}",
        "{$dynamicRef: '#'}",
        "{$schema: 'http://127.0.0.1:9/x'}",
        chain + "a2000: {}}}",
        tree + "a40: {}}}");
  }
}
