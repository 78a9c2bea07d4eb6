package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Run;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.graph.FlowPicture;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Destinations that repeat every secret that they are given, in all its forms, in answers, errors
 * and broken answers: none is in a journal, a history, a ledger row, a resource, a log, an error, a
 * picture or what check says.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CanaryTest {
  private static final String CANARY = "c4nary/välue+one two";
  private static final String MAIL = "m4il-canary-päss";
  private static final String SIGNING = "s1gning-canary-key";

  /** The status of an answer that is too large for a value. */
  private static final int LARGE = 299;

  private static final String TEXT =
      """
      flow: canary
      key: ${input.id}
      steps:
        - id: read
          http: {connection: "${input.shop}", path: "/200"}
          retry: {attempts: 1}
        - id: write
          http: {connection: "${input.shop}", method: PUT, path: "/${input.status}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
          retry: {attempts: 2, delay: 1ms}
          onError: continue
        - id: keep
          kv: {put: {key: "${input.id}", value: "${steps.read.output}"}}
        - id: large
          http: {connection: "${input.shop}", path: "/299"}
          retry: {attempts: 1}
        - id: copy
          resource: {put: {value: "${steps.read.output}"}}
        - id: tell
          publish: {connection: receiver, type: told, data: "${steps.read.output}"}
        - id: mail
          email: {connection: smtp, to: a@example.org, subject: s, text: "${steps.read.output.body.echo}"}
          effect: {kind: notify, key: "${input.id}", guard: none}
          retry: {attempts: 2, delay: 1ms}
          onError: continue
        - id: end
          fail: {code: over, message: "${steps.read.output.body.echo}"}
      """;

  private static List<String> forms(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    return List.of(
        secret,
        Base64.getEncoder().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
        URLEncoder.encode(secret, StandardCharsets.UTF_8),
        URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20"));
  }

  private static final String ECHO = String.join(" ", forms(CANARY));

  private static TestServer.Answer echo(TestServer.Request request) {
    int status = Integer.parseInt(request.target().substring(1));
    String told = request.header("authorization") + " " + ECHO;
    return new TestServer.Answer(
        status,
        Map.of("Content-Type", "application/json; charset=utf-8"),
        status == LARGE
            ? (told + ".".repeat(1 + told.length() % 7)).repeat(6_000) // becomes a resource
            : "{\"echo\":\"%s\"}".formatted(told));
  }

  /** Repeats the secret where no HTTP answer should be. */
  private static ServerSocket broken() throws IOException {
    var socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              while (!socket.isClosed()) {
                try (var client = socket.accept()) {
                  client.getInputStream().read();
                  client
                      .getOutputStream()
                      .write(("HTTP/9 " + ECHO + "\r\n").getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  // the test is over
                }
              }
            });
    return socket;
  }

  @Test
  void no_secret_is_anywhere() throws Exception {
    var store = new MemoryStore();
    var told = new ArrayList<String>();
    var log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    String plain =
        Base64.getEncoder().encodeToString(("\0user\0" + MAIL).getBytes(StandardCharsets.UTF_8));
    try (var server = new TestServer(CanaryTest::echo);
        var receiver = new TestServer(_ -> TestServer.Answer.json(410, SIGNING));
        var broken = broken();
        var mail = new TestMailServer("AUTH", "535 no: " + plain + " " + MAIL);
        FlowFiles files = files(server, receiver, broken.getLocalPort(), mail);
        Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT)) {
      var flows = new ArrayList<LoadedFlow>();
      for (String shop : List.of("bearer", "basic", "header", "broken")) {
        String text =
            TEXT.replace("flow: canary", "flow: canary-" + shop).replace("${input.shop}", shop);
        LoadedFlow flow =
            files.load(
                shop + ".yaml",
                shop.equals("broken") ? text.replace("path: \"/200\"", "path: /x") : text,
                1);
        files.register(hapax, flow);
        flows.add(flow);
        told.add(FlowPicture.svg(flow.file()) + Check.check(shop + ".yaml", text).text());
      }
      for (LoadedFlow flow : flows) {
        for (int status : List.of(200, 302, 400, 404)) {
          told.add(outcome(flow.start(hapax, Map.of("id", "o" + status, "status", status))));
        }
      }
      for (Run run : hapax.runs(hapax.runs())) {
        told.add(run + " " + hapax.history(run.id().toString()) + store.journal(run.number()));
        told.add(hapax.kv().get(run.key()).toString());
      }
      told.add(hapax.effects(hapax.effects()).toString());
      List<ResourceRef> resources = ResourceRef.in(String.join("\n", told));
      assertThat(resources).hasSizeGreaterThan(1);
      for (ResourceRef ref : resources) {
        told.add(hapax.resources().get(ref.toString()).text());
      }
    } finally {
      System.setErr(before);
    }
    told.add(log.toString(StandardCharsets.UTF_8));

    String all = String.join("\n", told);
    assertThat(all).contains("[redacted]");
    var secrets = new ArrayList<String>();
    List.of(CANARY, MAIL, SIGNING).forEach(secret -> secrets.addAll(forms(secret)));
    secrets.add(plain);
    for (String secret : secrets) {
      assertThat(all.contains(secret)).as("'%s' was told", secret).isFalse();
    }
  }

  private static String outcome(RunHandle<Object> run) {
    try {
      return String.valueOf(run.await());
    } catch (RuntimeException e) {
      var text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      return text.toString();
    }
  }

  private static FlowFiles files(
      TestServer server, TestServer receiver, int broken, TestMailServer mail) {
    Connection.Http shop = server.connection("shop");
    Map<String, Connection> connections =
        Map.of(
            "bearer", named(shop, "bearer").auth(new Connection.Auth.Bearer("token")),
            "basic", named(shop, "basic").auth(new Connection.Auth.Basic("user", "token")),
            "header",
                named(shop, "header").auth(new Connection.Auth.Header("Authorization", "token")),
            "broken",
                Connection.Http.of("broken", "http://127.0.0.1:" + broken)
                    .privateHosts("127.0.0.1")
                    .auth(new Connection.Auth.Bearer("token")),
            "smtp", mail.connection(),
            "receiver",
                new Connection.Webhook(
                    "receiver", URI.create(receiver.base()), "signing", Set.of("127.0.0.1")));
    Map<String, String> secrets = Map.of("token", CANARY, "password", MAIL, "signing", SIGNING);
    return FlowFiles.with(Ports.system())
        .connections(name -> Optional.ofNullable(connections.get(name)))
        .secrets(name -> Optional.ofNullable(secrets.get(name)))
        .open();
  }

  private static Connection.Http named(Connection.Http shop, String name) {
    return Connection.Http.of(name, shop.base().toString()).privateHosts("127.0.0.1");
  }
}
