package dev.hapax.app.preset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.preset.Preset;
import dev.hapax.flows.preset.PresetText;
import dev.hapax.flows.preset.Presets;
import dev.hapax.json.Json;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * The steps of each preset against a stand-in of its provider: what is sent is the golden request,
 * and a lost answer makes no second object. With {@code -Dhapax.golden=write} the requests are
 * written anew.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PresetRequestsTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("basedir", "app"))
          .resolve("src/test/resources/dev/hapax/app/preset/requests");

  private static final Set<String> WIRE =
      Set.of(
          "host",
          "user-agent",
          "connection",
          "content-length",
          "accept-encoding",
          "upgrade",
          "http2-settings",
          "transfer-encoding");

  private static final Map<String, Object> INPUT = input();

  /** An operation of a preset, and how its provider behaves. */
  record Case(Preset preset, Preset.Operation operation, ProviderStandIn.Behaviour provider) {
    @Override
    public String toString() {
      return preset.preset() + ": " + operation.name();
    }

    private String guard() {
      var effect = (Map<?, ?>) Presets.mapping("step.yaml", operation.step()).get("effect");
      Object guard = Objects.requireNonNull(effect).get("guard");
      return guard instanceof Map<?, ?> map
          ? String.valueOf(map.keySet().iterator().next())
          : String.valueOf(guard);
    }

    private boolean hasLookup() {
      return operation.step().contains("lookup:");
    }
  }

  private static Map<String, Object> input() {
    var input = new HashMap<String, Object>();
    input.put("order", "A-1");
    input.put("cents", 4010);
    input.put("amount", "40.10");
    input.put("card", "card_1");
    input.put("customer", "C-1");
    input.put("email", "ann@example.com");
    input.put("paypalOrder", "5O190127TN364715T");
    input.put("returnTo", "https://shop.example/thanks");
    input.put("text", "Grüße & 1+1=2");
    input.put("channel", "C024BE91L");
    input.put("owner", "acme");
    input.put("repo", "shop");
    input.put("phone", "+15005550006");
    input.put("sender", "+15005550001");
    input.put("shopifyOrder", "gid://shopify/Order/1");
    input.put("transactions", List.of(Map.of("amount", "40.10")));
    input.put("name", "Ann Ltd");
    input.put("version", 3);
    input.put("form", "u6nXL7");
    input.put("tag", "orders");
    input.put("address", "https://hooks.example.com/hooks/typeform");
    input.put("event", "GBGBDCAADAEDCRZ2");
    return input;
  }

  static Stream<Case> cases() throws IOException {
    JsonNode behaviours;
    try (InputStream in = PresetRequestsTest.class.getResourceAsStream("stand-ins.json")) {
      behaviours =
          Json.tree(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
    var cases = new ArrayList<Case>();
    for (Preset preset : Presets.all()) {
      for (Preset.Operation operation : preset.operations()) {
        JsonNode behaviour = behaviours.path(preset.preset()).path(operation.name());
        assertThat(behaviour.isObject()).as("%s: %s", preset.preset(), operation.name()).isTrue();
        cases.add(
            new Case(
                preset,
                operation,
                Json.read(behaviour.toString(), ProviderStandIn.Behaviour.class)));
      }
    }
    return cases.stream();
  }

  private static PresetText filled(Preset preset) {
    Map<String, String> values = new HashMap<>();
    preset.values().forEach(value -> values.put(value.name(), value.example()));
    return new PresetText(preset, preset.preset(), values);
  }

  /** The connection as the server would read it, but with the stand-in's address. */
  private static Connection.Http connection(Preset preset, String standIn) {
    var form = Json.read(Json.write(filled(preset).settings()), ConnectionForm.class);
    var real = (Connection.Http) new ConnectionReader(form).connection(preset.preset());
    return new Connection.Http(
        real.name(),
        URI.create(standIn + real.base().getRawPath()),
        real.auth(),
        real.headers(),
        real.idempotency(),
        real.connectTimeout(),
        Set.of("127.0.0.1"),
        real.meanings(),
        real.limits(),
        real.test());
  }

  private interface Trial {
    void run(FlowTest test, LoadedFlow flow, ProviderStandIn provider) throws Exception;
  }

  private static void with(Case one, ProviderStandIn.Mood mood, Trial trial) throws Exception {
    String step = filled(one.preset()).filled(one.operation().step());
    String flow =
        """
        flow: trial
        key: ${input.order}
        steps:
          - %s
        output: {done: true}
        """
            .formatted(step.strip().replace("\n", "\n    "));
    try (var provider = new ProviderStandIn(one.provider(), mood);
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(_ -> Optional.of(connection(one.preset(), provider.base())))
                .secrets(name -> Optional.of("secret-of-" + name))
                .open()) {
      LoadedFlow loaded = files.load("trial.yaml", flow, 1);
      try (FlowTest test = FlowTest.of(loaded.flow())) {
        trial.run(test, loaded, provider);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void what_is_sent_is_the_golden_request(Case one) throws Exception {
    with(
        one,
        ProviderStandIn.Mood.WELL,
        (test, flow, provider) -> {
          assertThat(test.run(flow.flow(), INPUT)).isEqualTo(Map.of("done", true));

          assertThat(provider.objects()).isEqualTo(1);
          assertThat(provider.sentWrites()).hasSize(1);
          ProviderStandIn.Seen sent = provider.sentWrites().getFirst();
          String key = provider.key(sent);
          assertThat(key == null).isEqualTo(!one.guard().equals("keyed"));
          Integer longest = one.preset().longestKey();
          assertThat(key == null ? 0 : key.length())
              .isLessThanOrEqualTo(longest == null ? 32 : longest);
          golden(one, provider.requests(), key);
        });
  }

  private static void golden(Case one, List<ProviderStandIn.Seen> requests, @Nullable String key)
      throws IOException {
    var text = new StringBuilder();
    for (ProviderStandIn.Seen request : requests) {
      text.append(request.method()).append(' ').append(request.target()).append('\n');
      request
          .headers()
          .forEach(
              (name, value) -> {
                if (!WIRE.contains(name)) {
                  text.append(name).append(": ").append(value).append('\n');
                }
              });
      text.append('\n').append(request.body()).append("\n\n");
    }
    String seen = key == null ? text.toString() : text.toString().replace(key, "<the key>");
    Path file =
        GOLDEN.resolve(
            one.preset().preset() + "-" + one.operation().name().replace(' ', '-') + ".txt");
    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, seen);
    } else {
      assertThat(seen).isEqualTo(Files.readString(file));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_lost_answer_makes_no_second_object(Case one) throws Exception {
    with(
        one,
        ProviderStandIn.Mood.LOSES_ANSWER,
        (test, flow, provider) -> {
          assertThat(test.run(flow.flow(), INPUT)).isEqualTo(Map.of("done", true));

          assertThat(provider.objects()).isEqualTo(1);
          List<ProviderStandIn.Seen> writes = provider.sentWrites();
          switch (one.guard()) {
            case "keyed" -> {
              assertThat(writes).hasSize(2);
              assertThat(provider.key(writes.get(0))).isEqualTo(provider.key(writes.get(1)));
              assertThat(writes.get(0).body()).isEqualTo(writes.get(1).body());
            }
            case "upsert" -> assertThat(writes).hasSize(2);
            case "lookup" -> {
              assertThat(writes).hasSize(1);
              assertThat(provider.requests()).hasSizeGreaterThan(1);
            }
            default -> assertThat(writes).hasSize(1); // guard none, which skips
          }
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_write_that_fails_after_it_was_applied_is_found_by_the_lookup(Case one) throws Exception {
    if (!one.hasLookup()) {
      return;
    }
    with(
        one,
        ProviderStandIn.Mood.FAILS_AFTERWARDS,
        (test, flow, provider) -> {
          assertThat(test.run(flow.flow(), INPUT)).isEqualTo(Map.of("done", true));

          assertThat(provider.objects()).isEqualTo(1);
        });
  }

  @Test
  void a_preset_and_the_provider_of_the_same_name_say_the_same_about_keys() {
    for (String name : List.of("stripe", "adyen", "paypal", "square")) {
      Connection.Http connection = connection(Presets.of(name), "http://127.0.0.1:1");

      assertThat(connection.idempotency()).as(name).isEqualTo(Idempotency.of(name));
    }
  }

  @Test
  void every_golden_request_belongs_to_an_operation() throws IOException {
    List<String> names =
        cases()
            .map(
                one ->
                    one.preset().preset() + "-" + one.operation().name().replace(' ', '-') + ".txt")
            .sorted()
            .toList();
    try (Stream<Path> files = Files.list(GOLDEN)) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
          .isEqualTo(names);
    }
  }
}
