package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.http.Actor;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunFilter;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The labels of a flow are those of its live release, or of its draft. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowLabelsTest {
  private static final Actor SALES =
      new Actor(
          "token:1",
          "ann",
          "acme",
          Set.of(TokenScope.FLOWS_WRITE),
          Set.of(),
          new FlowLimit(List.of(), List.of("sales")));

  private static String desk(String labels) {
    return "flow: desk\nlabels: [%s]\nsteps:\n  - {id: note, set: {text: hello}}\n"
        .formatted(labels);
  }

  private static List<String> shown(Site site) {
    List<String> single = texts(site.get("/api/flows/desk").json().path("labels"));
    assertThat(texts(site.get("/api/flows").json().path("items").path(0).path("labels")))
        .isEqualTo(single);
    assertThat(site.releases.labels().of("acme", "desk")).isEqualTo(single);
    return single;
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  @Test
  void the_labels_of_the_draft_count_until_a_release_is_live() {
    try (var site = new Site(new MemoryStore(), Ports.system())) {
      site.putDraft("desk", desk("sales, eu"));
      assertThat(shown(site)).containsExactly("sales", "eu");

      site.putDraft("desk", "flow: desk\nlabels: [sales]\n"); // cannot be read
      assertThat(shown(site)).isEmpty();

      site.goLive("desk", desk("support"));
      assertThat(shown(site)).containsExactly("support");

      site.putDraft("desk", desk("sales"));
      site.post("/api/flows/desk/releases", Map.of());
      assertThat(shown(site)).containsExactly("support");

      site.put("/api/flows/desk/live", Map.of("release", 2));
      assertThat(shown(site)).containsExactly("sales");

      site.put("/api/flows/desk/live", Map.of("release", 1));
      assertThat(shown(site)).containsExactly("support");
    }
  }

  @Test
  void a_name_that_is_no_name_has_no_labels() {
    try (var site = new Site(new MemoryStore(), Ports.system())) {
      for (String name : List.of("", "a b", "absent", "x".repeat(5_000), "a\u0000")) {
        assertThat(site.releases.labels().of("acme", name)).isEmpty();
      }
    }
  }

  @Test
  void a_token_for_labels_takes_no_name_over_that_has_runs() {
    try (var site = new Site(new MemoryStore(), Ports.system())) {
      var acme = site.hapax.tenant("acme");
      var inJava = Flow.of("desk", String.class, String.class).body((_, input) -> input);
      acme.register(inJava);
      acme.start(inJava, "secret");
      assertThat(acme.runs(RunFilter.of("acme").flow("desk"))).hasSize(1);
      var desk = new FlowName("acme", "desk");

      assertThatThrownBy(() -> site.releases.putDraft(desk, desk("sales"), SALES, null))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("there is no flow 'desk' among the flows of this token");

      assertThat(site.get("/api/flows/desk").status()).isEqualTo(404);
    }
  }

  @Test
  void a_draft_that_another_author_gave_away_meanwhile_is_not_replaced() {
    try (var site = new Site(new MemoryStore(), Ports.system())) {
      var desk = new FlowName("acme", "desk");
      site.releases.putDraft(desk, desk("sales"), SALES, null);
      site.putDraft("desk", desk("finance"));

      assertThatThrownBy(() -> site.releases.putDraft(desk, desk("sales"), SALES, null))
          .hasMessageContaining("there is no flow 'desk' among the flows of this token");
      assertThatThrownBy(() -> site.releases.putDraft(desk, desk("sales"), SALES, 1L))
          .hasMessageContaining("there is no flow 'desk' among the flows of this token");
      assertThatThrownBy(
              () -> site.releases.release(desk, new Releases.Wish(null, false), SALES, _ -> {}))
          .hasMessageContaining("there is no flow 'desk' among the flows of this token");
      site.goLive("desk", desk("finance, sales"));
      site.goLive("desk", desk("finance"));
      assertThatThrownBy(() -> site.releases.promote(desk, 1, false, SALES))
          .hasMessageContaining("there is no flow 'desk' among the flows of this token");

      assertThat(shown(site)).containsExactly("finance");
    }
  }
}
