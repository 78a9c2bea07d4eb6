package dev.hapax.app.deploy;

import static dev.hapax.app.deploy.DeploySite.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.ScheduleView;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.deploy.DeploySite.Reply;
import dev.hapax.app.http.Actor;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.StoreBroken;
import dev.hapax.json.Json;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that deploys dies at each of its writes, and the deployment is repeated. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("crash")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledDeploymentTest {
  private static final Actor ANN = DeploySite.actor("ann");
  private static final Actor BEN = DeploySite.actor("ben");

  private static final String SCHEDULED =
      """
      flow: one
      triggers:
        - schedule: {name: %s, cron: "0 3 * * *", timezone: UTC}
      steps:
        - {id: a, set: {n: %d}}
      """;

  private static final String CALLING =
      """
      flow: two
      key: ${input.id}
      steps:
        - id: order
          http: {connection: shop, method: PUT, path: "/%s/${input.id}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      """;

  private static final String THIRD = "flow: three\nsteps:\n  - {id: a, set: {n: 1}}\n";

  private static final String OBSOLETE =
      SCHEDULED.formatted("obsolete", 4).replace("flow: one", "flow: four");

  private static final Map<String, Object> BEFORE =
      DeploySite.folder(
          shop("https://one.example"),
          SCHEDULED.formatted("early", 1),
          CALLING.formatted("a"),
          OBSOLETE);

  /** The fourth flow is retired. */
  private static final Map<String, Object> AFTER =
      DeploySite.with(
          DeploySite.pruning(
              DeploySite.folder(
                  shop("https://two.example"),
                  SCHEDULED.formatted("late", 2),
                  CALLING.formatted("b"),
                  THIRD)),
          "alerts",
          Map.of("failed", List.of(Map.of("flow", "three"))));

  /** The live releases of the flows, the address of the connection, and the alerts. */
  private static final String OLD = "one 1, two 1, three 0, four 1, https://one.example, 0";

  private static final String NEW = "one 2, two 2, three 1, four 0, https://two.example, three";

  private final Set<String> moments = new TreeSet<>();

  @TempDir Path folder;

  private static Map<String, Object> shop(String base) {
    return Map.of("shop", Map.of("http", Map.of("base", base)));
  }

  /** The store of a process that dies before or after one of its commits. */
  private static final class DyingStore extends ForwardingStore {
    private final Store store;
    private final boolean afterwards;
    private final List<String> seen = new ArrayList<>();
    private int left = -1;
    private volatile boolean dead;

    DyingStore(Store store, boolean afterwards) {
      this.store = store;
      this.afterwards = afterwards;
    }

    synchronized void dieAt(int commit) {
      left = commit;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      refuseIfDead();
      return call.get();
    }

    @Override
    public synchronized List<GroupAnswer> commit(Batch batch) {
      refuseIfDead();
      boolean isLast = left >= 0 && --left == 0;
      if (isLast && !afterwards) {
        dead = true;
      }
      refuseIfDead();
      List<GroupAnswer> answers = store.commit(batch);
      seen.add(liveIn(store)); // what a reader sees at this moment
      dead = dead || isLast;
      refuseIfDead();
      return answers;
    }

    private void refuseIfDead() {
      if (dead) {
        throw new StoreBroken("this process is dead", null);
      }
    }

    @Override
    public void close() {
      refuseIfDead();
    }
  }

  private static String liveIn(Store store) {
    return "one %s, two %s, three %s, four %s, %s, %s"
        .formatted(
            member(store, "flows/acme/one", "/live"),
            member(store, "flows/acme/two", "/live"),
            member(store, "flows/acme/three", "/live"),
            member(store, "flows/acme/four", "/live"),
            member(store, "connections/acme/shop", "/form/http/base"),
            member(store, "alerts/acme", "/form/failed/0/flow"));
  }

  private static String member(Store store, String key, String pointer) {
    KvEntry entry = store.kv(ServerMap.TENANT, key);
    return entry == null ? "0" : Json.tree(entry.value()).at(pointer).asString();
  }

  @Test
  void a_deployment_that_is_killed_at_any_write_and_repeated_ends_as_its_folder_says()
      throws IOException {
    int writes = 1;
    boolean isKilled = true;
    while (isKilled) {
      boolean isKilledBefore = isKilledAt(writes, false);
      isKilled = isKilledAt(writes, true) || isKilledBefore;
      writes++;
    }
    assertThat(writes).as("the writes of a deployment").isGreaterThan(10);
    assertThat(moments).as("what readers saw").containsExactlyInAnyOrder(OLD, NEW);
  }

  private boolean isKilledAt(int write, boolean afterwards) throws IOException {
    var store = new MemoryStore();
    var process = new DyingStore(store, afterwards);
    Path data = Files.createDirectory(folder.resolve("%d-%s".formatted(write, afterwards)));
    try (var site = new DeploySite(process, data)) {
      assertThat(site.deploy(ANN, BEFORE).status()).isEqualTo(201);
      process.seen.clear();
      process.dieAt(write);
      try {
        assertThat(site.deploy(ANN, AFTER).status()).isEqualTo(201);
      } catch (StoreBroken e) {
        assertThat(process.dead).isTrue();
      }
    }
    moments.addAll(process.seen);
    assertThat(process.seen).as("after write %d", write).allMatch(List.of(OLD, NEW)::contains);

    try (var site = new DeploySite(store, data)) {
      Reply again = site.deploy(ANN, AFTER);

      assertThat(again.status()).as(again.body().toString()).isIn(200, 201);
      assertThat(liveIn(store)).isEqualTo(NEW);
      assertThat(site.plan(ANN, AFTER).at("/changes")).isEqualTo("false");
      assertThat(site.alerts.asked(TENANT)).isNotNull();
      assertThat(site.hapax.tenant(TENANT).schedules().list())
          .extracting(ScheduleView::name)
          .containsExactly("late");
    }
    return process.dead;
  }

  @Test
  void an_approval_that_is_killed_at_any_write_and_repeated_makes_everything_live()
      throws IOException {
    int writes = 1;
    while (isApprovalKilledAt(writes)) {
      writes++;
    }
    assertThat(writes).as("the writes of an approval").isGreaterThan(3);
  }

  private boolean isApprovalKilledAt(int write) throws IOException {
    var store = new MemoryStore();
    var process = new DyingStore(store, true);
    Path data = Files.createDirectory(folder.resolve("approval-" + write));
    var pending = new LinkedHashMap<>(AFTER);
    pending.put("approval", "other-person");
    try (var site = new DeploySite(process, data)) {
      assertThat(site.deploy(ANN, BEFORE).status()).isEqualTo(201);
      assertThat(site.deploy(ANN, pending).at("/state")).isEqualTo("pending");
      assertThat(liveIn(store)).isEqualTo(OLD);
      process.seen.clear();
      process.dieAt(write);
      try {
        assertThat(approve(site).at("/state")).isEqualTo("applied");
      } catch (StoreBroken e) {
        assertThat(process.dead).isTrue();
      }
    }
    assertThat(process.seen).allMatch(List.of(OLD, NEW)::contains);

    try (var site = new DeploySite(store, data)) {
      assertThat(approve(site).at("/state")).isEqualTo("applied");
      assertThat(liveIn(store)).isEqualTo(NEW);
      assertThat(site.hapax.tenant(TENANT).schedules().list())
          .extracting(ScheduleView::name)
          .containsExactly("late");
    }
    return process.dead;
  }

  private static Reply approve(DeploySite site) {
    return site.call(BEN, "POST", "/api/deployments/2/approve", null);
  }
}
