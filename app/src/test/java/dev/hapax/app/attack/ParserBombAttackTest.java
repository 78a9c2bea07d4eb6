package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** YAML, JSON and regular expressions that would keep their parsers busy, or overflow them. */
@Tag("attack")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParserBombAttackTest {
  @TempDir Path folder;

  @Test
  void no_parser_is_kept_busy() throws Exception {
    int attempts = 0;
    try (var server =
        new ServerProcess(folder, List.of("-Xmx160m", "-XX:+ExitOnOutOfMemoryError"))) {
      for (String file : yaml()) {
        Reply draft = put(server, "f", file);
        assertThat(draft.status()).as(start(file)).isIn(200, 400, 413);
        if (draft.status() == 200) {
          assertThat(draft.json().at("/findings").size()).as(start(file)).isPositive();
          assertThat(server.ask(server.token(), "POST", "/api/flows/f/releases", "{}").status())
              .as(start(file))
              .isEqualTo(422);
        }
        attempts++;
      }
      server.release(server.token(), "flow: good\nsteps:\n  - {id: a, set: {x: 1}}\n");
      for (String json : json()) {
        Reply run = server.ask(server.token(), "POST", "/api/flows/good/runs", json);
        assertThat(run.status()).as(start(json)).isIn(400, 413);
        attempts++;
      }
      attempts += patterns(server);
      Reply run =
          server.ask(server.token(), "POST", "/api/flows/good/runs", "{}", "Prefer", "wait=20");
      assertThat(run.at("/status")).isEqualTo("succeeded");
      assertThat(server.log()).doesNotContain("OutOfMemoryError", "StackOverflowError");
    }
    AttackTable.held(ParserBombAttackTest.class, "Bombs of YAML, JSON and patterns", attempts);
  }

  private static String start(String text) {
    return text.substring(0, Math.min(100, text.length()));
  }

  private static Reply put(ServerProcess server, String flow, String text) throws Exception {
    return server.ask(server.token(), "PUT", "/api/flows/" + flow + "/draft", text);
  }

  private static List<String> yaml() {
    var files = new ArrayList<String>();
    var laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      String before = "*a" + (i - 1);
      laughs.append(
          "a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", Collections.nCopies(10, before))));
    }
    files.add("flow: f\n" + laughs);
    files.add("flow: f\nsteps: &s [*s]\n");
    files.add("flow: f\nsteps: &s\n  - {id: a, set: *s}\n");
    files.add("flow: f\nx: &a {}\n" + "y: *a\n".repeat(60));
    for (String open : List.of("[", "{a: ", "- ", "? ", "!!map {a: ")) {
      files.add("flow: f\nsteps: " + open.repeat(5_000));
      files.add("flow: f\nsteps:\n  - {id: a, set: {x: " + open.repeat(100) + "}}\n");
    }
    files.add("flow: f\ndescription: " + "x".repeat(1_040_000) + "\nsteps: []\n");
    files.add("flow: f\ndescription: |\n" + "  line\n".repeat(140_000) + "steps: []\n");
    files.add("flow: " + "f".repeat(500_000) + "\nsteps: []\n");
    files.add("\"" + "k".repeat(900_000) + "\": 1\n");
    files.add("flow: f\nsteps: []\nsteps: []\n");
    files.add("flow: f\nflow: g\nsteps:\n  - {id: a, id: b, set: {x: 1}}\n");
    files.add("flow: f\n" + "k: 1\n".repeat(100_000));
    files.add("flow: f\nsteps:\n  - {id: a, set: {x: " + "9".repeat(200_000) + "}}\n");
    files.add("flow: f\nsteps:\n  - {id: a, set: {x: 1e999999999}}\n");
    files.add("flow: f\nsteps:\n  - {id: a, set: {x: .inf}}\n");
    files.add("flow: f\nsteps: !!javax.script.ScriptEngineManager [x]\n");
    files.add("flow: f\nsteps: !!python/object/apply:os.system [id]\n");
    files.add("flow: f\n--- \nflow: g\n".repeat(1_000));
    files.add("%YAML 9.9\n---\nflow: f\n");
    files.add("%TAG ! tag:x,2000:\n---\nflow: !a f\n");
    files.add("flow: f\nsteps: [" + "[], ".repeat(200_000) + "]\n");
    files.add("flow: f\nsteps: [" + "{}, ".repeat(60_000) + "]\n");
    files.add("\uFEFF\u0000flow: f\n");
    files.add("flow: \"\\uD800\"\nsteps: []\n");
    files.add("<<: &a {flow: f}\n<<: *a\nsteps: []\n");
    files.add("flow: f\nsteps:\n" + " ".repeat(900_000) + "x: [");
    files.add("? ".repeat(30_000) + "flow: f");
    files.add("'".repeat(900_001));
    return files;
  }

  private static List<String> json() {
    var texts = new ArrayList<String>();
    for (String open : List.of("[", "{\"a\":", "[[],", "{\"a\":[")) {
      texts.add("{\"x\": " + open.repeat(100_000));
      texts.add("{\"x\": " + open.repeat(101));
    }
    texts.add("{\"x\": " + "[".repeat(101) + "]".repeat(101) + "}");
    texts.add("{\"x\": " + "9".repeat(900_000) + "}");
    texts.add("{\"x\": 0." + "9".repeat(2_000) + "}");
    texts.add("{\"x\": 1e999999999999}");
    texts.add("{\"x\": 1, \"x\": 2}");
    texts.add("{\"x\": {\"y\": 1, \"\\u0079\": 2}}");
    texts.add("{\"x\": \"" + "y".repeat(1_100_000) + "\"}");
    texts.add("{\"x\": \"\\uD800\"}");
    texts.add("{\"x\": \"" + "y".repeat(10));
    texts.add("{\"x\": NaN}");
    texts.add("{\"x\": 01}");
    texts.add("{'x': 1}");
    texts.add("{\"x\": 1,}");
    texts.add("{\"x\": 1} {\"x\": 2}");
    texts.add("/* a */ {\"x\": 1}");
    texts.add("{\"" + "k".repeat(900_000) + "\": ");
    texts.add("\u0000{}");
    return texts;
  }

  /** A pattern is refused, or its value is compared with it in a moment. */
  private static int patterns(ServerProcess server) throws Exception {
    List<String> patterns =
        List.of(
            "(a+)+$",
            "(a|aa)+$",
            "(a|a?)+$",
            "(.*a){25}",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "((a{0,100}){0,100}){0,100}",
            "a{1000}{1000}",
            "(?=a)b",
            "(a)\\\\1",
            "(((((((((((a*)*)*)*)*)*)*)*)*)*)*)*",
            "[",
            "(".repeat(5_000),
            "a?".repeat(900) + "a".repeat(900),
            "x".repeat(100_000));
    for (int i = 0; i < patterns.size(); i++) {
      String flow = "pattern-" + i;
      Reply draft =
          put(
              server,
              flow,
              "flow: %s\ninput: {type: object, properties: {a: {type: string, pattern: '%s'}}}\nsteps:\n  - {id: a, set: {x: 1}}\n"
                  .formatted(flow, patterns.get(i)));
      assertThat(draft.status()).isEqualTo(200);
      Reply release = server.ask(server.token(), "POST", "/api/flows/" + flow + "/releases", "{}");
      assertThat(release.status()).isIn(201, 422);
      if (release.status() == 201) {
        server.ask(server.token(), "PUT", "/api/flows/" + flow + "/live", "{\"release\": 1}");
        Reply run =
            server.ask(
                server.token(),
                "POST",
                "/api/flows/" + flow + "/runs",
                "{\"a\": \"" + "a".repeat(100_000) + "!\"}");
        assertThat(run.status()).isIn(201, 400);
      }
    }
    for (String expression :
        List.of("matches('(a+)+$')", "matches('(a|a?)+$')", "matches('(.*a){25}')")) {
      String flow = "matching-" + Integer.toUnsignedString(expression.hashCode());
      server.release(
          server.token(),
          "flow: %s\nsteps:\n  - {id: a, set: {x: \"${input.a.%s}\"}}\n"
              .formatted(flow, expression));
      Reply run =
          server.ask(
              server.token(),
              "POST",
              "/api/flows/" + flow + "/runs",
              "{\"a\": \"" + "a".repeat(100_000) + "!\"}",
              "Prefer",
              "wait=20");
      assertThat(run.at("/status")).as(run.text().substring(0, 200)).isIn("succeeded", "failed");
    }
    return patterns.size() + 3;
  }
}
