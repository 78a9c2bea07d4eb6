package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.TenantLimits;
import dev.hapax.flow.TenantLoad;
import dev.hapax.flows.FlowFiles;
import dev.hapax.json.Json;
import dev.hapax.store.KvFilter;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The terms of all tenants, in memory, because the engine asks for them before every step. They are
 * read before the engine takes up any run: a suspended tenant stays suspended over a restart. A
 * change is durable before it takes effect. Other nodes read the terms every second. Safe for many
 * threads and nodes.
 */
public final class TermsBook implements TenantLimits {
  private static final String KIND = "tenant-terms";
  private static final int PAGE = 200;
  private static final int RETRY_DELIVERY = 60;

  private final Store store;
  private final Clock clock;
  private final StartQuotas starts;
  private final RequestRates rates;
  private volatile Function<String, NodeUse> node = _ -> new NodeUse(0, new TenantLoad(0, 0));
  private volatile Map<String, TenantTerms> all = Map.of();

  /** What a tenant uses of this node. */
  public record NodeUse(int streams, TenantLoad load) {}

  /** Reads the terms from the store. */
  public TermsBook(Store store, Ports ports) {
    this.store = store;
    this.clock = ports.clock();
    this.starts = new StartQuotas(store, ports);
    this.rates = new RequestRates(clock);
    follow();
  }

  /**
   * Sets where runs are counted, and what reports the use of this node by tenants. Until then no
   * run is started.
   */
  public void countedBy(Kv map, Function<String, NodeUse> use) {
    starts.countIn(map);
    node = use;
  }

  /** Reads the terms again: another node may have changed them. */
  public synchronized void follow() {
    var read = new HashMap<String, TenantTerms>();
    String after = null;
    List<KvEntry> page;
    do {
      page = store.kv(new KvFilter(ServerMap.TENANT, KIND + "/", after, clock.now(), PAGE));
      for (KvEntry entry : page) {
        TenantTerms terms = Json.read(entry.value(), TenantTerms.class);
        read.put(terms.tenant(), terms);
        after = entry.key();
      }
    } while (page.size() == PAGE);
    all = Map.copyOf(read);
  }

  /** Returns the terms of a tenant, or of the tenant whose drafts run in this space. */
  public TenantTerms of(String space) {
    String owner = FlowFiles.ownerOfDrafts(space);
    String tenant = owner == null ? space : owner;
    TenantTerms known = all.get(tenant);
    return known == null ? TenantTerms.usual(tenant) : known;
  }

  /** Changes the terms; they are durable, and apply on this node, when this returns. */
  TenantTerms change(Kv map, String tenant, UnaryOperator<TenantTerms> how) {
    var records = new Records<>(map, KIND, TenantTerms.class);
    Stored<TenantTerms> there = records.get(tenant);
    while (true) {
      TenantTerms before = there == null ? TenantTerms.usual(tenant) : there.value();
      TenantTerms after = how.apply(before);
      Outcome<TenantTerms> outcome =
          records.compareAndSet(tenant, there == null ? 0 : there.version(), after);
      if (outcome.written()) {
        follow();
        return Objects.requireNonNull(outcome.standing()).value();
      }
      there = outcome.standing();
    }
  }

  /** Returns the terms of tenants that are being deleted. */
  List<TenantTerms> deleting() {
    return all.values().stream()
        .filter(
            terms -> {
              TenantTerms.Deletion deletion = terms.deletion();
              return deletion != null && deletion.doneAt() == null;
            })
        .toList();
  }

  @Override
  public boolean isHeld(String tenant) {
    return !all.isEmpty() && of(tenant).suspended() != null;
  }

  @Override
  public int mostInMemory(String tenant) {
    return limit(tenant, TenantQuotas::runsInMemory);
  }

  @Override
  public int mostCalls(String tenant) {
    return limit(tenant, TenantQuotas::callsAtOnce);
  }

  /** Returns how many streams the callers of this tenant may read at once. */
  public int mostStreams(String tenant) {
    return limit(tenant, TenantQuotas::streams);
  }

