package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.KvEntry;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes look every second at the flows of all tenants. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class FollowedFlowsTest {
  private static final String FLOW = "flow: %s\nsteps:\n  - {id: a, set: {n: 1}}\n";

  /** Counts the entries that are read one by one. */
  private static final class CountingStore extends ForwardingStore {
    private final Store store = new MemoryStore();
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    protected Store to() {
      return store;
    }

    @Override
    public @Nullable KvEntry kv(String tenant, String key) {
      reads.incrementAndGet();
      return super.kv(tenant, key);
    }
  }

  @Test
  void flows_that_have_not_changed_are_not_read_one_by_one() {
    var store = new CountingStore();
    try (var site = new Site(store, new ManualTime().ports())) {
      for (int i = 0; i < 40; i++) {
        assertThat(site.putDraft("draft" + i, FLOW.formatted("draft" + i)).status()).isEqualTo(200);
      }
      site.putDraft("live", FLOW.formatted("live"));
      assertThat(site.post("/api/flows/live/releases", Map.of()).status()).isEqualTo(201);
      assertThat(site.put("/api/flows/live/live", Map.of("release", 1)).status()).isEqualTo(200);
      store.reads.set(0);

      site.releases.follow();

      assertThat(store.reads).hasValue(0);
    }
  }
}
