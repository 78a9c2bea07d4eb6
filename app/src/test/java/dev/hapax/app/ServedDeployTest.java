package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hapax deploy} and {@code hapax export} with a real server. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServedDeployTest {
  private static final String CALLING =
      """
      flow: calling
      key: ${input.id}
      steps:
        - id: order
          http: {connection: shop, method: PUT, path: "/orders/${input.id}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      """;

  private static final String CASES =
      """
      cases:
        - name: an order is put once
          input: {id: A-1}
          expect: {status: succeeded, applied: {order: 1}}
      """;

  @TempDir static Path data;
  private static TestServer server;
  private static int tenants;

  @TempDir Path home;
  private ServedDesk desk;
  private Path folder;

  @BeforeAll
  static void start() throws IOException {
    server = new TestServer(data);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Each test has a tenant of its own. */
  @BeforeEach
  void open() throws IOException {
    desk = new ServedDesk(home, server);
    desk.as(server.tokenOf("shop-" + ++tenants));
    folder = home.resolve("shop");
    put("flows/calling.yaml", CALLING);
    put("flows/calling.test.yaml", CASES);
    put("connections/shop.yaml", "http:\n  base: https://staging.example\n");
    put("env/prod.yaml", "connections:\n  shop:\n    http: {base: https://prod.example}\n");
  }

  private void put(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private String base() {
    return desk.hapax("connections", "show", "shop").at("/data/form/http/base");
  }

  @Test
  void a_folder_is_planned_deployed_and_then_unchanged() {
    Said plan = desk.hapax("deploy", "shop", "--plan");
    Said unasked = desk.hapax("deploy", "shop");
    Said first = desk.hapax("deploy", "shop", "--yes", "--note", "the first");
    Said second = desk.hapax("deploy", "shop", "--yes");
    Said planned = desk.hapax("deploy", "shop", "--plan");

    assertThat(plan.exit()).isEqualTo(6);
    assertThat(plan.at("/data/plan/flows/0/change")).isEqualTo("new");
    assertThat(unasked.exit()).isEqualTo(2);
    assertThat(first.exit()).isZero();
    assertThat(first.at("/data/deployment/state")).isEqualTo("applied");
    assertThat(first.data().path("casesRun").asBoolean(false)).isTrue();
    assertThat(second.exit()).isZero();
    assertThat(second.data().has("deployment")).isFalse();
    assertThat(planned.exit()).isZero();
    assertThat(base()).isEqualTo("https://staging.example");
  }

  @Test
  void an_environment_changes_connections_and_no_release() {
    Said staging = desk.hapax("deploy", "shop", "--yes");
    Said prod = desk.hapax("deploy", "shop", "--env", "prod", "--yes");
    Said unknown = desk.hapax("deploy", "shop", "--env", "qa", "--plan");

    assertThat(base()).isEqualTo("https://prod.example");
    assertThat(prod.data().at("/deployment/flows"))
        .isEqualTo(staging.data().at("/deployment/flows"));
    assertThat(prod.at("/data/plan/connections/0/fields/0")).isEqualTo("/http/base");
    assertThat(unknown.exit()).isEqualTo(4);
    assertThat(unknown.at("/hint")).contains("env/prod.yaml");
  }

  @Test
  void a_flow_whose_file_is_gone_is_retired_by_prune_and_by_hand() throws IOException {
    put("flows/other.yaml", CALLING.replace("flow: calling", "flow: other"));
    desk.hapax("deploy", "shop", "--yes");
    Files.delete(folder.resolve("flows/other.yaml"));

    Said kept = desk.hapax("deploy", "shop", "--yes");
    Said pruned = desk.hapax("deploy", "shop", "--yes", "--prune");
    Said again = desk.hapax("deploy", "shop", "--plan", "--prune");
    Said start = desk.hapax("run", "other", "--input", "{\"id\": \"A-1\"}");
    Said byHand = desk.hapax("retire", "calling");
    Said list = desk.hapax("flows");

    assertThat(kept.data().has("deployment")).isFalse();
    assertThat(pruned.exit()).isZero();
    assertThat(pruned.at("/data/deployment/retired/0")).isEqualTo("other");
    assertThat(again.exit()).isZero();
    assertThat(start.exit()).isEqualTo(3);
    assertThat(start.at("/error/message")).contains("is retired", "hapax promote other 1");
    assertThat(byHand.exit()).isZero();
    assertThat(byHand.at("/data/retiredAt")).isNotEmpty();
    assertThat(list.at("/data/items/0/retiredAt")).isEqualTo(byHand.at("/data/retiredAt"));
  }

  @Test
  void alerts_are_deployed_with_the_values_of_their_environment_and_exported() throws IOException {
    put("alerts.yaml", "failed: [{flow: calling}]\nafter: 4h\n");
    put("env/prod.yaml", "alerts: {after: 1h}\n");

    Said made = desk.hapax("deploy", "shop", "--env", "prod", "--yes");
    Said exported = desk.hapax("export", "exported");
    Said again = desk.hapax("deploy", "exported", "--env", "prod", "--plan");

    assertThat(made.exit()).isZero();
    assertThat(made.data().at("/plan/alerts")).hasSize(2);
    assertThat(exported.data().path("files").toString()).contains("\"alerts.yaml\"");
    assertThat(Files.readString(home.resolve("exported/alerts.yaml")))
        .contains("after: 1h", "flow: calling");
    assertThat(again.exit()).as("there is no env/prod.yaml").isEqualTo(4);
    assertThat(desk.hapax("deploy", "exported", "--plan").exit()).isZero();
  }

  @Test
  void settings_of_the_server_are_not_deployed() throws IOException {
    put("settings.yaml", "http: {port: 80}\n");

    Said refused = desk.hapax("deploy", "shop", "--yes");

    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.document().toString())
        .contains("settings.yaml", "are not deployed", "hapax.yaml");
  }

  @Test
  void the_values_of_an_environment_do_not_reach_another_server() throws IOException {
    put("env/prod.yaml", "url: https://hapax.example.com\n");

    Said refused = desk.hapax("deploy", "shop", "--env", "prod", "--yes");

    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.at("/error/code")).isEqualTo("other-server");
    assertThat(refused.at("/hint")).contains("--url https://hapax.example.com");
  }

  @Test
  void a_deployment_waits_for_another_person() throws IOException {
    put("env/prod.yaml", "approval: other-person\n");

    Said pending = desk.hapax("deploy", "shop", "--env", "prod", "--yes");
    Said same = desk.hapax("deploy", "approve", "1");
    Said token = desk.hapax("tokens", "create", "second", "--scope", "admin");
    desk.as(token.at("/data/token"));
    Said approved = desk.hapax("deploy", "approve", "1");
    Said list = desk.hapax("deploy", "list");

    assertThat(pending.exit()).isEqualTo(6);
    assertThat(pending.at("/data/deployment/state")).isEqualTo("pending");
    assertThat(same.exit()).isEqualTo(3);
    assertThat(same.at("/error/code")).isEqualTo("forbidden");
    assertThat(approved.exit()).as("%s", approved.document()).isZero();
    assertThat(list.at("/data/items/0/approvedBy")).isEqualTo("second");
  }

  @Test
  void an_export_is_a_folder_that_changes_nothing() throws IOException {
    desk.hapax("deploy", "shop", "--yes");

    Said written = desk.hapax("export", "copy");
    Said again = desk.hapax("export", "copy");
    Said forced = desk.hapax("export", "copy", "--force");
    Said plan = desk.hapax("deploy", "copy", "--plan");

    assertThat(written.exit()).as("%s", written.document()).isZero();
    assertThat(Files.readString(home.resolve("copy/flows/calling.yaml"))).isEqualTo(CALLING);
    assertThat(Files.readString(home.resolve("copy/connections/shop.yaml")))
        .isEqualTo("http:\n  base: https://staging.example\n");
    assertThat(again.exit()).isEqualTo(3);
    assertThat(again.at("/error/code")).isEqualTo("not-empty");
    assertThat(forced.exit()).isZero();
    assertThat(plan.exit()).as("%s", plan.document()).isZero();
    assertThat(plan.data().at("/plan/changes").asBoolean(true)).isFalse();
    assertThat(plan.data().at("/plan/drift")).isEmpty();
  }

  @Test
  void all_bad_files_of_a_folder_are_named_at_once_and_nothing_is_sent() throws IOException {
    put("flows/second.yaml", CALLING);
    Files.write(
        folder.resolve("flows/latin.yaml"),
        "flow: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    Path outside = Files.writeString(home.resolve("outside.yaml"), "flow: outside\n");
    Files.createSymbolicLink(folder.resolve("flows/link.yaml"), outside);
    Files.createSymbolicLink(folder.resolve("more"), data);
    try (var huge = new RandomAccessFile(folder.resolve("flows/huge.yaml").toFile(), "rw")) {
      huge.setLength(200L << 20);
    }
    Files.createDirectory(folder.resolve("flows/folder.yaml"));
    put("connections/list.yaml", "- a\n");

    Said refused = desk.hapax("deploy", "shop", "--yes");

    assertThat(refused.exit()).isEqualTo(3);
    String findings = refused.document().at("/error/details/findings").toString();
    assertThat(findings)
        .contains("flow 'calling' is also in flows/calling.yaml")
        .contains("is not UTF-8 text")
        .contains("\"flows/link.yaml\"", "leads out of the folder")
        .contains("\"more\"")
        .contains("is larger than 1 MB")
        .contains("is not a mapping");
    assertThat(refused.document().at("/error/details/findings")).hasSize(6);
    assertThat(desk.hapax("deploy", "list").data().path("items")).isEmpty();
  }

  @Test
  void a_person_is_asked_and_without_an_answer_nothing_changes() {
    var typed = new TypedDesk(home, server, false);

    TypedDesk.Seen seen = typed.hapax("deploy", "shop");

    assertThat(seen.exit()).isEqualTo(3);
    assertThat(seen.text())
        .contains(
            "+ flow calling is new", "2 to add", "Carry out this plan?", "nothing was changed");
    assertThat(server.get("/api/flows/calling").status()).isEqualTo(404);
  }

  @Test
  void a_folder_whose_cases_fail_is_not_deployed() throws IOException {
    put("flows/calling.test.yaml", CASES.replace("order: 1", "order: 2"));

    Said refused = desk.hapax("deploy", "shop", "--yes");

    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.at("/error/message")).startsWith("nothing was sent: 1 of 1");
    assertThat(desk.hapax("flows", "show", "calling").exit()).isEqualTo(4);
  }

  @Test
  void what_is_for_hapax_dev_is_left_out_and_a_flow_of_that_name_is_not() throws IOException {
    put("dev.yaml", "allow: [api.example.com]\n");
    put("stand-in.yaml", "answers: {call: {status: 200}}\n");
    Said left = desk.hapax("deploy", "shop", "--yes");
    put("dev.yaml", "allow: [api.example.com]\nflow: calling\n");
    Said refused = desk.hapax("deploy", "shop", "--yes");

    assertThat(left.exit()).as("%s", left).isZero();
    assertThat(refused.exit()).as("%s", refused).isEqualTo(3);
  }

  @Test
  void a_folder_that_is_not_there_is_not_found() {
    assertThat(desk.hapax("deploy", "absent", "--plan").exit()).isEqualTo(4);
    assertThat(desk.hapax("deploy", "shop/flows/calling.yaml", "--plan").exit()).isEqualTo(3);
    assertThat(desk.hapax("deploy").exit()).isEqualTo(2);
  }
}
