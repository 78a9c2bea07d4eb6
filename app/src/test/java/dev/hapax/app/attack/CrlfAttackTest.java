package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values with line breaks, or with characters that some program takes for one. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class CrlfAttackTest {
  private static final Set<String> MAIL_HEADERS =
      Set.of(
          "from",
          "to",
          "cc",
          "subject",
          "date",
          "message-id",
          "mime-version",
          "content-type",
          "content-transfer-encoding");

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static RecordingServer shop;
  private static RecordingMail mail;

  @BeforeAll
  static void start() throws Exception {
    server = new ServerProcess(folder, List.of("-Xmx256m"), "log.level=debug");
    shop = new RecordingServer();
    mail = new RecordingMail();
    Set<String> here = Set.of("127.0.0.1");
    connect(
        "shop", "http", Map.of("base", "http://127.0.0.1:" + shop.port(), "privateHosts", here));
    connect(
        "smtp",
        "smtp",
        Map.of(
            "host", "127.0.0.1",
            "port", mail.port(),
            "tls", "none",
            "from", "shop@example.org",
            "privateHosts", here));
    for (String step :
        List.of(
            "header http: {connection: shop, path: /, headers: {X-Id: \"${input.v}\"}}",
            "place http: {connection: shop, path: \"/a/${input.v}/b\", query: {q: \"${input.v}\"}}",
            "raw http: {connection: shop, path: \"/a/${raw(input.v)}\"}",
            "keyed http: {connection: shop, method: POST, path: /}\n    effect: {kind: create, key: \"${input.v}\", guard: keyed}",
            "mail email: {connection: smtp, to: \"${input.to}\", cc: \"${input.cc}\", subject: \"${input.subject}\", text: \"${input.text}\"}\n    effect: {kind: notify, key: \"${input.key}\", guard: none}")) {
      String flow = step.substring(0, step.indexOf(' '));
      String retry = step.contains("connection") ? "    retry: {attempts: 1}\n" : "";
      server.release(
          server.token(),
          "flow: %s\nsteps:\n  - id: %s\n    %s\n%s"
              .formatted(flow, flow, step.substring(flow.length() + 1), retry));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    shop.close();
    mail.close();
  }

  private static Reply connect(String name, String kind, Map<String, Object> form)
      throws Exception {
    return server.ask(
        server.token(), "PUT", "/api/connections/" + name, Json.write(Map.of(kind, form)));
  }

  /** Runs a flow; a value that no database can store is refused at the door. */
  private static String run(String flow, Map<String, String> input) throws Exception {
    Reply reply =
        server.ask(
            server.token(),
            "POST",
            "/api/flows/" + flow + "/runs",
            Json.write(input),
            "Prefer",
            "wait=20");
    assertThat(reply.status()).as("%s %s", input, reply.text()).isIn(200, 201, 202, 400);
    return reply.status() == 400 ? "refused" : reply.at("/status");
  }

  /** Each request is one request, with the headers that it should have. */
  private static void assertWhole(String what) {
    for (String head : shop.heads) {
      if (head.equals("(broken off)")) {
        continue; // a secret was refused after the connection was made, and nothing was sent
      }
      assertThat(head.replace("\r\n", "")).as(what).doesNotContain("\r", "\n", "\0");
      assertThat(head.lines().filter(line -> line.startsWith("X-Injected"))).as(what).isEmpty();
      assertThat(head.split("\r\n", -1)[0]).as(what).matches("(GET|POST) [!-~]+ HTTP/1\\.1");
      assertThat(head).as(what).doesNotContain("\r\nGET ");
    }
  }

  @Test
  void no_value_breaks_out_of_a_request() throws Exception {
    int attempts = 0;
    for (String lineBreak : LineBreaks.ALL) {
      for (String flow : List.of("header", "place", "raw", "keyed")) {
        shop.heads.clear();
        String what = "%s %s".formatted(flow, Json.write(lineBreak));
        String status = run(flow, Map.of("v", LineBreaks.attack(lineBreak)));
        assertThat(shop.heads).as(what).hasSize(status.equals("succeeded") ? 1 : 0);
        assertWhole(what);
        attempts++;
      }
    }
    AttackTable.held(
        CrlfAttackTest.class, "Line breaks in headers, paths, queries and keys", attempts);
  }

  @Test
  void no_name_or_setting_of_a_connection_breaks_out_of_a_request() throws Exception {
    int attempts = 0;
    String base = "http://127.0.0.1:" + shop.port();
    Set<String> here = Set.of("127.0.0.1");
    server.release(
        server.token(),
        "flow: named\nsteps:\n  - {id: named, http: {connection: named, path: /}, retry: {attempts: 1}}\n");
    for (String lineBreak : LineBreaks.ALL) {
      String value = LineBreaks.attack(lineBreak);
      String body = Json.write(Map.of("value", value, "hosts", List.of("127.0.0.1")));
      Reply secret = server.ask(server.token(), "PUT", "/api/secrets/named", body);
      assertThat(secret.status()).isIn(204, 400);
      List<Map<String, Object>> forms =
          List.of(
              Map.of("base", base, "privateHosts", here, "headers", Map.of("X-Id", value)),
              Map.of("base", base, "privateHosts", here, "headers", Map.of(value, "1")),
              Map.of("base", base + "/" + value, "privateHosts", here),
              Map.of("base", base, "privateHosts", here, "auth", Map.of("bearer", "named")),
              Map.of(
                  "base", base,
                  "privateHosts", here,
                  "auth", Map.of("header", Map.of("name", value, "secret", "named"))),
              Map.of(
                  "base", base,
                  "privateHosts", here,
                  "auth", Map.of("basic", Map.of("user", value, "secret", "named"))));
      for (Map<String, Object> form : forms) {
        shop.heads.clear();
        Reply written = connect("named", "http", form);
        assertThat(written.status()).as(written.text()).isIn(200, 400);
        if (written.status() == 200) {
          run("named", Map.of());
        }
        assertWhole(Json.write(form));
        attempts++;
      }
      for (String place : List.of("host", "from")) {
        var form = new LinkedHashMap<String, Object>();
        form.putAll(Map.of("host", "127.0.0.1", "from", "a@example.org", "tls", "none"));
        form.put(place, value + form.get(place));
        assertThat(connect("other", "smtp", form).status()).isIn(200, 400);
        attempts++;
      }
    }
    AttackTable.held(CrlfAttackTest.class, "Line breaks in connections and secrets", attempts);
  }

  @Test
  void no_value_breaks_out_of_a_mail() throws Exception {
    int attempts = 0;
    for (String lineBreak : LineBreaks.ALL) {
      for (var hostile : mails(lineBreak).entrySet()) {
        mail.commands.clear();
        mail.mails.clear();
        Map<String, String> input =
            new LinkedHashMap<>(
                Map.of("to", "a@example.org", "cc", "b@example.org", "subject", "s", "text", "t"));
        input.put("key", Integer.toString(attempts));
        input.put(hostile.getKey().replaceAll("\\d", ""), hostile.getValue());
        String status = run("mail", input);
        assertThat(mail.mails).as("%s", input).hasSize(status.equals("succeeded") ? 1 : 0);
        assertThat(mail.commands)
            .as("%s", input)
            .allMatch(
                command ->
                    command.matches(
                        "EHLO hapax|MAIL FROM:<shop@example\\.org>|RCPT TO:<[!-~ ]*@example\\.org>|DATA|QUIT"));
        assertThat(mail.commands.stream().filter(command -> command.startsWith("RCPT")).count())
            .isLessThanOrEqualTo(2);
        mail.mails.forEach(CrlfAttackTest::assertHeaders);
        attempts++;
      }
    }
    AttackTable.held(CrlfAttackTest.class, "Line breaks in mails", attempts);
  }

  private static Map<String, String> mails(String lineBreak) {
    String bcc = lineBreak + "Bcc: victim@example.org" + lineBreak;
    var values = new LinkedHashMap<String, String>();
    values.put("to", "a@example.org" + bcc);
    values.put("to1", "\"Ann" + bcc + "\" <a@example.org>");
    values.put("to2", "\"x" + bcc + "\"@example.org");
    values.put("to3", "a@example.org (" + bcc + ")");
    values.put("to4", "a@example.org>" + lineBreak + "RCPT TO:<victim@example.org");
    values.put("cc", "\"Bob" + bcc + "\" <b@example.org>");
    values.put("subject", "s" + bcc + lineBreak + "body");
    values.put(
        "text", "t" + lineBreak + "." + lineBreak + "MAIL FROM:<victim@example.org>" + lineBreak);
    values.put("key", "k" + bcc);
    return values;
  }

  /** A line of the head is a header that a mail has, or continues one. */
  private static void assertHeaders(String text) {
    String head = text.substring(0, text.indexOf("\r\n\r\n"));
    for (String line : head.split("\r\n", -1)) {
      assertThat(line).as(text).matches("[\\t -~]*");
      if (!line.startsWith(" ") && !line.startsWith("\t")) {
        String name = line.substring(0, Math.max(0, line.indexOf(':')));
        assertThat(MAIL_HEADERS).as(text).contains(name.toLowerCase(Locale.ROOT));
      }
    }
  }
}
