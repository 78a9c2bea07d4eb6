package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.DevDesk.Said;
import dev.hapax.app.dev.DevAllowList;
import dev.hapax.app.dev.DevPlace;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is kept equal to a folder, and whose outside is a sandbox. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevServerTest {
  private static final String GREET =
      """
      flow: greet
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: word
          set: {said: "%s"}
      output: {said: "${steps.word.output.said}"}
      """;

  private static final String PAY =
      """
      flow: pay
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: psp, method: POST, path: /charges, body: {order: "${input.id}"}}
          effect: {name: psp.charge, kind: create, key: "${input.id}", guard: %s}
          retry: {attempts: 5, delay: 10ms}
      output: {done: true}
      """;

  private static final String NIGHTLY =
      """
      flow: nightly
      input: {type: object, required: [day], properties: {day: {type: string}}}
      key: ${input.day}
      triggers:
        - schedule: {name: night, cron: "0 3 * * *", timezone: UTC, catchUp: latest, input: {day: "${schedule.time}"}}
      steps:
        - id: tell
          email: {connection: smtp, to: ann@example.org, subject: "Night ${input.day}", text: Done.}
          effect: {kind: notify, key: "${input.day}", guard: none}
      output: {}
      """;

  private static final String HOOK =
      """
      flow: hook
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: stripe, secret: stripe-signing}
            event: ${event.body.id}
      steps:
        - id: word
          set: {said: "${input.id}"}
      output: {said: "${steps.word.output.said}"}
      """;

  @TempDir private Path home;
  private DevDesk desk;

  @BeforeEach
  void sit() throws IOException {
    desk = new DevDesk(home);
  }

  @AfterEach
  void leave() throws IOException {
    desk.close();
  }

  private Said run(String flow, String id, String... more) {
    var args =
        new ArrayList<>(
            List.of("run", flow, "--input", "{\"id\": \"%s\"}".formatted(id), "--wait"));
    args.addAll(List.of(more));
    return desk.hapax(args.toArray(String[]::new));
  }

  // ---- the folder

  @Test
  void a_saved_file_is_live_for_the_next_start() throws Exception {
    desk.save("greet.yaml", GREET.formatted("one")).start();
    Said first = run("greet", "A-1");

    desk.save("greet.yaml", GREET.formatted("two"));
    desk.screen().await("greet.yaml: flow 'greet', release 2 is live");

    assertThat(first.at("/data/output/said")).isEqualTo("one");
    assertThat(run("greet", "A-2").at("/data/output/said")).isEqualTo("two");
  }

  @Test
  void a_file_with_an_error_is_told_by_line_and_its_last_good_release_stays_live()
      throws Exception {
    desk.save("greet.yaml", GREET.formatted("one")).start();

    desk.save("greet.yaml", GREET.formatted("two").replace("set:", "sett:"));
    String finding = desk.screen().await("greet.yaml:6:");
    desk.screen().await("greet.yaml: release 1 stays live");
    Said reload = desk.hapax("dev", "reload");
    Said run = run("greet", "A-1");
    desk.save("greet.yaml", GREET.formatted("three"));
    desk.screen().await("release 2 is live");

    assertThat(finding).contains(" error ");
    assertThat(reload.exit()).isEqualTo(3);
    assertThat(reload.at("/data/files/0/isLive")).isEqualTo("false");
    assertThat(reload.at("/data/files/0/findings/0/level")).isEqualTo("error");
    assertThat(run.at("/data/output/said")).isEqualTo("one");
    assertThat(run("greet", "A-2").at("/data/output/said")).isEqualTo("three");
  }

  @Test
  void files_that_are_no_flows_are_told_and_hurt_nothing() throws Exception {
    desk.save("greet.yaml", GREET.formatted("one")).start();
    Path outside = Files.writeString(home.resolve("outside.yaml"), GREET.formatted("outside"));

    Files.createDirectory(desk.flows().resolve("folder.yaml"));
    Files.createSymbolicLink(desk.flows().resolve("link.yaml"), outside);
    Files.write(desk.flows().resolve("latin.yaml"), new byte[] {'f', (byte) 0xfc, '\n'});
    desk.save("other.yaml", GREET.formatted("again"));
    desk.save("notes.yaml", "hello: world\n");
    Said reload = desk.hapax("dev", "reload");
    Files.delete(desk.flows().resolve("greet.yaml"));
    desk.screen().await("latin.yaml:1:1 error unreadable: it is not UTF-8 text");
    desk.screen().await("link.yaml:1:1 error unreadable: it is a link that leads out");
    desk.screen().await("error duplicate-flow: flow 'greet' is also in greet.yaml");
    desk.screen().await("other.yaml: flow 'greet', release 2 is live");

    assertThat(reload.exit()).isEqualTo(3);
    assertThat(run("greet", "A-1").at("/data/output/said")).isEqualTo("again");
  }

  @Test
  void a_deleted_flow_stays_live_for_its_runs_until_a_fresh_start() throws Exception {
    desk.save("greet.yaml", GREET.formatted("one")).start();

    Files.delete(desk.flows().resolve("greet.yaml"));
    desk.screen().await("greet.yaml is gone: release 1 of flow 'greet' stays live");
    Said still = run("greet", "A-1");
    desk.stop();
    desk.start();
    desk.screen()
        .await(
            "flow 'greet' has no file here: its release 1 is live, with its triggers. 'hapax retire greet' ends it");
    Said retired = desk.hapax("retire", "greet");
    Said ended = run("greet", "A-3");
    desk.stop();
    desk.start(true);

    assertThat(still.exit()).isZero();
    assertThat(retired.exit()).as("%s", retired).isZero();
    assertThat(ended.exit()).as("%s", ended).isNotZero();
    assertThat(run("greet", "A-2").exit()).isEqualTo(4);
  }

  @Test
  void flows_that_start_each_other_are_live_whatever_their_names_are() throws Exception {
    String calls =
        """
        flow: %s
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        steps:
          - id: child
            flow: {name: %s, input: {id: "${input.id}"}}
        output: {said: "${steps.child.output.said}"}
        """;

    desk.save("a.yaml", calls.formatted("a", "greet"))
        .save("b.yaml", calls.formatted("b", "c"))
        .save("c.yaml", calls.formatted("c", "b"))
        .save("greet.yaml", GREET.formatted("one"))
        .start();

    assertThat(run("a", "A-1").at("/data/output/said")).isEqualTo("one");
    assertThat(desk.hapax("dev", "reload").exit()).isZero();
  }

  // ---- the sandbox

  @Test
  void a_lost_answer_is_settled_as_the_guard_says() throws Exception {
    desk.save("pay.yaml", PAY.formatted("keyed"))
        .save("risk.yaml", PAY.formatted("none").replace("pay", "risk").replace("psp.", "risk."))
        .start();

    Said lost = desk.hapax("dev", "lose", "charge", "--times", "2");
    Said keyed = run("pay", "A-1");
    desk.hapax("dev", "lose", "risk/charge");
    Said none = run("risk", "A-2");
    Said requests = desk.hapax("dev", "requests");

    assertThat(lost.exit()).as("%s", lost).isZero();
    assertThat(keyed.exit()).as("%s", keyed).isZero();
    assertThat(none.exit()).as("%s", none).isEqualTo(6);
    assertThat(effect(requests, "psp.charge")).isEqualTo("sent 3, applied 1");
    assertThat(effect(requests, "risk.charge")).isEqualTo("sent 1, applied 1");
    assertThat(desk.hapax("dev", "faults").at("/data/faults")).isEqualTo("[]");
  }

  @Test
  void a_stand_in_answers_and_loses_answers_anew_for_each_key() throws Exception {
    desk.save("pay.yaml", PAY.formatted("keyed"))
        .save("stand-in.yaml", "answers: {charge: [{status: 202, fault: applied-then-lost}, {}]}\n")
        .start();

    Said first = run("pay", "A-1");
    Said second = run("pay", "A-2");
    desk.save("stand-in.yaml", "answers: {pay/charge: {status: 402}}\n");
    desk.screen().await("stand-in.yaml answers for pay/charge");
    Said refused = run("pay", "A-3");
    Said requests = desk.hapax("dev", "requests");

    assertThat(List.of(first.exit(), second.exit(), refused.exit())).containsExactly(0, 0, 1);
    assertThat(requests.document().at("/data/requests").findValuesAsString("fault"))
        .containsExactly("applied-then-lost", "none", "applied-then-lost", "none", "none");
    assertThat(requests.document().at("/data/requests").findValuesAsString("status"))
        .containsExactly("202", "202", "202", "202", "402");
    assertThat(requests.document().at("/data/effects").findValuesAsString("applied"))
        .containsExactly("1", "1", "0");
    desk.screen().await("charge A-2: applied-then-lost (stand-in.yaml)");
  }

  @Test
  void a_stand_in_with_a_mistake_is_told_and_the_last_good_one_stays() throws Exception {
    desk.save("pay.yaml", PAY.formatted("keyed"))
        .save("stand-in.yaml", "answers: {charge: {status: 402}}\n")
        .start();

    desk.save("stand-in.yaml", "answers: {charge: {status: many}}\n");
    desk.screen().await("stand-in.yaml:1:28 error");
    Said refused = run("pay", "A-1");
    desk.save("stand-in.yaml", "answers: {charges: {status: 200}}\n");
    desk.screen().await("stand-in.yaml:1:11 error unknown-step: no flow of this folder has a step");
    Said paid = run("pay", "A-2");

    assertThat(refused.exit()).isEqualTo(1);
    assertThat(paid.exit()).isZero();
  }

  @Test
  void a_connection_that_a_trigger_and_a_step_use_is_of_the_kind_of_the_step() throws Exception {
    desk.save(
            "orders.yaml",
            """
            flow: orders
            input: {type: object, required: [id], properties: {id: {type: string}}}
            key: ${input.id}
            triggers:
              - queue: {connection: kafka, queue: shop.orders, name: orders, from: earliest, event: "${event.body.id}", input: {id: "${event.body.id}"}}
            steps:
              - id: tell
                publish: {connection: kafka, type: order.seen, topic: shop.seen, key: "${input.id}", data: {id: "${input.id}"}}
            output: {}
            """)
        .start();

    assertThat(run("orders", "A-1").exit()).isZero();
  }

  private static String effect(Said requests, String name) {
    for (var effect : requests.document().at("/data/effects")) {
      if (effect.path("effect").asString().equals(name)) {
        return "sent %d, applied %d"
            .formatted(effect.path("sent").asInt(), effect.path("applied").asInt());
      }
    }
    return "unknown";
  }

  @Test
  void requests_are_doubled_delayed_and_refused_on_request() throws Exception {
    desk.save("pay.yaml", PAY.formatted("keyed")).start();

    desk.hapax("dev", "double", "pay/charge");
    desk.hapax("dev", "delay", "psp.charge", "10ms");
    desk.hapax("dev", "fail", "psp", "503");
    desk.hapax("dev", "lose", "charge", "--before");
    Said doubled = run("pay", "A-1");
    Said delayed = run("pay", "A-2");
    Said failed = run("pay", "A-3");
    Said requests = desk.hapax("dev", "requests");

    assertThat(List.of(doubled.exit(), delayed.exit(), failed.exit())).containsOnly(0);
    assertThat(requests.document().at("/data/requests").findValuesAsString("fault"))
        .containsExactly("duplicate", "none", "none", "lost", "none");
    assertThat(requests.document().at("/data/requests").findValuesAsString("applied"))
        .containsExactly("1", "1", "0", "0", "1");
    assertThat(requests.document().at("/data/effects").findValuesAsString("applied"))
        .containsOnly("1");
    desk.screen().await("charge A-2: delayed by 10ms");
  }

  @Test
  void a_fault_that_cannot_happen_is_refused() throws Exception {
    desk.start();

    assertThat(desk.hapax("dev", "fail", "charge", "200").at("/error/message"))
        .contains("status: expected 400 to 599, got 200");
    assertThat(desk.hapax("dev", "delay", "charge", "soon").at("/error/message"))
        .contains("delay: expected a duration");
    assertThat(desk.hapax("dev", "lose", "charge", "--times", "0").exit()).isEqualTo(3);
    desk.hapax("dev", "lose", "charge");
    assertThat(desk.hapax("dev", "faults", "--clear").at("/data/forgotten")).isEqualTo("1");
  }

  @Test
  void only_a_listed_host_is_really_called() throws Exception {
    BlockingQueue<String> called = new LinkedBlockingQueue<>();
    HttpServer psp =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    psp.createContext(
        "/",
        exchange -> {
          called.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(201, -1);
          exchange.close();
        });
    psp.start();
    String place = "127.0.0.1:" + psp.getAddress().getPort();
    desk.save(
            "connections/psp.yaml",
            "http: {base: 'http://%s', auth: {bearer: psp-key}, privateHosts: ['127.0.0.1']}\n"
                .formatted(place))
        .save("pay.yaml", PAY.formatted("keyed"))
        .start();

    try {
      Said unlisted = run("pay", "A-1");
      List<String> before = List.copyOf(called);
      desk.save("dev.yaml", "allow: ['%s']\n".formatted(place));
      desk.screen().await("really reached: " + place);
      Said listed = run("pay", "A-2");

      assertThat(unlisted.exit()).as("%s", unlisted).isZero();
      assertThat(before).isEmpty();
      assertThat(listed.exit()).as("%s", listed).isZero();
      assertThat(called).hasSize(1).first().asString().matches("/charges Bearer [0-9a-f]{64}");
      assertThat(desk.hapax("dev", "requests").document().at("/data/requests")).hasSize(1);
    } finally {
      psp.stop(0);
    }
  }

  @Test
  void a_connection_file_with_an_error_leaves_the_connection_as_it_was() throws Exception {
    desk.save("connections/psp.yaml", "http: {base: 'https://psp.example'}\n")
        .save("pay.yaml", PAY.formatted("keyed"))
        .start();

    desk.save("connections/psp.yaml", "http: {bse: 'https://psp.example'}\n");
    String finding = desk.screen().await("connections/psp.yaml:1:1 error connection: ");

    assertThat(finding).contains("bse");
    assertThat(run("pay", "A-1").exit()).isZero();
    assertThat(desk.hapax("dev", "requests").at("/data/requests/0/url"))
        .isEqualTo("https://psp.example/charges");
  }

  // ---- the clock

  @Test
  void a_moved_clock_ends_waits_and_fires_schedules() throws Exception {
    String nap =
        """
        flow: nap
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        steps:
          - id: sleep
            wait: {for: 3d}
        output: {awake: true}
        """;
    desk.save("nap.yaml", nap).save("nightly.yaml", NIGHTLY).start();
    Said waiting = desk.hapax("run", "nap", "--input", "{\"id\": \"A-1\"}", "--wait=0");

    Said moved = desk.hapax("dev", "clock", "+3d");
    Said awake = desk.hapax("runs", "show", waiting.at("/data/id"), "--wait");
    desk.screen().await("mail 1 to ann@example.org: Night ");

    assertThat(waiting.at("/data/status")).isNotEqualTo("succeeded");
    assertThat(moved.at("/data/ahead")).isEqualTo("3d");
    assertThat(awake.at("/data/output/awake")).isEqualTo("true");
    assertThat(desk.hapax("dev", "mails").at("/data/mails/0/text")).isEqualTo("Done.");
    assertThat(desk.hapax("dev", "clock", "3d").exit()).isEqualTo(2);
    assertThat(desk.hapax("dev", "clock", "+soon").at("/error/message"))
        .contains("expected a duration");
  }

  @Test
  void a_server_that_is_started_again_continues_its_runs_at_its_time() throws Exception {
    desk.save("greet.yaml", GREET.formatted("one")).start();
    desk.hapax("dev", "clock", "+2d");
    Said before = run("greet", "A-1");
    desk.stop();

    desk.start();

    assertThat(desk.hapax("dev", "clock").at("/data/ahead")).isEqualTo("2d");
    assertThat(run("greet", "A-1").at("/data/id")).isEqualTo(before.at("/data/id"));
    assertThat(desk.screen().all()).contains("greet.yaml: flow 'greet', release 1 is live");
  }

  // ---- events

  @Test
  void a_saved_event_that_is_sent_twice_starts_one_run() throws Exception {
    desk.save("hook.yaml", HOOK).start();
    Files.writeString(home.resolve("event.json"), "{\"id\": \"evt_1\", \"n\": 1}");
    String secret = desk.screen().await("signed with 'stripe-signing': ");

    Said twice = desk.hapax("dev", "send", "hook", "event.json", "--twice");
    Said other = desk.hapax("dev", "send", "hook", "event.json", "--event-id", "evt_2");

    assertThat(secret).contains("/hooks/shop/orders");
    assertThat(twice.exit()).as("%s", twice).isZero();
    assertThat(twice.at("/data/deliveries/0/answer/outcome")).isEqualTo("accepted");
    assertThat(twice.at("/data/deliveries/1/answer/outcome")).isEqualTo("duplicate");
    assertThat(twice.at("/data/deliveries/1/answer/run"))
        .isEqualTo(twice.at("/data/deliveries/0/answer/run"));
    assertThat(other.at("/data/deliveries/0/answer/outcome")).isEqualTo("accepted");
    assertThat(other.at("/data/deliveries/0/answer/run"))
        .isNotEqualTo(twice.at("/data/deliveries/0/answer/run"));
    assertThat(desk.hapax("dev", "send", "greet", "event.json").exit()).isEqualTo(4);
    assertThat(desk.hapax("dev", "send", "hook", "missing.json").exit()).isEqualTo(4);
  }

  // ---- access

  @Test
  void the_control_routes_need_the_token_and_are_closed_to_pages() throws Exception {
    desk.start();
    String token = Files.readString(desk.server().data().resolve("admin.token")).strip();

    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(status(client, request())).isEqualTo(401);
      assertThat(status(client, request().header("Authorization", "Bearer " + token)))
          .isEqualTo(200);
      assertThat(
              status(
                  client,
                  request()
                      .header("Authorization", "Bearer " + token)
                      .header("Origin", desk.server().address().toString())))
          .isEqualTo(403);
    }
  }

  private HttpRequest.Builder request() {
    return HttpRequest.newBuilder(URI.create(desk.server().address() + "/dev/clock"));
  }

  private static int status(HttpClient client, HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8)).statusCode();
  }

  @Test
  void a_second_server_on_the_folder_or_the_port_is_refused() throws Exception {
    desk.start();
    var wish = new DevServer.Wish(desk.flows(), 0, false, DevAllowList.of(List.of()), false);

    assertThatThrownBy(() -> DevServer.start(wish, DevDesk.nowhere()))
        .isInstanceOf(DevPlace.InUse.class);
    assertThat(desk.hapax("dev", "clock").exit()).as("the first one goes on").isZero();
    Said folder = desk.hapax("dev", "flows", "--port", "0");
    assertThat(folder.exit()).isEqualTo(3);
    assertThat(folder.at("/error/message")).isEqualTo("another 'hapax dev' serves 'flows'");
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      var other =
          new DevServer.Wish(
              Files.createDirectory(home.resolve("other")),
              taken.getLocalPort(),
              false,
              DevAllowList.of(List.of()),
              false);
      assertThatThrownBy(() -> DevServer.start(other, DevDesk.nowhere()))
          .isInstanceOf(BindException.class);
      assertThat(home.resolve("other/.hapax-dev")).doesNotExist();
    }
  }
}
