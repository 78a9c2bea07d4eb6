package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import dev.hapax.flows.preset.Preset;
import dev.hapax.flows.preset.Presets;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hapax connections new} for a real server: what it writes, and what it never replaces. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServedPresetsTest {
  private static final String SECRET = "sk_test_canary_4242";

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new TestServer(folder.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void a_preset_becomes_a_connection_and_its_secrets() throws Exception {
    var desk = new ServedDesk(folder, server);
    desk.type(SECRET);

    Said made = desk.hapax("connections", "new", "stripe", "--name", "shop-stripe");

    assertThat(made.exit()).isZero();
    assertThat(made.data().path("secrets").toString())
        .isEqualTo("[\"shop-stripe-key\",\"shop-stripe-signing\"]");
    assertThat(made.document().toString()).doesNotContain(SECRET);
    assertThat(server.get("/api/connections/shop-stripe").at("/form/http/idempotency/window"))
        .isEqualTo("24h");
    assertThat(server.get("/api/secrets").body().toString())
        .contains("shop-stripe-key", "api.stripe.com")
        .doesNotContain(SECRET);

    desk.type("another value");
    Said again = desk.hapax("connections", "new", "stripe", "--name", "shop-stripe");
    assertThat(again.exit()).isEqualTo(3);
    assertThat(again.at("/error/code")).isEqualTo("exists");

    desk.hapax("connections", "delete", "shop-stripe");
    Said third = desk.hapax("connections", "new", "stripe", "--name", "shop-stripe");
    assertThat(third.exit()).isZero();
    assertThat(third.data().path("secrets").toString()).as("kept").isEqualTo("[]");
  }

  @Test
  void a_pipe_gives_the_first_secret_and_the_others_are_named() throws Exception {
    var desk = new ServedDesk(folder, server);
    desk.pipe(SECRET + "\n");

    Said made = desk.hapax("connections", "new", "github", "--name", "forge");

    assertThat(made.data().path("missing").toString()).isEqualTo("[\"forge-signing\"]");
    assertThat(made.data().path("next").toString()).contains("hapax secrets put forge-signing");
  }

  @Test
  void the_server_takes_every_preset_and_every_file() throws Exception {
    var desk = new ServedDesk(folder, server);
    desk.pipe("");
    for (Preset preset : Presets.all()) {
      String file = "connections/" + preset.preset() + ".yaml";
      var args = new ArrayList<>(List.of("connections", "new", preset.preset(), "--out", file));
      preset
          .values()
          .forEach(value -> args.addAll(List.of("--set", value.name() + "=" + value.example())));

      assertThat(desk.hapax(args.toArray(String[]::new)).exit()).as(preset.preset()).isZero();
      Said put = desk.hapax("connections", "put", preset.preset(), "@" + file);

      assertThat(put.exit()).as("%s: %s", preset.preset(), put.document()).isZero();
      assertThat(Files.readString(folder.resolve(file))).doesNotContain("<name>");
    }
    assertThat(Json.tree(server.get("/api/connections?limit=100").raw().body()).path("items"))
        .hasSizeGreaterThanOrEqualTo(Presets.all().size());
  }

  @Test
  void a_flow_with_guard_keyed_is_not_released_where_the_destination_takes_no_keys()
      throws Exception {
    var desk = new ServedDesk(folder, server);
    desk.pipe(SECRET);
    desk.hapax("connections", "new", "github", "--name", "hub");
    Files.writeString(
        folder.resolve("issue.yaml"),
        """
        flow: issue
        key: ${input.id}
        steps:
          - id: issue
            http: {connection: hub, method: POST, path: /repos/acme/shop/issues, body: {title: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${string(output.body.number)}"}
        """);
    desk.hapax("push", "issue.yaml");

    Said released = desk.hapax("release", "issue");

    assertThat(released.exit()).isEqualTo(3);
    assertThat(released.document().toString()).contains("keyed-without-keys", "takes no keys");
  }
}
