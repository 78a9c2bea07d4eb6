package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site.Reply;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drafts become releases, one of them is live, and no run is touched by that. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowRoutesTest {
  private final ManualTime time = new ManualTime();
  private final Store store = new MemoryStore();
  private Site site = new Site(store, time.ports());

  private static String saying(String word) {
    return """
        flow: hello
        description: Says %1$s.
        key: ${input.id}
        steps:
          - id: pause
            wait: {for: 1h}
        output: {said: "%1$s ${input.id}"}
        """
        .formatted(word);
  }

  private static String withTriggers(String flow, String path, String schedule) {
    return """
        flow: %s
        triggers:
          - webhook: {path: %s, verify: {scheme: github, secret: s}}
          - schedule: {name: %s, cron: "0 3 * * *", timezone: Europe/Berlin}
        steps:
          - id: keep
            set: {done: true}
        output: {done: "${steps.keep.output.done}"}
        """
        .formatted(flow, path, schedule);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_draft_is_put_and_read_with_its_version() {
    Reply put = site.putDraft("hello", saying("hi"), "If-None-Match", "*");
    Reply got = site.get("/api/flows/hello/draft");
    String etag = Objects.requireNonNull(got.header("ETag"));
    Reply second = site.putDraft("hello", saying("hello"), "If-Match", etag);
    Reply late = site.putDraft("hello", saying("lost"), "If-Match", etag);
    Reply new2 = site.putDraft("hello", saying("lost"), "If-None-Match", "*");

    assertThat(put.status()).isEqualTo(200);
    assertThat(put.json().path("findings").isArray()).isTrue();
    assertThat(got.text()).isEqualTo(saying("hi"));
    assertThat(got.header("Content-Type")).startsWith("application/yaml");
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.header("ETag")).isNotEqualTo(etag);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.json().path("type").asString()).endsWith("/stale");
    assertThat(new2.status()).isEqualTo(409);
    assertThat(site.get("/api/flows/hello/draft").text()).isEqualTo(saying("hello"));
  }

  @Test
  void bad_drafts_are_refused_in_clear_words() {
    assertThat(site.putDraft("other", saying("hi")).json().path("detail").asString())
        .contains("flow 'hello'", "sent as 'other'");
    assertThat(site.get("/api/flows/hello/draft").status()).isEqualTo(404);
    assertThat(site.put("/api/flows/hello/draft", Map.of()).status()).isEqualTo(415);
    assertThat(site.putDraft("hello", saying("hi"), "If-Match", "\"x\"").status()).isEqualTo(400);
    assertThat(site.get("/api/flows/hello").status()).isEqualTo(404);
    assertThat(site.post("/api/flows/hello/releases", Map.of()).status()).isEqualTo(404);
  }

  @Test
  void a_release_is_numbered_and_never_changes() {
    site.putDraft("hello", saying("hi"));
    Reply first = site.post("/api/flows/hello/releases", Map.of("note", "the first"));
    Reply again = site.post("/api/flows/hello/releases", Map.of("note", "repeated"));
    site.putDraft("hello", saying("hello"));
    Reply second = site.post("/api/flows/hello/releases", Map.of());

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Location")).isEqualTo("/api/flows/hello/releases/1");
    assertThat(first.json().path("release").asInt()).isEqualTo(1);
    assertThat(first.json().path("hash").asString()).hasSize(64);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("release").asInt()).isEqualTo(1);
    assertThat(second.json().path("release").asInt()).isEqualTo(2);
    var one = site.get("/api/flows/hello/releases/1").json();
    assertThat(one.path("text").asString()).isEqualTo(saying("hi"));
    assertThat(one.path("note").asString()).isEqualTo("the first");
    assertThat(one.path("author").asString()).isEqualTo("acme's admin");
    var list = site.get("/api/flows/hello/releases?limit=1").json();
    assertThat(list.path("items").path(0).path("release").asInt()).isEqualTo(2);
    assertThat(
            site.get("/api/flows/hello/releases?after=" + list.path("next").asString())
                .json()
                .path("items")
                .path(0)
                .path("release")
                .asInt())
        .isEqualTo(1);
  }

  @Test
  void a_file_that_fails_its_check_is_refused_with_the_findings() {
    Reply put =
        site.putDraft(
            "hello", "flow: hello\nsteps:\n  - id: a\n    http: {url: http://x, method: POST}\n");
    Reply refused = site.post("/api/flows/hello/releases", Map.of());

    assertThat(put.status()).isEqualTo(200);
    assertThat(put.json().path("findings").toString()).contains("missing-effect");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().path("type").asString()).endsWith("/findings");
    assertThat(refused.json().path("findings").path(0).path("line").asInt()).isEqualTo(4);
    assertThat(site.get("/api/flows/hello").json().path("newest").isNull()).isTrue();
  }

  @Test
  void promoting_and_rolling_back_touches_no_run() {
    site.goLive("hello", saying("hi"));
    LoadedFlow first = Objects.requireNonNull(site.live.find("acme", "hello"));
    String old = first.start(site.hapax.tenant("acme"), Map.of("id", "1")).id();
    site.goLive("hello", saying("hello"));
    LoadedFlow second = Objects.requireNonNull(site.live.find("acme", "hello"));
    String fresh = second.start(site.hapax.tenant("acme"), Map.of("id", "2")).id();
    Reply back = site.put("/api/flows/hello/live", Map.of("release", 1));

    restart();
    time.move(Duration.ofHours(2));

    await(() -> site.hapax.tenant("acme").run(fresh).status() == RunStatus.SUCCEEDED);
    await(() -> site.hapax.tenant("acme").run(old).status() == RunStatus.SUCCEEDED);
    assertThat(site.hapax.tenant("acme").run(old).output()).contains("hi 1");
    assertThat(site.hapax.tenant("acme").run(fresh).output()).contains("hello 2");
    assertThat(back.json().path("live").asInt()).isEqualTo(1);
    assertThat(back.json().path("newest").asInt()).isEqualTo(2);
    assertThat(Objects.requireNonNull(site.live.find("acme", "hello")).flow().release())
        .isEqualTo(1);
  }

  @Test
  void what_cannot_be_live_is_refused() {
    site.goLive("hello", saying("hi"));

    assertThat(site.put("/api/flows/hello/live", Map.of("release", 7)).status()).isEqualTo(404);
    assertThat(site.put("/api/flows/hello/live", Map.of()).status()).isEqualTo(400);
    for (Object number : List.of(1.5, "1", true)) {
      Reply refused = site.put("/api/flows/hello/live", Map.of("release", number));
      assertThat(refused.status()).as("%s", number).isEqualTo(400);
      assertThat(refused.json().path("detail").asString())
          .isEqualTo("body: 'release': expected a whole number");
    }
    assertThat(site.put("/api/flows/nobody/live", Map.of("release", 1)).status()).isEqualTo(404);
    assertThat(site.live.find("acme", "nobody")).isNull();
  }

  @Test
  void a_release_is_compared_with_another() {
    site.goLive("hello", saying("hi"));
    site.putDraft("hello", saying("hello"));
    site.post("/api/flows/hello/releases", Map.of());

    var diff = site.get("/api/flows/hello/releases/2/diff").json();

    assertThat(diff.path("from").asInt()).isEqualTo(1);
    assertThat(diff.path("diff").asString())
        .isEqualTo(
            """
            --- release 1
            +++ release 2
            @@ -1,7 +1,7 @@
             flow: hello
            -description: Says hi.
            +description: Says hello.
             key: ${input.id}
             steps:
               - id: pause
                 wait: {for: 1h}
            -output: {said: "hi ${input.id}"}
            +output: {said: "hello ${input.id}"}
            """);
    assertThat(site.get("/api/flows/hello/releases/2/diff?from=2").json().path("same").asBoolean())
        .isTrue();
  }

  @Test
  void a_tenant_sees_its_own_flows_only() {
    site.goLive("hello", saying("hi"));

    assertThat(site.sendAs("umbrella", "GET", "/api/flows", null, Map.of()).json().path("items"))
        .isEmpty();
    assertThat(site.sendAs("umbrella", "GET", "/api/flows/hello", null, Map.of()).status())
        .isEqualTo(404);
    var items = site.get("/api/flows").json().path("items");
    assertThat(items.path(0).path("flow").asString()).isEqualTo("hello");
    var flow = site.get("/api/flows/hello").json();
    assertThat(flow.path("description").asString()).isEqualTo("Says hi.");
    assertThat(flow.path("draft").path("etag").asString()).startsWith("\"");
  }

  @Test
  void a_path_and_a_name_of_a_schedule_belong_to_one_flow() {
    site.goLive("first", withTriggers("first", "shop/orders", "nightly"));
    site.putDraft("second", withTriggers("second", "shop/orders", "other"));
    Reply path = site.post("/api/flows/second/releases", Map.of());
    site.putDraft("second", withTriggers("second", "shop/other", "nightly"));
    Reply name = site.post("/api/flows/second/releases", Map.of());
    String other = withTriggers("third", "shop/orders", "nightly");
    site.sendAs(
        "umbrella",
        "PUT",
        "/api/flows/third/draft",
        other,
        Map.of("Content-Type", "application/yaml"));
    Reply foreign = site.sendAs("umbrella", "POST", "/api/flows/third/releases", null, Map.of());

    assertThat(path.status()).isEqualTo(409);
    assertThat(path.json().path("detail").asString()).contains("shop/orders", "flow 'first'");
    assertThat(name.status()).isEqualTo(409);
    assertThat(foreign.status()).as("its own address").isEqualTo(201);
  }

  @Test
  void a_path_that_its_flow_no_longer_uses_goes_to_the_next() {
    site.goLive("first", withTriggers("first", "shop/orders", "nightly"));
    site.goLive("first", withTriggers("first", "shop/moved", "nightly"));
    time.move(Duration.ofMinutes(2));
    site.goLive("second", withTriggers("second", "shop/orders", "other"));

    Reply back = site.put("/api/flows/first/live", Map.of("release", 1));

    assertThat(site.releases.hookPaths().owner("acme/shop/orders"))
        .isEqualTo(new FlowName("acme", "second"));
    assertThat(back.status()).isEqualTo(409);
  }

  @Test
  void the_names_of_a_retired_flow_go_to_the_next_but_not_those_of_its_new_releases() {
    site.goLive("first", withTriggers("first", "shop/orders", "nightly"));
    site.send("DELETE", "/api/flows/first/live", null, Map.of());
    site.putDraft("first", withTriggers("first", "shop/again", "again"));
    site.post("/api/flows/first/releases", Map.of());
    time.move(Duration.ofMinutes(2));

    site.goLive("second", withTriggers("second", "shop/orders", "nightly"));
    site.putDraft("third", withTriggers("third", "shop/again", "third"));
    Reply taken = site.post("/api/flows/third/releases", Map.of());
    Reply back = site.put("/api/flows/first/live", Map.of("release", 1));

    assertThat(site.releases.hookPaths().owner("acme/shop/orders"))
        .isEqualTo(new FlowName("acme", "second"));
    assertThat(taken.status()).isEqualTo(409);
    assertThat(back.status()).isEqualTo(409);
  }

  @Test
  void another_node_learns_of_a_retirement() {
    site.goLive("hello", saying("hi"));
    try (var other = new Site(store, time.ports())) {
      assertThat(other.live.find("acme", "hello")).isNotNull();
      var told = new java.util.ArrayList<String>();
      other.releases.onPromotion(
          new Releases.Promoted() {
            @Override
            public void check(FlowName flow, LoadedFlow next) {}

            @Override
            public void promoted(FlowName flow, @Nullable LoadedFlow before, LoadedFlow now) {
              told.add("promoted " + flow.flow());
            }

            @Override
            public void retired(FlowName flow) {
              told.add("retired " + flow.flow());
            }
          });

      site.send("DELETE", "/api/flows/hello/live", null, Map.of());
      time.move(Duration.ofSeconds(2));
      other.releases.follow();
      other.releases.follow();

      assertThat(other.live.find("acme", "hello")).isNull();
      assertThat(told).containsExactly("retired hello");
    }
  }

  @Test
  void the_labels_of_a_retired_flow_stay_what_they_were() {
    site.goLive("hello", saying("hi").replace("key:", "labels: [team-a]\nkey:"));
    site.putDraft("hello", saying("hi").replace("key:", "labels: [team-b]\nkey:"));

    site.send("DELETE", "/api/flows/hello/live", null, Map.of());

    assertThat(site.releases.labels().of("acme", "hello")).containsExactly("team-a");
  }

  @Test
  void releases_made_at_once_have_numbers_of_their_own() throws Exception {
    site.putDraft("hello", saying("hi"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          threads.invokeAll(
              IntStream.range(0, 20)
                  .<Callable<Integer>>mapToObj(
                      _ ->
                          () ->
                              site.post("/api/flows/hello/releases", Map.of())
                                  .json()
                                  .path("release")
                                  .asInt())
                  .toList());
      for (var one : all) {
        assertThat(one.get()).isEqualTo(1);
      }
    }
  }

  @Test
  void what_was_live_is_live_after_a_restart() {
    site.goLive("hello", saying("hi"));

    restart();

    LoadedFlow flow = Objects.requireNonNull(site.live.find("acme", "hello"));
    flow.start(site.hapax.tenant("acme"), Map.of("id", "1"));
    assertThat(site.get("/api/flows/hello").json().path("live").asInt()).isEqualTo(1);
  }

  private void restart() {
    site.close();
    site = new Site(store, time.ports());
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
