package dev.hapax.flows.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each preset is complete, cites its pages, and is what a person could write by hand. */
class PresetsTest {
  static Stream<String> names() {
    return Presets.all().stream().map(Preset::preset);
  }

  /** A preset for a connection of another name, with the examples as values. */
  static PresetText filled(Preset preset, String name) {
    Map<String, String> values = new HashMap<>();
    preset.values().forEach(value -> values.put(value.name(), value.example()));
    return new PresetText(preset, name, values);
  }

  private static String indented(String text, String first) {
    return first + text.strip().replace("\n", "\n" + " ".repeat(first.length()));
  }

  private static String flow(PresetText text, Preset.Operation operation) {
    String step = text.filled(operation.step());
    var effect = (Map<?, ?>) Presets.mapping("step.yaml", step).get("effect");
    return """
    flow: trial
    key: %s
    steps:
    %s
    """
        .formatted(Objects.requireNonNull(effect).get("key"), indented(step, "  - "));
  }

  @ParameterizedTest
  @MethodSource("names")
  void a_preset_is_complete(String name) {
    assertThat(PresetCheck.problems(Presets.of(name))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void its_steps_pass_the_check(String name) {
    Preset preset = Presets.of(name);
    for (Preset.Operation operation : preset.operations()) {
      Check.Result result = Check.check("trial.yaml", flow(filled(preset, "shop"), operation));

      assertThat(result.findings())
          .as("%s: %s", operation.name(), result.text())
          .allMatch(finding -> finding.level() != Level.ERROR);
      assertThat(result.findings())
          .extracting(Finding::rule)
          .isSubsetOf("create-without-external-id", "unguarded-before-failure");
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void its_webhook_passes_the_check(String name) {
    Preset preset = Presets.of(name);
    String webhook = preset.webhook();
    if (webhook == null) {
      assertThat(preset.notes()).anyMatch(note -> note.contains("webhook"));
      return;
    }
    PresetText text = filled(preset, "shop");
    for (String newest : new String[] {"", preset.newest() == null ? "" : preset.newest()}) {
      String fetch = preset.fetch();
      String flow =
          """
          flow: trial
          triggers:
            - webhook:
          %s
          steps:
          %s
          """
              .formatted(
                  indented(text.filled(webhook + newest), "      "),
                  fetch == null
                      ? "  - {id: keep, set: {done: true}}"
                      : indented(text.filled(fetch), "  - "));

      Check.Result result = Check.check("trial.yaml", flow);

      assertThat(result.findings()).as(result.text()).noneMatch(f -> f.level() == Level.ERROR);
      var warned = new TreeSet<>(result.findings().stream().map(Finding::rule).toList());
      warned.removeAll(List.of("unused-step", "flow-without-key"));
      assertThat(warned)
          .isEqualTo(
              new TreeSet<>(
                  switch (name) {
                    case "paypal" -> List.of("webhook-none");
                    case "mollie" -> List.of("webhook-none", "webhook-replay-allowed");
                    default -> List.<String>of();
                  }));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void its_file_is_the_connection_and_cites_the_pages(String name) {
    Preset preset = Presets.of(name);

    String file = filled(preset, "shop-1").file();

    assertThat(Presets.mapping("shop-1.yaml", file)).isEqualTo(filled(preset, "shop-1").settings());
    assertThat(file).doesNotContainPattern("<[a-z]+>");
    preset
        .documents()
        .forEach(page -> assertThat(file).contains(page.url() + ", read " + page.read()));
    preset.assumed().forEach(line -> assertThat(file).contains(line));
    preset.secrets().forEach(secret -> assertThat(file).contains("shop-1-" + secret.name()));
  }

  @Test
  void the_window_of_a_step_is_that_of_its_connection() {
    for (Preset preset : Presets.all()) {
      PresetFacts facts = PresetFacts.of(preset);
      for (Preset.Operation operation : preset.operations()) {
        if (operation.step().contains("keyed:")) {
          assertThat(operation.step()).as(preset.preset()).contains("window: " + facts.window());
        } else {
          assertThat(facts.key()).as(preset.preset()).isEmpty();
        }
      }
    }
  }

  @Test
  void an_unknown_preset_gets_a_suggestion() {
    assertThatThrownBy(() -> Presets.of("strip"))
        .hasMessage("there is no preset 'strip', did you mean 'stripe'?");
    assertThatThrownBy(() -> Presets.of("nothing-like-it"))
        .hasMessage("there is no preset 'nothing-like-it'");
    assertThatThrownBy(() -> Presets.of("../preset/stripe")).hasMessageContaining("no preset");
  }

  @Test
  void a_value_must_be_given_known_and_of_its_form() {
    Preset shopify = Presets.of("shopify");

    assertThatThrownBy(() -> new PresetText(shopify, "s", Map.of()))
        .hasMessageContaining("needs 'shop'")
        .hasMessageContaining("my-shop");
    assertThatThrownBy(
            () ->
                new PresetText(
                    shopify, "s", Map.of("shop", "a.evil.example/#", "version", "2026-04")))
        .hasMessageContaining("expected a text such as 'my-shop'");
    assertThatThrownBy(
            () -> new PresetText(shopify, "s", Map.of("shop", "a", "version", "2026-04", "x", "1")))
        .hasMessageContaining("has no value 'x'");
    assertThatThrownBy(
            () -> new PresetText(shopify, "a b", Map.of("shop", "a", "version", "2026-04")))
        .hasMessageContaining("name of the connection");
  }

  @Test
  void the_checker_reports_what_is_missing() {
    Preset bad =
        new Preset(
            "bad",
            "Bad",
            List.of(new Preset.Document("keys", "http://plain.example", "last year")),
            List.of(new Preset.Value("shop", "Shop", "[a-z]+", "1", null)),
            List.of(new Preset.Secret("key", "Key")),
            20,
            "http: {base: https://<other>.example}",
            List.of(),
            null,
            "version: 1",
            "id: [",
            List.of(),
            List.of());

    assertThat(PresetCheck.problems(bad))
        .anyMatch(problem -> problem.contains("no https address"))
        .anyMatch(problem -> problem.contains("has no date"))
        .anyMatch(problem -> problem.contains("has the values [shop], but uses [other]"))
        .anyMatch(problem -> problem.contains("the example of shop does not fit"))
        .anyMatch(problem -> problem.contains("nothing uses the secret <name>-key"))
        .anyMatch(problem -> problem.contains("too long for it"))
        .anyMatch(problem -> problem.contains("has no operation"))
        .anyMatch(problem -> problem.contains("fetches without a webhook"))
        .anyMatch(problem -> problem.contains("versions without a webhook"))
        .anyMatch(problem -> problem.startsWith("bad: bad:1:"));
  }
}