  /** Returns what calls of language models may cost this tenant in a day; null for no limit. */
  public @Nullable Long modelCostPerDay(String tenant) {
    TenantQuotas quotas = all.isEmpty() ? null : of(tenant).quotas();
    return quotas == null ? null : quotas.modelCostPerDay();
  }

  private int limit(String tenant, Function<TenantQuotas, @Nullable Integer> which) {
    TenantQuotas quotas = all.isEmpty() ? null : of(tenant).quotas();
    Integer limit = quotas == null ? null : which.apply(quotas);
    return limit == null ? Integer.MAX_VALUE : limit;
  }

  @Override
  public Grant takeStarts(String tenant, int wanted, long bytes) {
    TenantTerms terms = all.isEmpty() ? null : of(tenant);
    if (terms != null && terms.deletion() != null) {
      throw new NotPossible("tenant '%s' is deleted: nothing starts in it".formatted(tenant));
    }
    TenantQuotas quotas = terms == null ? null : terms.quotas();
    return terms == null || quotas == null
        ? new Grant(wanted, null)
        : starts.take(terms.tenant(), quotas, wanted, bytes);
  }

  @Override
  public @Nullable QuotaExceeded refusalToKeep(String tenant, long bytes) {
    TenantTerms terms = all.isEmpty() ? null : of(tenant);
    TenantQuotas quotas = terms == null ? null : terms.quotas();
    return terms == null || quotas == null
        ? null
        : starts.refusalToKeep(terms.tenant(), quotas, bytes);
  }

  @Override
  public void giveBackStarts(String tenant, int runs) {
    if (!all.isEmpty()) {
      starts.giveBack(of(tenant).tenant(), runs);
    }
  }

  /** Returns what a tenant uses of its quotas. */
  QuotaUse useOf(String tenant) {
    TenantQuotas quotas = of(tenant).quotas();
    NodeUse here = node.apply(tenant);
    boolean limitsCalls = quotas != null && quotas.callsAtOnce() != null;
    return new QuotaUse(
        quotas == null || quotas.runsPerDay() == null ? null : starts.runsToday(tenant),
        here.load().runsInMemory(),
        quotas == null || quotas.storeBytes() == null ? null : starts.bytes(tenant),
        here.streams(),
        limitsCalls ? here.load().calls() : null);
  }

  /** Returns the same credentials; refuses those of suspended tenants, and too many requests. */
  public Authenticator limiting(Authenticator credentials) {
    return token -> {
      Actor actor = credentials.actor(token);
      if (actor != null && !all.isEmpty()) {
        refuseSuspended(actor.tenant());
        refuseTooMany(actor.tenant());
      }
      return actor;
    };
  }

  private void refuseSuspended(String tenant) {
    TenantTerms.@Nullable Suspended suspended = of(tenant).suspended();
    if (of(tenant).deletion() != null) {
      throw Problem.forbidden("tenant '%s' is deleted".formatted(tenant));
    }
    if (suspended != null) {
      throw Problem.forbidden(
              "tenant '%s' is suspended since %s: %s. Its runs wait, and nothing is lost. Ask the operator of this server to resume it"
                  .formatted(tenant, suspended.at(), suspended.reason()))
          .with("suspendedAt", suspended.at());
    }
  }

  private void refuseTooMany(String tenant) {
    int most = limit(tenant, TenantQuotas::requestsPerSecond);
    long wait = most == Integer.MAX_VALUE ? 0 : rates.secondsToWait(tenant, most);
    if (wait > 0) {
      throw Problem.quotaExceeded(
          "requestsPerSecond",
          most,
          Duration.ofSeconds(wait),
          "tenant '%s' has used its quota of %,d requests a second: try again in %d s, or ask the operator of this server for a larger quota"
              .formatted(tenant, most, wait));
    }
  }

  /**
   * Refuses a delivery for a suspended tenant, or above its quota of requests, so that its sender
   * sends it again.
   */
  public void refuseDelivery(String tenant) {
    if (of(tenant).deletion() != null) {
      throw Problem.notFound("there is no webhook here any more");
    }
    if (of(tenant).suspended() != null) {
      throw Problem.unavailable("deliveries are not accepted at the moment: send it again later")
          .header("Retry-After", Integer.toString(RETRY_DELIVERY));
    }
    refuseTooMany(tenant);
  }
}
