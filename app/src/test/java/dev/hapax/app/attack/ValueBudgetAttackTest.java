package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flows of a hostile tenant make values that would not fit into memory. Each such step fails with
 * its reason; the server lives, the runs of another tenant succeed, and so they do after a restart.
 */
@Tag("attack")
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ValueBudgetAttackTest {
  private static final List<String> SMALL = List.of("-Xmx160m", "-XX:+ExitOnOutOfMemoryError");
  private static final String LONG = "x".repeat(900_000);

  private static final int AT_ONCE = 4;

  @TempDir Path folder;

  /** What each hostile step does, by its id. */
  private static Map<String, String> hostile() {
    var steps = new LinkedHashMap<String, String>();
    set(steps, "replace", "${input.s.replace('', input.s)}");
    set(steps, "replace-limit", "${input.a.replace('x', input.a, 400)}");
    set(steps, "join", "${input.n.map(i, input.a).join(',')}");
    set(steps, "key-join", "${join([input.a, input.a, input.a, input.a])}");
    set(steps, "plus", "${" + "input.a + ".repeat(40) + "input.a}");
    set(steps, "split", "${input.a.split('').map(c, input.a)}");
    set(steps, "text", "${input.a}".repeat(400));
    set(steps, "json-text", "all: ${input} and ${input} and ${input}");
    set(steps, "list-in-cel", "${[" + "input.a, ".repeat(399) + "input.a]}");
    set(steps, "map-in-cel", "${input.n.map(i, {'k': input.a, 'l': [input.a, input.a]})}");
    set(
        steps,
        "lists-of-lists",
        "${[input.a]" + ".map(l, [l, l, l, l, l, l, l, l, l, l])".repeat(20) + "}");
    set(steps, "canonical", "${canonical([" + "input.a, ".repeat(300) + "input.a])}");
    set(steps, "cases", "${[" + "input.a.upperAscii(), ".repeat(150) + "'']}");
    String many = String.join(", ", Collections.nCopies(400, "\"${input.a}\""));
    steps.put("list-400", "set: {l: [%s]}".formatted(many));
    steps.put("yaml-1500", "set:\n      l:\n" + "      - ${input}\n".repeat(1_500));
    steps.put(
        "nested",
        "set: {l: %s%s%s}"
            .formatted(
                "[".repeat(30),
                String.join(", ", Collections.nCopies(50, "\"${input}\"")),
                "]".repeat(30)));
    steps.put("members", "set: {%s}".formatted(members(1_000)));
    steps.put("http", "http: {url: 'http://127.0.0.1:9/', body: [%s]}".formatted(many));
    steps.put(
        "headers", "http: {url: 'http://127.0.0.1:9/', headers: {%s}}".formatted(members(300)));
    steps.put(
        "query",
        "http: {url: 'http://127.0.0.1:9/', query: {%s: \"${input.m}\"}}"
            .formatted("q".repeat(1_000)));
    steps.put("kv", "kv: {put: {key: k, value: [%s]}}".formatted(many));
    steps.put("resource", "resource: {put: {value: [%s]}}".formatted(many));
    steps.put("child", "flow: {name: good, input: {l: [%s]}}".formatted(many));
    steps.put(
        "publish", "publish: {url: 'http://127.0.0.1:9/', type: t, data: [%s]}".formatted(many));
    steps.put("items", "forEach: ${input.n.map(i, input.a)}\n    set: {x: \"${item}\"}\n");
    steps.put(
        "item-keys", "forEach: ${input.n}\n    itemKey: ${input.a}\n    set: {x: \"${item}\"}\n");
    steps.put("lock", "lock: ${input.s.replace('', input.s)}\n    set: {x: 1}\n");
    steps.put("fail", "fail: {code: x, message: \"${input.a}${input.a}\"}\n");
    return steps;
  }

  private static void set(Map<String, String> steps, String id, String template) {
    steps.put(id, "set: {x: \"%s\"}".formatted(template));
  }

  private static String members(int count) {
    var members = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      members.add("k%d: \"${input.a}\"".formatted(i));
    }
    return String.join(", ", members);
  }

  /** One flow with all of them; the input says which is done. */
  private static String bombs() {
    var text = new StringBuilder("flow: bombs\nsteps:\n");
    hostile()
        .forEach(
            (id, what) ->
                text.append(
                    "  - id: %1$s\n    when: ${input.attack == '%1$s'}\n    %2$s\n"
                        .formatted(id, what)));
    return text.toString();
  }

  /** Many values that are allowed each, and too much together for one run or for all. */
  private static String hoard(String name, int values) {
    var text = new StringBuilder("flow: %s\nsteps:\n".formatted(name));
    for (int i = 0; i < values; i++) {
      text.append("  - {id: s%d, set: {x: \"${input.a + '%d'}\"}}\n".formatted(i, i));
    }
    return text.toString();
  }

  private static final String GOOD =
      """
      flow: good
      key: ${input.id}
      steps:
        - {id: sum, set: {n: "${input.id.size()}"}}
      output: {n: "${steps.sum.output.n}"}
      """;

  @Test
  void values_that_would_not_fit_fail_their_step_and_nothing_else() throws Exception {
    int attempts = 0;
    try (var server = new ServerProcess(folder, SMALL)) {
      String mallory = tenant(server, "mallory");
      server.release(server.token(), GOOD);
      for (String flow : List.of(GOOD, bombs(), hoard("hoard", 16), hoard("some", 6))) {
        server.release(mallory, flow);
      }
      attempts += bombs(server, mallory);
      attempts += keys(server, mallory);
      attempts += hoards(server, mallory);
      assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
      assertThat(server.log()).doesNotContain("OutOfMemoryError");
    }
    try (var server = new ServerProcess(folder, SMALL)) { // nothing of it is taken up again
      honest(server, "after a restart");
      String mallory = tokenOf(server, "mallory");
      Reply runs = server.get(mallory, "/api/runs?limit=200&status=running");
      assertThat(runs.json().at("/items").size()).isZero();
      assertThat(listed(server, mallory)).isGreaterThan(hostile().size());
    }
    AttackTable.held(ValueBudgetAttackTest.class, "Values larger than memory", attempts);
  }

  /** Counts the runs on all pages; their inputs together are larger than a part of memory. */
  private static int listed(ServerProcess server, String token) throws Exception {
    int count = 0;
    for (String next = ""; !next.equals("null"); ) {
      String after = next.isEmpty() ? "" : "&after=" + next;
      Reply page = ServerProcess.must(server.get(token, "/api/runs?limit=200" + after));
      assertThat(page.text().length()).isLessThan(16 << 20);
      count += page.json().at("/items").size();
      next = page.json().at("/next").asString("null");
    }
    return count;
  }

  private static int bombs(ServerProcess server, String token) throws Exception {
    List<String> attacks = List.copyOf(hostile().keySet());
    together(
        attacks,
        attack -> {
          Reply run = start(server, token, "bombs", input(attack));
          assertThat(run.at("/error/code")).as(attack).isEqualTo("value-too-large");
          assertThat(run.at("/error/step")).as(attack).isEqualTo(attack);
          honest(server, "beside " + attack);
        });
    return attacks.size();
  }

  /** Runs that may have what they want wait for each other; none of them fails. */
  private static int hoards(ServerProcess server, String token) throws Exception {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      runs.add("some-" + i);
    }
    runs.add("hoard-0");
    runs.add("hoard-1");
    together(
        runs,
        run -> {
          String flow = run.substring(0, run.indexOf('-'));
          Reply ended = start(server, token, flow, input(run));
          assertThat(ended.at(flow.equals("some") ? "/status" : "/error/code"))
              .as(run + " " + ended.json().at("/error"))
              .isEqualTo(flow.equals("some") ? "succeeded" : "value-too-large");
          honest(server, "beside " + run);
        });
    return runs.size();
  }

  /** A few at the same time. */
  private static void together(List<String> names, Attack attack) throws Exception {
    var next = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int at; (at = next.getAndIncrement()) < names.size(); ) {
                    attack.make(names.get(at));
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private interface Attack {
    void make(String name) throws Exception;
  }

  private static String input(String attack) {
    return Json.write(
        Map.of(
            "attack", attack,
            "a", LONG,
            "s", "x".repeat(20_000),
            "n", Collections.nCopies(400, 1),
            "m", Collections.nCopies(5_000, 1)));
  }

  /** A key is computed before there is a run, so its caller is refused. */
  private static int keys(ServerProcess server, String token) throws Exception {
    List<String> keys =
        List.of("${input.a + input.a}", "${input.s.replace('', input.s)}", "${input.a}${input.a}");
    for (int i = 0; i < keys.size(); i++) {
      String flow = "keyed-" + i;
      server.release(
          token,
          "flow: %s\nkey: \"%s\"\nsteps:\n  - {id: a, set: {x: 1}}\n".formatted(flow, keys.get(i)));
      Reply refused = start(server, token, flow, input("key"));
      assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    }
    return keys.size();
  }

  private static Reply start(ServerProcess server, String token, String flow, String input)
      throws Exception {
    return server.ask(token, "POST", "/api/flows/" + flow + "/runs", input, "Prefer", "wait=30");
  }

  private static void honest(ServerProcess server, String id) throws Exception {
    Reply run = start(server, server.token(), "good", Json.write(Map.of("id", id)));
    assertThat(run.at("/status")).as(id + " " + run.text()).isEqualTo("succeeded");
  }

  private static String tenant(ServerProcess server, String name) throws Exception {
    ServerProcess.must(
        server.ask(server.token(), "POST", "/api/tenants", "{\"name\": \"%s\"}".formatted(name)));
    return tokenOf(server, name);
  }

  private static String tokenOf(ServerProcess server, String tenant) throws Exception {
    return ServerProcess.must(
            server.ask(server.token(), "POST", "/api/tenants/" + tenant + "/tokens", "{}"))
        .at("/token");
  }
}
