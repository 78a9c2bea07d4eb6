package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TokenKeys;
import dev.hapax.json.Digest;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The keys of callback and approval tokens: supplied, replaced and revoked. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class TokenKeyTest {
  private final MemoryStore store = new MemoryStore();
  private final ConcurrentMap<String, String> tokens = new ConcurrentHashMap<>();
  private final Keys keys = new Keys();

  /** Keys that the test replaces and revokes. */
  private static final class Keys implements TokenKeys {
    private final Map<Integer, byte[]> known = new ConcurrentHashMap<>();
    private volatile int current;

    @Override
    public int current() {
      return current;
    }

    @Override
    public byte @Nullable [] find(int version) {
      return known.get(version);
    }

    void rotate() {
      int next = current + 1;
      known.put(next, Digest.sha256("key " + next));
      current = next;
    }
  }

  private final Flow<String, String> paying = paying();
  private final Flow<String, String> asking = asking();

  private Flow<String, String> paying() {
    return Flow.of("paying", String.class, String.class)
        .key(id -> id)
        .body(
            (run, id) -> {
              String token = run.callback("paid");
              run.effect("ask", Effect.create(id).keyed(), _ -> tokens.put(id, token));
              run.sleep("rest", Duration.ofMillis(1));
              tokens.put(id + " again", run.callback("paid"));
              return run.awaitCallback("paid", Duration.ofDays(3), String.class);
            });
  }

  private static Flow<String, String> asking() {
    return Flow.of("asking", String.class, String.class)
        .key(id -> id)
        .body((run, _) -> run.approval("release", Approval.ask("Send it?")).decision().word());
  }

  private Hapax open(HapaxOptions options) {
    Hapax hapax = Hapax.open(store, options.closeWithin(Duration.ofSeconds(5)));
    hapax.register(paying);
    hapax.register(asking);
    return hapax;
  }

  private static String linkOf(Hapax hapax, String run) {
    return hapax.approvals().list(hapax.approvals().open()).stream()
        .filter(item -> item.run().equals(run))
        .map(item -> hapax.approvals().link(item.id()))
        .findFirst()
        .orElseThrow();
  }

  /** Starts it and returns its id when it waits for the answer. */
  private String startWaiting(Hapax hapax, Flow<String, String> flow, String key) {
    String id = hapax.start(flow, key).id();
    while (!isWaiting(hapax.run(id)) || (flow == paying && !tokens.containsKey(key + " again"))) {
      Thread.onSpinWait();
    }
    return id;
  }

  private static boolean isWaiting(Run run) {
    return run.owner() == null && run.status() == RunStatus.WAITING;
  }

  private String token(String id) {
    return Objects.requireNonNull(tokens.get(id));
  }

  @Test
  void a_token_keeps_its_key_when_the_key_is_replaced_and_dies_with_it() {
    keys.rotate();
    try (Hapax hapax = open(HapaxOptions.DEFAULT.tokenKeys(keys))) {
      String payingA = startWaiting(hapax, paying, "A");
      String askingA = startWaiting(hapax, asking, "A");
      String link = linkOf(hapax, askingA);
      keys.rotate();
      startWaiting(hapax, paying, "B");

      assertThat(linkOf(hapax, askingA)).isEqualTo(link);
      assertThat(itemOf(hapax, link).run()).isEqualTo(askingA);
      assertThat(hapax.callbacks().owner(token("A")).run()).isEqualTo(payingA);

      keys.known.remove(1);

      assertThatThrownBy(() -> hapax.approvals().linked(link)).isInstanceOf(NotFound.class);
      assertThatThrownBy(() -> hapax.callbacks().owner(token("A"))).isInstanceOf(NotFound.class);
      assertThatThrownBy(() -> hapax.callbacks().answer(token("A"), "yes"))
          .isInstanceOf(NotFound.class);
      assertThat(hapax.callbacks().owner(token("B")).isOpen()).isTrue();
      String fresh = linkOf(hapax, askingA);
      assertThat(fresh).isNotEqualTo(link);
      assertThat(itemOf(hapax, fresh).run()).isEqualTo(askingA);
    }
  }

  @Test
  void a_run_that_is_replayed_after_a_rotation_has_the_token_that_it_handed_out() {
    keys.rotate();
    try (Hapax hapax = open(HapaxOptions.DEFAULT.tokenKeys(keys))) {
      startWaiting(hapax, paying, "A");
    }
    keys.rotate();
    try (Hapax hapax = open(HapaxOptions.DEFAULT.tokenKeys(keys))) {
      tokens.remove("A again");
      hapax.callbacks().answer(token("A"), "yes");

      assertThat(hapax.handle(hapax.id("paying", "A"), String.class).await()).isEqualTo("yes");
      assertThat(tokens.get("A again")).isEqualTo(token("A"));
    }
  }

  @Test
  void a_supplied_key_leaves_the_tokens_of_the_stores_own_key_until_that_is_erased() {
    String link;
    try (Hapax hapax = open(HapaxOptions.DEFAULT)) {
      startWaiting(hapax, paying, "A");
      link = linkOf(hapax, startWaiting(hapax, asking, "A"));
      assertThat(store.secretKey()).isNotNull();
    }
    try (Hapax hapax = open(HapaxOptions.DEFAULT.tokenKey(Digest.sha256("ours")))) {
      assertThat(itemOf(hapax, link).step()).isEqualTo("release");
      String next = linkOf(hapax, startWaiting(hapax, asking, "B"));

      hapax.eraseTokenKeyOfStore();

      assertThat(store.secretKey()).isNull();
      assertThatThrownBy(() -> hapax.approvals().linked(link)).isInstanceOf(NotFound.class);
      assertThatThrownBy(() -> hapax.callbacks().owner(token("A"))).isInstanceOf(NotFound.class);
      assertThat(itemOf(hapax, next).step()).isEqualTo("release");
    }
  }

  @Test
  void a_short_key_is_refused() {
    assertThatThrownBy(() -> HapaxOptions.DEFAULT.tokenKey(new byte[16]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 32 random bytes or more, got 16");
  }

  @Test
  void a_link_that_a_flow_sent_keeps_its_key_when_the_key_is_replaced_and_dies_with_it() {
    ConcurrentMap<String, String> sent = new ConcurrentHashMap<>();
    Flow<String, String> linking =
        Flow.of("linking", String.class, String.class)
            .key(key -> key)
            .body(
                (run, key) -> {
                  sent.put(key, run.approvalLink("release", "ann"));
                  run.approval("release", Approval.ask("Send it?"));
                  return "sent";
                });
    keys.rotate();
    try (Hapax hapax = open(HapaxOptions.DEFAULT.tokenKeys(keys))) {
      hapax.register(linking);
      String run = startWaiting(hapax, linking, "A");
      String link = Objects.requireNonNull(sent.get("A"));
      keys.rotate();
      assertThat(itemOf(hapax, link).run()).isEqualTo(run);

      keys.known.remove(1);

      assertThatThrownBy(() -> hapax.approvals().linked(link)).isInstanceOf(NotFound.class);
    }
  }

  private static Approvals.Item itemOf(Hapax hapax, String link) {
    return Objects.requireNonNull(hapax.approvals().linked(link).item());
  }
}
