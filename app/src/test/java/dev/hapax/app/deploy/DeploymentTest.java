package dev.hapax.app.deploy;

import static dev.hapax.app.deploy.DeploySite.TENANT;
import static dev.hapax.app.deploy.DeploySite.actor;
import static dev.hapax.app.deploy.DeploySite.folder;
import static dev.hapax.app.deploy.DeploySite.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.deploy.DeploySite.Reply;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowName;
import dev.hapax.flow.Alert;
import dev.hapax.testkit.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans of folders, and deployments that carry them out. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeploymentTest {
  private static final Actor ANN = actor("ann");
  private static final Actor BEN = actor("ben");
  private static final String ONE = "flow: one\nsteps:\n  - {id: a, set: {n: 1}}\n";
  private static final String OTHER = "flow: one\nsteps:\n  - {id: a, set: {n: 2}}\n";
  private static final String WAITING =
      """
      flow: patient
      key: ${input.id}
      onNewRelease: %s
      steps:
        - {id: a, wait: {for: 30d}}
      """;
  private static final String CALLING =
      """
      flow: calling
      key: ${input.id}
      steps:
        - id: order
          http: {connection: shop, method: PUT, path: "/orders/${input.id}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      """;

  @TempDir Path data;
  private DeploySite site;

  @BeforeEach
  void open() throws IOException {
    site = new DeploySite(new MemoryStore(), data);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static Map<String, Object> shop(String base) {
    return Map.of("shop", Map.of("http", Map.of("base", base)));
  }

  private int live(String flow) {
    return site.call(ANN, "GET", "/api/flows/" + flow, null).body().path("live").asInt(0);
  }

  private void promoteByHand(String flow, String text) {
    // The route of drafts takes YAML, so the draft is put by its own operation.
    var name = new FlowName(TENANT, flow);
    site.releases.putDraft(name, text, BEN, null);
    int release =
        site.call(BEN, "POST", "/api/flows/" + flow + "/releases", Map.of())
            .body()
            .path("release")
            .asInt();
    Reply now = site.call(BEN, "PUT", "/api/flows/" + flow + "/live", Map.of("release", release));
    assertThat(now.status()).isEqualTo(200);
  }

  @Test
  void the_second_deployment_of_a_folder_changes_nothing() {
    Map<String, Object> folder = folder(shop("https://shop.example"), ONE, CALLING);

    Reply plan = site.plan(ANN, folder);
    Reply first = site.deploy(ANN, folder);
    Reply second = site.deploy(ANN, folder);

    assertThat(plan.at("/changes")).isEqualTo("true");
    assertThat(plan.at("/flows/0/change")).isEqualTo("new");
    assertThat(plan.at("/connections/0/change")).isEqualTo("new");
    assertThat(first.status()).as(first.body().toString()).isEqualTo(201);
    assertThat(first.at("/state")).isEqualTo("applied");
    assertThat(first.at("/number")).isEqualTo("1");
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.at("/state")).isEqualTo("unchanged");
    assertThat(second.at("/folder")).isEqualTo(first.at("/folder"));
    assertThat(live("one")).isEqualTo(1);
    assertThat(site.call(ANN, "GET", "/api/deployments", null).body().path("items")).hasSize(1);
  }

  @Test
  void a_request_that_is_repeated_gets_the_first_deployment() {
    Map<String, Object> folder = folder(Map.of(), ONE);
    String plan = site.plan(ANN, folder).at("/plan");

    Reply first = site.apply(ANN, folder, plan);
    Reply again = site.apply(ANN, folder, plan);

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
  }

  @Test
  void a_plan_is_stale_when_anything_that_it_was_made_from_has_changed() {
    Map<String, Object> folder = folder(shop("https://shop.example"), ONE, CALLING);
    site.deploy(ANN, folder);
    Map<String, Object> next = folder(shop("https://other.example"), OTHER, CALLING);
    String plan = site.plan(ANN, next).at("/plan");

    promoteByHand("one", "flow: one\nsteps:\n  - {id: a, set: {n: 3}}\n");
    Reply stale = site.apply(ANN, next, plan);

    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.at("/type")).endsWith("/stale");
    assertThat(live("one")).isEqualTo(2);
    Reply otherFolder = site.apply(ANN, folder, site.plan(ANN, next).at("/plan"));
    assertThat(otherFolder.at("/type")).as("a plan of another folder").endsWith("/stale");

    String third = site.plan(ANN, next).at("/plan");
    site.call(BEN, "PUT", "/api/connections/shop", shop("https://by-hand.example").get("shop"));
    assertThat(site.apply(ANN, next, third).at("/type")).endsWith("/stale");
    assertThat(site.call(ANN, "GET", "/api/connections/shop", null).at("/form/http/base"))
        .isEqualTo("https://by-hand.example");
  }

  @Test
  void a_plan_reports_what_was_changed_since_the_last_deployment() {
    Map<String, Object> folder =
        with(folder(shop("https://shop.example"), ONE, CALLING), "environment", "prod");
    site.deploy(ANN, folder);
    promoteByHand("one", OTHER);
    promoteByHand("foreign", OTHER.replace("one", "foreign"));
    site.call(BEN, "PUT", "/api/connections/shop", shop("https://by-hand.example").get("shop"));

    Reply plan = site.plan(ANN, with(folder, "environment", "staging"));

    assertThat(plan.body().path("drift")).hasSize(3);
    assertThat(plan.at("/drift/0/message")).contains("deployment 1", "'prod'");
    assertThat(plan.at("/drift/1/message")).contains("release 2 is live", "'ben'", "release 1");
    assertThat(plan.at("/drift/2/message")).contains("was changed", "'ben'");
    assertThat(plan.at("/connections/0/fields/0")).isEqualTo("/http/base");
    assertThat(plan.at("/flows/1/flow")).isEqualTo("foreign");
    assertThat(plan.at("/flows/1/change")).isEqualTo("removed");
    site.deploy(ANN, folder);
    assertThat(live("foreign")).as("a flow that the folder does not have").isEqualTo(1);
  }

  @Test
  void a_plan_says_which_runs_it_touches_and_how() {
    site.deploy(ANN, folder(Map.of(), WAITING.formatted("coexist")));
    for (int i = 0; i < 3; i++) {
      site.hapax
          .tenant(TENANT)
          .start(
              Objects.requireNonNull(site.live.find(TENANT, "patient")).flow(),
              Map.of("id", "A-" + i));
    }

    Reply plan = site.plan(ANN, folder(Map.of(), WAITING.formatted("drain")));

    assertThat(plan.at("/flows/0/change")).isEqualTo("changed");
    assertThat(plan.at("/flows/0/runs/0/release")).isEqualTo("1");
    assertThat(plan.at("/flows/0/runs/0/open")).isEqualTo("3");
    assertThat(plan.at("/flows/0/meaning")).contains("drain", "wait");
  }

  @Test
  void a_draft_that_was_never_released_is_not_lost() {
    site.deploy(ANN, folder(Map.of(), ONE));
    var name = new FlowName(TENANT, "one");
    String work = "flow: one\ndescription: Work of a week\nsteps:\n  - {id: a, set: {n: 9}}\n";
    site.releases.putDraft(name, work, BEN, null);

    Reply plan = site.plan(ANN, folder(Map.of(), OTHER));
    Reply made = site.deploy(ANN, folder(Map.of(), OTHER));

    assertThat(plan.at("/drift/0/kind")).isEqualTo("draft");
    assertThat(made.status()).isEqualTo(201);
    assertThat(live("one")).isEqualTo(2);
    assertThat(site.releases.draft(name).value().text()).isEqualTo(work);
  }

  @Test
  void what_the_server_does_not_have_is_refused_with_its_reason() {
    Reply noConnection = site.deploy(ANN, folder(Map.of(), ONE, CALLING));
    Map<String, Object> withSecret =
        folder(
            Map.of(
                "shop",
                Map.of(
                    "http", Map.of("base", "https://a.example", "auth", Map.of("bearer", "key")))),
            ONE,
            CALLING);
    Reply noSecret = site.deploy(ANN, withSecret);
    Reply allowed = site.deploy(ANN, with(withSecret, "allowMissing", true));

    assertThat(noConnection.status()).isEqualTo(422);
    assertThat(noConnection.at("/findings/0/rule")).isEqualTo("unknown-connection");
    assertThat(noSecret.at("/findings/0/rule")).isEqualTo("missing-secret");
    assertThat(live("one")).isEqualTo(1);
    assertThat(allowed.status()).isEqualTo(201);
  }

  @Test
  void bad_folders_are_refused_before_anything_changes() {
    Reply twice = site.deploy(ANN, folder(Map.of(), ONE, OTHER));
    Reply broken = site.deploy(ANN, folder(Map.of(), ONE, "flow: two\nsteps: 7\n"));
    Reply form = site.deploy(ANN, folder(Map.of("shop", Map.of("http", Map.of())), ONE));
    Reply unknown = site.deploy(ANN, folder(Map.of("shop", Map.of("htp", Map.of())), ONE));
    Reply empty = site.deploy(ANN, folder(Map.of()));

    assertThat(twice.at("/detail")).contains("'one'", "two files");
    assertThat(broken.at("/type")).endsWith("/findings");
    assertThat(broken.at("/findings/0/file")).isEqualTo("flow-1.yaml");
    assertThat(form.at("/detail")).contains("connection 'shop'", "http.base");
    assertThat(unknown.at("/detail")).contains("'htp' is unknown");
    assertThat(List.of(twice.status(), form.status(), unknown.status(), empty.status()))
        .containsOnly(400);
    assertThat(site.call(ANN, "GET", "/api/flows/one", null).status()).isEqualTo(404);
  }

  @Test
  void another_person_than_the_author_makes_a_pending_deployment_live() {
    Map<String, Object> folder =
        with(folder(shop("https://shop.example"), ONE, CALLING), "approval", "other-person");

    Reply pending = site.deploy(ANN, folder);
    Reply same = site.deploy(ANN, folder);
    Reply byAuthor = site.call(ANN, "POST", "/api/deployments/1/approve", null);
    Reply withOtherToken =
        site.call(
            new Actor("token:2", "ann", TENANT, ANN.scopes(), ANN.roles()),
            "POST",
            "/api/deployments/1/approve",
            null);
    int before = live("one");
    Reply approved = site.call(BEN, "POST", "/api/deployments/1/approve", null);
    Reply again = site.call(BEN, "POST", "/api/deployments/1/approve", null);

    assertThat(pending.at("/state")).isEqualTo("pending");
    assertThat(same.body()).isEqualTo(pending.body());
    assertThat(byAuthor.status()).isEqualTo(403);
    assertThat(withOtherToken.status()).isEqualTo(403);
    assertThat(before).isZero();
    assertThat(approved.at("/state")).isEqualTo("applied");
    assertThat(approved.at("/approvedBy")).isEqualTo("ben");
    assertThat(again.body()).isEqualTo(approved.body());
    assertThat(live("calling")).isEqualTo(1);
    assertThat(site.call(ANN, "GET", "/api/audit", null).body().toString())
        .contains("promote by deployment", "deployment=1");
  }

  @Test
  void a_server_can_require_two_people_whatever_the_folder_says() throws IOException {
    try (var guarded = new DeploySite(new MemoryStore(), data, true)) {
      Reply pending = guarded.deploy(ANN, folder(Map.of(), ONE));
      Reply byHand = guarded.call(ANN, "PUT", "/api/flows/one/live", Map.of("release", 1));
      Reply retired = guarded.call(ANN, "DELETE", "/api/flows/one/live", null);

      assertThat(pending.at("/state")).isEqualTo("pending");
      assertThat(byHand.status()).isEqualTo(409);
      assertThat(byHand.at("/detail")).contains("hapax deploy approve");
      assertThat(retired.at("/detail")).contains("--prune", "hapax deploy approve");
      assertThat(guarded.call(BEN, "POST", "/api/deployments/1/approve", null).at("/state"))
          .isEqualTo("applied");
    }
  }

  @Test
  void a_pending_deployment_is_refused_when_the_server_has_changed() {
    Map<String, Object> folder = with(folder(Map.of(), ONE), "approval", "other-person");
    site.deploy(ANN, folder);
    site.deploy(ANN, folder(Map.of(), OTHER));

    Reply approved = site.call(BEN, "POST", "/api/deployments/1/approve", null);

    assertThat(approved.at("/type")).endsWith("/stale");
    assertThat(site.call(ANN, "GET", "/api/deployments/1", null).at("/state"))
        .isEqualTo("superseded");
    assertThat(live("one")).isEqualTo(2);
    assertThat(site.call(BEN, "POST", "/api/deployments/9/approve", null).status()).isEqualTo(404);
  }

  @Test
  void a_token_may_deploy_only_what_it_may_push_release_and_promote() {
    Map<String, Object> folder = folder(shop("https://shop.example"), ONE, CALLING);
    Actor reader = actor("ci", FlowLimit.ALL, TokenScope.FLOWS_READ, TokenScope.CONNECTIONS_READ);
    Actor writer =
        actor(
            "ci",
            FlowLimit.ALL,
            TokenScope.FLOWS_READ,
            TokenScope.FLOWS_WRITE,
            TokenScope.CONNECTIONS_READ,
            TokenScope.CONNECTIONS_USE);
    Actor ofOne = actor("one", new FlowLimit(List.of("one"), List.of()), TokenScope.ADMIN);
    Actor labelled = actor("team", new FlowLimit(List.of(), List.of("team-a")), TokenScope.ADMIN);

    assertThat(site.plan(reader, folder).status()).isEqualTo(200);
    assertThat(site.deploy(reader, folder).status()).isEqualTo(403);
    assertThat(site.deploy(writer, folder).at("/detail")).contains("connections:write");
    assertThat(site.deploy(actor("x", FlowLimit.ALL, TokenScope.FLOWS_READ), folder).at("/detail"))
        .contains("connections:read");
    assertThat(site.deploy(ofOne, folder).status()).isEqualTo(404);
    assertThat(site.deploy(labelled, folder(Map.of(), ONE)).status()).isEqualTo(404);
    assertThat(live("one")).isZero();
    String own = ONE.replace("steps:", "labels: [team-a]\nsteps:");
    assertThat(site.deploy(labelled, folder(Map.of(), own)).status()).isEqualTo(201);
    assertThat(site.plan(ofOne, folder(Map.of(), own)).at("/changes")).isEqualTo("false");
  }

  @Test
  void of_two_deployments_at_the_same_time_one_is_live_and_the_other_learns_of_it()
      throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 10; i++) {
        var folders = List.of(folder(Map.of(), text(i, "a")), folder(Map.of(), text(i, "b")));
        List<Reply> replies = together(threads, folders.getFirst(), folders.getLast());

        assertThat(replies).extracting(Reply::status).containsExactlyInAnyOrder(201, 409);
        int winner = replies.getFirst().status() == 201 ? 0 : 1;
        assertThat(site.plan(ANN, folders.get(winner)).at("/changes")).isEqualTo("false");
        assertThat(site.plan(ANN, folders.get(1 - winner)).at("/changes")).isEqualTo("true");
      }
    }
  }

  @Test
  void two_requests_for_one_plan_at_the_same_time_get_the_same_deployment() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 10; i++) {
        Map<String, Object> folder = folder(Map.of(), text(i, "a"));
        List<Reply> replies = together(threads, folder, folder);

        assertThat(replies).extracting(Reply::status).containsExactlyInAnyOrder(200, 201);
        assertThat(replies.getFirst().body()).isEqualTo(replies.getLast().body());
        assertThat(replies.getFirst().at("/number")).isEqualTo(Integer.toString(i + 1));
      }
    }
  }

  private static String text(int round, String who) {
    return "flow: one\nsteps:\n  - {id: a, set: {n: %d, by: %s}}\n".formatted(round, who);
  }

  private List<Reply> together(
      ExecutorService threads, Map<String, Object> one, Map<String, Object> other)
      throws Exception {
    String first = site.plan(ANN, one).at("/plan");
    String second = site.plan(ANN, other).at("/plan");
    var begin = new CyclicBarrier(2);
    Future<Reply> ofOne =
        threads.submit(
            () -> {
              begin.await();
              return site.apply(ANN, one, first);
            });
    Future<Reply> ofOther =
        threads.submit(
            () -> {
              begin.await();
              return site.apply(ANN, other, second);
            });
    return List.of(ofOne.get(), ofOther.get());
  }

  private void startPatient() {
    site.hapax
        .tenant(TENANT)
        .start(
            Objects.requireNonNull(site.live.find(TENANT, "patient")).flow(), Map.of("id", "A-1"));
  }

  @Test
  void pruning_retires_what_the_folder_had_before_and_nothing_else() {
    String patient = WAITING.formatted("coexist");
    site.deploy(ANN, folder(Map.of(), ONE, patient));
    startPatient();
    promoteByHand("by-hand", OTHER.replace("one", "by-hand"));
    site.deploy(ANN, folder(Map.of(), OTHER.replace("one", "of-other-folder")));
    Map<String, Object> smaller = folder(Map.of(), ONE);

    Reply shown = site.plan(ANN, smaller);
    Reply plan = site.plan(ANN, DeploySite.pruning(smaller));
    Reply made = site.deploy(ANN, DeploySite.pruning(smaller));
    Reply again = site.deploy(ANN, DeploySite.pruning(smaller));

    assertThat(shown.at("/changes")).as("without --prune").isEqualTo("false");
    assertThat(shown.at("/flows/2/meaning")).contains("stays live", "--prune");
    assertThat(plan.at("/changes")).isEqualTo("true");
    assertThat(plan.at("/flows/0/meaning")).contains("no earlier deployment of this folder");
    assertThat(plan.at("/flows/2/flow")).isEqualTo("patient");
    assertThat(plan.at("/flows/2/change")).isEqualTo("retired");
    assertThat(plan.at("/flows/2/runs/0/open")).isEqualTo("1");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
    assertThat(made.at("/retired/0")).isEqualTo("patient");
    assertThat(again.at("/state")).isEqualTo("unchanged");
    assertThat(List.of(live("one"), live("by-hand"), live("of-other-folder"), live("patient")))
        .containsExactly(1, 1, 1, 0);
    assertThat(site.live.find(TENANT, "patient")).isNull();
    assertThat(site.call(ANN, "GET", "/api/audit", null).body().toString())
        .contains("retired: patient 1");
    Reply back = site.deploy(ANN, folder(Map.of(), ONE, patient));
    assertThat(back.status()).isEqualTo(201);
    assertThat(live("patient")).as("the same release again").isEqualTo(1);
  }

  @Test
  void pruning_another_environment_or_a_flow_that_others_start_is_refused_or_leaves_it() {
    String child = ONE.replace("flow: one", "flow: child");
    String parent = "flow: parent\nsteps:\n  - {id: a, flow: {name: child, input: {}}}\n";
    site.deploy(ANN, with(folder(Map.of(), ONE, child), "environment", "prod"));

    Map<String, Object> smaller = DeploySite.pruning(folder(Map.of(), ONE));
    Reply elsewhere = site.plan(ANN, with(smaller, "environment", "staging"));
    promoteByHand("parent", parent);
    Reply needed = site.plan(ANN, with(smaller, "environment", "prod"));
    Reply insisted =
        site.deploy(ANN, with(with(smaller, "environment", "prod"), "allowMissing", true));

    assertThat(elsewhere.at("/changes")).isEqualTo("false");
    assertThat(needed.status()).isEqualTo(422);
    assertThat(needed.at("/findings/0/message")).contains("'parent' starts flow 'child'");
    assertThat(insisted.status()).isEqualTo(201);
    assertThat(live("child")).isZero();
  }

  @Test
  void a_plan_that_retires_is_stale_when_the_flow_has_changed_and_waits_for_another_person() {
    site.deploy(ANN, folder(Map.of(), ONE, ONE.replace("one", "old")));
    Map<String, Object> smaller =
        with(DeploySite.pruning(folder(Map.of(), ONE)), "approval", "other-person");
    String plan = site.plan(ANN, smaller).at("/plan");
    promoteByHand("old", OTHER.replace("one", "old"));

    Reply stale = site.apply(ANN, smaller, plan);
    Reply pending = site.deploy(ANN, smaller);
    int before = live("old");
    Reply limited =
        site.call(
            actor("cy", new FlowLimit(List.of("one"), List.of()), TokenScope.ADMIN),
            "POST",
            "/api/deployments/2/approve",
            null);
    Reply approved = site.call(BEN, "POST", "/api/deployments/2/approve", null);

    assertThat(stale.at("/type")).endsWith("/stale");
    assertThat(pending.at("/state")).isEqualTo("pending");
    assertThat(before).isEqualTo(2);
    assertThat(limited.status()).isEqualTo(403);
    assertThat(approved.at("/state")).isEqualTo("applied");
    assertThat(live("old")).isZero();
  }

  @Test
  void a_flow_that_was_retired_by_hand_is_drift_and_comes_back() {
    site.deploy(ANN, folder(Map.of(), ONE));
    site.call(BEN, "DELETE", "/api/flows/one/live", null);

    Reply plan = site.plan(ANN, folder(Map.of(), ONE));
    site.deploy(ANN, folder(Map.of(), ONE));

    assertThat(plan.at("/drift/0/message")).contains("was retired", "'ben'", "release 1");
    assertThat(live("one")).isEqualTo(1);
  }

  private static Map<String, Object> alerts(Object channel) {
    return Map.of("failed", List.of(channel), "after", "4h");
  }

  @Test
  void alerts_of_a_folder_are_live_with_its_flows_and_stay_until_a_folder_says_otherwise() {
    Map<String, Object> folder =
        with(folder(Map.of(), ONE), "alerts", alerts(Map.of("flow", "one")));

    Reply plan = site.plan(ANN, folder);
    Reply made = site.deploy(ANN, folder);
    Reply again = site.deploy(ANN, folder);
    Reply silent = site.deploy(ANN, folder(Map.of(), OTHER));

    assertThat(plan.at("/alerts")).isEqualTo("[\"after\",\"failed\"]");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
    assertThat(again.at("/state")).isEqualTo("unchanged");
    assertThat(silent.status()).isEqualTo(201);
    assertThat(Objects.requireNonNull(site.alerts.asked(TENANT)).which())
        .containsExactly(Alert.FAILED);
    assertThat(site.alerts.asked("umbrella")).isNull();
    assertThat(site.opened).contains(TENANT);
    site.deploy(ANN, with(folder(Map.of(), OTHER), "alerts", Map.of()));
    assertThat(site.alerts.asked(TENANT)).as("an empty file").isNull();
  }

  @Test
  void alerts_that_cannot_be_sent_or_are_beyond_the_token_are_refused() {
    Map<String, Object> folder = folder(shop("https://shop.example"), ONE);
    Actor ofOne = actor("one", new FlowLimit(List.of("one"), List.of()), TokenScope.ADMIN);
    Actor writer = actor("ci", FlowLimit.ALL, TokenScope.FLOWS_READ, TokenScope.FLOWS_WRITE);
    Map<String, Object> toOne = Map.of("flow", "one");

    Reply noFlow = site.plan(ANN, with(folder, "alerts", alerts(Map.of("flow", "none"))));
    Reply wrongKind =
        site.plan(
            ANN, with(folder, "alerts", alerts(Map.of("webhook", Map.of("connection", "shop")))));
    Reply ofServer = site.plan(ANN, with(folder, "alerts", Map.of("disk low", List.of(toOne))));
    Reply noMap = site.plan(ANN, with(folder, "alerts", List.of()));
    Reply limited = site.deploy(ofOne, with(folder(Map.of(), ONE), "alerts", alerts(toOne)));
    Reply unread = site.plan(writer, with(folder(Map.of(), ONE), "alerts", alerts(toOne)));

    assertThat(noFlow.at("/findings/0/rule")).isEqualTo("unknown-flow");
    assertThat(wrongKind.at("/findings/0/rule")).isEqualTo("wrong-connection");
    assertThat(ofServer.status()).isEqualTo(400);
    assertThat(ofServer.at("/detail")).contains("'disk low'");
    assertThat(noMap.status()).isEqualTo(400);
    assertThat(limited.status()).isEqualTo(403);
    assertThat(unread.status()).isEqualTo(403);
    assertThat(site.alerts.asked(TENANT)).isNull();
  }
}
