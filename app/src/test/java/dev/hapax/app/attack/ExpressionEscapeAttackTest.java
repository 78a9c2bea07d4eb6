package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Expressions that try to reach classes, secrets, the environment or other tenants, and values that
 * look like expressions.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class ExpressionEscapeAttackTest {
  /** Part of everything that must not be reached. */
  private static final String CANARY = "canary-of-the-operator";

  /** The name of a class, or what an object says of itself that has no text. */
  private static final Pattern OF_JAVA =
      Pattern.compile("(java|dev\\.hapax|dev\\.cel|com\\.google)\\.[a-z]|@[0-9a-f]{6,8}\\b");

  /** Names and functions that expressions do not have; most are those of other languages. */
  private static final List<String> UNKNOWN =
      List.of(
          "getClass()",
          "input.getClass()",
          "input.a.getClass().forName('java.lang.Runtime')",
          "''.getClass()",
          "''.class.forName('java.lang.Runtime')",
          "input.class.forName('java.lang.Runtime').getRuntime().exec('id')",
          "input.hashCode()",
          "input.toString()",
          "input.m.entrySet()",
          "input.m.put('k', 1)",
          "input.l.add(1)",
          "input.invoke('exit')",
          "java.lang.Runtime.getRuntime()",
          "java.lang.System.exit(1)",
          "java.lang.System.getenv('CANARY')",
          "java.lang.Class",
          "Runtime.getRuntime().halt(1)",
          "System.exit(1)",
          "Class.forName('x')",
          "T(java.lang.Runtime)",
          "new java.lang.String('x')",
          "dev.hapax.app.Main",
          "dev.hapax.app.Main{}",
          "java.lang.ProcessBuilder{command: ['id']}",
          "env",
          "env.CANARY",
          "env('CANARY')",
          "getenv('CANARY')",
          "environment.CANARY",
          "process.env.CANARY",
          "secrets",
          "secrets.bank",
          "secrets['bank']",
          "secret('bank')",
          "vault.bank",
          "connections.shop",
          "connection('shop').auth",
          "tenant",
          "tenants['default']",
          "hapax.tenant('default')",
          "kv",
          "kv.get('canary')",
          "kv('canary')",
          "runs",
          "flows",
          "config",
          "settings",
          "token",
          "admin",
          "this",
          "self",
          "globalThis",
          "window",
          "constructor",
          "constructor.constructor('return 1')()",
          "__proto__",
          "prototype",
          "import('fs')",
          "require('fs')",
          "eval('1 + 1')",
          "exec('id')",
          "system('id')",
          "file('/etc/passwd')",
          "readFile('/etc/passwd')",
          "include('/etc/passwd')",
          "load('x')",
          "fetch('http://127.0.0.1:9/')",
          "http('http://127.0.0.1:9/')",
          "template('${1 + 1}')",
          "lambda(x, x)",
          "function() { return 1 }",
          "x = 1",
          "input.a = 1",
          "1; 2",
          "while (true) {}",
          "for (x : input.l) {}");

  /** Members that nothing has. What they ask is known only when there is an input. */
  private static final List<String> MISSING =
      List.of(
          "input.class",
          "input.getClass",
          "input.a.class",
          "input.a.value",
          "input.a.bytes",
          "input.n.class",
          "input.l.class",
          "input.l.length",
          "input.m.class",
          "input.m.entrySet",
          "input.__proto__",
          "input.__proto__.polluted",
          "input.constructor",
          "input.constructor.prototype",
          "input['class']",
          "input['__proto__']",
          "input['constructor']",
          "input['a']['class']",
          "input.hashCode",
          "input.l[0].class",
          "input.l[-1]",
          "input.l[99999999999]",
          "dyn(input.a).class",
          "{'a': input}.a.class",
          "[input][0].class",
          "input.l.map(x, x.class)",
          "run.class",
          "run.tenant",
          "run.token",
          "run.secrets",
          "run.env",
          "run['hapax']",
          "run.id.class",
          "run.flow.getClass",
          "steps.first.class",
          "steps.first.journal",
          "steps.first.output.class",
          "steps.first.output.__proto__",
          "steps['first'].output['constructor']");

  /** Work without end, in few characters. */
  private static final List<String> ENDLESS =
      List.of(
          "input.many.all(a, input.many.all(b, input.many.all(c, a + b + c > 0)))",
          "input.many.map(a, input.many.map(b, [a, b]))",
          "input.many.filter(a, input.many.exists(b, input.many.exists(c, a + b + c > 9)))",
          "input.many.map(a, input.a.replace('', input.a.replace('', input.a.replace('',"
              + " input.a))))",
          "input.a.matches('(((a{100}){100}){100})')",
          "(".repeat(300) + "1" + ")".repeat(300),
          "[".repeat(300) + "]".repeat(300),
          "input" + ".a".repeat(1_500),
          "'" + "x".repeat(5_000) + "'",
          "1" + " + 1".repeat(3_000));

  /** Where an expression may be in a file. */
  private static final List<String> PLACES =
      List.of(
          "steps:\n  - {id: a, set: {x: \"${%s}\"}}\n",
          "steps:\n  - {id: a, set: {x: [{y: \"text ${%s} text\"}]}}\n",
          "key: \"${%s}\"\nsteps:\n  - {id: a, set: {x: 1}}\n",
          "steps:\n  - {id: a, when: \"${%s}\", set: {x: 1}}\n",
          "steps:\n  - {id: a, forEach: \"${%s}\", set: {x: 1}}\n",
          "steps:\n  - {id: a, http: {url: \"https://shop.example/${%s}\"}}\n",
          "steps:\n  - {id: a, approval: {ask: \"${%s}?\"}}\n",
          "steps:\n  - {id: a, set: {x: 1}}\noutput: {x: \"${%s}\"}\n");

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static String mallory;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ServerProcess(
            folder,
            Map.of("CANARY", CANARY),
            List.of("-Xmx256m", "-Dcanary=" + CANARY),
            "http.requestsPerToken=off",
            "http.requestsPerAddress=off");
    String secret = Json.write(Map.of("value", CANARY, "hosts", List.of("bank.example")));
    ServerProcess.must(server.ask(server.token(), "PUT", "/api/secrets/bank", secret));
    String value = Json.write(Map.of("value", CANARY));
    ServerProcess.must(server.ask(server.token(), "PUT", "/api/kv/canary", value));
    ServerProcess.must(
        server.ask(server.token(), "POST", "/api/tenants", "{\"name\": \"mallory\"}"));
    mallory =
        ServerProcess.must(server.ask(server.token(), "POST", "/api/tenants/mallory/tokens", "{}"))
            .at("/token");
    ServerProcess.must(server.ask(mallory, "PUT", "/api/secrets/bank", secret));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void what_expressions_do_not_have_is_refused_before_a_release() throws Exception {
    int attempts = 0;
    for (String expression : UNKNOWN) {
      for (String place : PLACES) {
        String file = "flow: unknown\n" + place.formatted(expression);
        Reply draft = ServerProcess.must(server.ask(mallory, "PUT", draft("unknown"), file));
        assertThat(draft.json().at("/findings").size()).as(file).isPositive();
        assertThat(draft.text()).as(file).doesNotContain(CANARY);
        Reply release = server.ask(mallory, "POST", "/api/flows/unknown/releases", "{}");
        assertThat(release.status()).as(file).isEqualTo(422);
        attempts++;
      }
    }
    AttackTable.held(
        ExpressionEscapeAttackTest.class, "Expressions with names of other languages", attempts);
  }

  @Test
  void members_that_nothing_has_and_work_without_end_fail_their_run() throws Exception {
    int attempts = 0;
    for (List<String> expressions : List.of(MISSING, ENDLESS)) {
      for (String expression : expressions) {
        assertNoValue(expression);
        attempts++;
      }
    }
    assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
    assertThat(server.log()).doesNotContain("OutOfMemoryError", "StackOverflowError");
    AttackTable.held(
        ExpressionEscapeAttackTest.class,
        "Expressions for members of objects, or without end",
        attempts);
  }

  /** The release is refused, or each run fails. */
  private static void assertNoValue(String expression) throws Exception {
    String file =
        "flow: missing\nsteps:\n  - {id: first, set: {y: 1}}\n  - {id: a, set: {x: \"${%s}\"}}\n"
            .formatted(expression);
    ServerProcess.must(server.ask(mallory, "PUT", draft("missing"), file));
    Reply release = server.ask(mallory, "POST", "/api/flows/missing/releases", "{}");
    if (release.status() == 422) {
      return;
    }
    String number = ServerProcess.must(release).json().at("/release").toString();
    ServerProcess.must(
        server.ask(
            mallory, "PUT", "/api/flows/missing/live", "{\"release\": %s}".formatted(number)));
    Map<String, Object> input =
        Map.of(
            "a", "text",
            "n", 7,
            "l", List.of(1),
            "m", Map.of("k", "v"),
            "many", Collections.nCopies(3_000, 1));
    Reply run = run("missing", input);
    assertThat(run.at("/error/code"))
        .as("%s: %s", expression, run.json().at("/output"))
        .isIn("expression", "value-too-large");
    String message = run.at("/error/message");
    assertThat(message).as(expression).doesNotContain(CANARY);
    assertThat(OF_JAVA.matcher(message).find()).as(message).isFalse();
  }

  /** A member is data, whatever its name is in other languages. */
  @Test
  void hostile_names_of_members_are_names() throws Exception {
    server.release(
        mallory,
        """
        flow: names
        steps:
          - {id: all, set: {all: "${input}"}}
        output: {all: "${steps.all.output.all}", polluted: "${has(input.m.polluted)}", own: "${has(input.m.constructor)}"}
        """);
    String hostile =
        """
        {"m": {"k": 1}, "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}},
         "class": "java.lang.Runtime", "@type": "java.lang.Runtime", "@class": "x", "toString": null,
         "hasOwnProperty": 1, "$ref": "#", "$where": "1", "": 0}
        """;

    Reply run =
        server.ask(
            mallory,
            "POST",
            "/api/flows/names/runs",
            hostile.replace("\n", ""),
            "Prefer",
            "wait=20");

    assertThat(run.at("/status")).as(run.text()).isEqualTo("succeeded");
    assertThat(run.json().at("/output/all")).isEqualTo(Json.tree(hostile));
    assertThat(run.json().at("/output/polluted").asBoolean()).isFalse();
    assertThat(run.json().at("/output/own").asBoolean()).isFalse();
  }

  /** What other template languages, shells, loggers and formats would evaluate, and ours. */
  private static final List<String> TEMPLATES =
      List.of(
          "${1 + 1}",
          "$${1 + 1}",
          "$$${1 + 1}",
          "${input.v}",
          "${steps.plain.output.v}",
          "${run.id}",
          "${now()}",
          "${uuid()}",
          "${callback('x').url}",
          "${secrets.bank}",
          "${{1 + 1}}",
          "${'${1 + 1}'}",
          "a ${1 + 1} b ${",
          "}${1 + 1}",
          "#{1 + 1}",
          "%{1 + 1}",
          "@{1 + 1}",
          "*{1 + 1}",
          "~{1 + 1}",
          "{{1 + 1}}",
          "{% x %}",
          "<%= 1 + 1 %>",
          "<#assign x=1>${x}",
          "[[${1 + 1}]]",
          "__${1 + 1}__::.x",
          "${jndi:ldap://127.0.0.1:9/a}",
          "${env:CANARY}",
          "${sys:canary}",
          "${CANARY}",
          "$CANARY",
          "%CANARY%",
          "$(id)",
          "`id`",
          "{0} {}",
          "%s %n %x",
          "\\u0024{1 + 1}",
          "$\\{1 + 1}",
          "\\${1 + 1}",
          "!!java.lang.Runtime []",
          "*alias &anchor <<",
          "res://" + "0".repeat(64));

  @Test
  void a_value_that_looks_like_an_expression_is_not_evaluated() throws Exception {
    server.release(
        mallory,
        """
        flow: inner
        steps:
          - {id: a, set: {v: "${input.v}"}}
        output: {v: "${steps.a.output.v}"}
        """);
    server.release(
        mallory,
        """
        flow: echo
        key: ${input.v}
        steps:
          - id: plain
            set:
              v: ${input.v}
              list: ["${input.v}"]
              deep: {v: {v: "${input.v}"}}
              parts: "${input.v.substring(0, 1)}${input.v.substring(1)}"
              joined: "${join([input.v, ''], '')}"
              picked: "${[input.v].filter(x, true)[0]}"
          - {id: again, set: {v: "${steps.plain.output.v}", list: "${steps.plain.output.list}", deep: "${steps.plain.output.deep}"}}
          - {id: put, kv: {put: {key: echo, value: "${steps.again.output.v}"}}}
          - {id: got, kv: {get: {key: echo}}}
          - {id: child, flow: {name: inner, input: {v: "${steps.got.output.value}"}}}
        output:
          v: ${steps.plain.output.v}
          list: ${steps.again.output.list[0]}
          deep: ${steps.again.output.deep.v.v}
          parts: ${steps.plain.output.parts}
          joined: ${steps.plain.output.joined}
          picked: ${steps.plain.output.picked}
          kv: ${steps.got.output.value}
          child: ${steps.child.output.v}
          text: "<${steps.child.output.v}>"
          key: ${run.key}
        """);
    server.release(
        mallory,
        "flow: told\nsteps:\n  - {id: end, fail: {code: hostile, message: \"${input.v}\"}}\n");
    server.release(
        mallory, "flow: asked\nsteps:\n  - {id: ask, approval: {ask: \"${input.v}\"}}\n");
    int attempts = 0;
    for (String value : TEMPLATES) {
      Reply echo = run("echo", Map.of("v", value));
      assertThat(echo.at("/status")).as("%s: %s", value, echo.text()).isEqualTo("succeeded");
      JsonNode output = echo.json().at("/output");
      assertThat(output.size()).isEqualTo(10);
      for (var way : output.properties()) {
        String expected = way.getKey().equals("text") ? "<" + value + ">" : value;
        assertThat(way.getValue().asString()).as("%s: %s", way.getKey(), value).isEqualTo(expected);
        attempts++;
      }
      assertThat(run("told", Map.of("v", value)).at("/error/message")).contains(value);
      ServerProcess.must(
          server.ask(mallory, "POST", "/api/flows/asked/runs", Json.write(Map.of("v", value))));
      attempts += 2;
    }
    JsonNode open = approvals(TEMPLATES.size());
    assertThat(open.valueStream().map(item -> item.path("ask").asString()))
        .containsExactlyInAnyOrderElementsOf(TEMPLATES);
    assertThat(server.log()).doesNotContain(CANARY);
    AttackTable.held(
        ExpressionEscapeAttackTest.class, "Values that look like expressions", attempts);
  }

  private static JsonNode approvals(int count) throws Exception {
    JsonNode open;
    do {
      open =
          ServerProcess.must(server.get(mallory, "/api/approvals?limit=200")).json().at("/items");
    } while (open.size() < count);
    return open;
  }

  private static String draft(String flow) {
    return "/api/flows/" + flow + "/draft";
  }

  private static Reply run(String flow, Map<String, ?> input) throws Exception {
    return ServerProcess.must(
        server.ask(
            mallory,
            "POST",
            "/api/flows/" + flow + "/runs",
            Json.write(input),
            "Prefer",
            "wait=30"));
  }
}
