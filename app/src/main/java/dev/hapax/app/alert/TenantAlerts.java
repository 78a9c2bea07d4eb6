package dev.hapax.app.alert;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.AlertReader;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The alerts that tenants ask for, for all their flows. A deployment writes them; each node keeps
 * them in memory, because the engine asks for them often. Safe for many threads and nodes.
 */
public final class TenantAlerts {
  private static final Logger log = LoggerFactory.getLogger(TenantAlerts.class);
  private static final JsonNode NONE = Json.tree("{}");

  private final Records<Saved> records;
  private final Clock clock;
  private final Consumer<String> open;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /**
   * The alerts of a tenant as they were written.
   *
   * @param form as the file {@code alerts.yaml} has it
   */
  public record Saved(String tenant, JsonNode form, Instant changedAt, String changedBy) {}

  private record Known(long version, JsonNode form, AlertPlan plan) {}

  /**
   * The alerts of all tenants.
   *
   * @param map the server's own, out of reach of flows
   * @param open makes the couriers of a tenant's channels ready
   */
  public TenantAlerts(Kv map, Clock clock, Consumer<String> open) {
    this.records = new Records<>(map, "alerts", Saved.class);
    this.clock = clock;
    this.open = open;
  }

  /**
   * Alerts that are to be written, beside the present ones.
   *
   * @param version of the present ones; 0 if there are none
   * @param before the present form; empty if there is none
   */
  public record Wanted(JsonNode form, AlertPlan plan, String hash, long version, JsonNode before) {
    public boolean isChange() {
      return !hash.equals(hashOf(before));
    }

    /** Returns the alerts whose channels differ, and other members that do. */
    public List<String> differences() {
      var names = new TreeSet<>(form.propertyNames());
      names.addAll(before.propertyNames());
      names.removeIf(
          name ->
              form.has(name)
                  && before.has(name)
                  && CanonicalJson.of(form.get(name)).equals(CanonicalJson.of(before.get(name))));
      return List.copyOf(names);
    }
  }

  private static String hashOf(JsonNode form) {
    return HexFormat.of().formatHex(Digest.sha256(CanonicalJson.of(form)));
  }

  /** Returns alerts beside the present ones of the tenant; refuses a form that is unusable. */
  public Wanted read(String tenant, JsonNode form) {
    if (!form.isObject()) {
      throw Problem.invalidInput("alerts: expected an object");
    }
    AlertPlan plan;
    try {
      plan = AlertReader.readOfTenant(form.toString());
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("alerts: " + e.getMessage());
    }
    Stored<Saved> found = records.get(Records.name(tenant));
    return new Wanted(
        form,
        plan,
        hashOf(form),
        found == null ? 0 : found.version(),
        found == null ? NONE : found.value().form());
  }

  /** Returns the write of alerts, if the present ones are still as they were read. */
  public Kv.Replacement replacement(String tenant, Wanted wanted, String actor) {
    return records.replacement(
        Records.name(tenant),
        wanted.version(),
        new Saved(tenant, wanted.form(), clock.now(), actor));
  }

  /** Makes this node use what is stored: at its start, after a write here, and for other nodes. */
  public void follow() {
    Set<String> there = new HashSet<>();
    for (Stored<Saved> saved : records.all("")) {
      String tenant = saved.value().tenant();
      there.add(tenant);
      Known before = known.get(tenant);
      if (before == null || before.version() != saved.version()) {
        var now = new Known(saved.version(), saved.value().form(), plan(saved.value()));
        if (!now.plan().isEmpty()) {
          open.accept(tenant);
        }
        known.merge(tenant, now, (one, other) -> one.version() > other.version() ? one : other);
      }
    }
    known.keySet().retainAll(there); // a tenant may have been deleted
  }

  private static AlertPlan plan(Saved saved) {
    try {
      return AlertReader.readOfTenant(saved.form().toString());
    } catch (IllegalArgumentException e) {
      log.error(
          "the alerts of tenant '{}' cannot be read by this version, and are not sent: {}",
          saved.tenant(),
          e.getMessage());
      return AlertPlan.NONE;
    }
  }

  /** Returns who hears of alerts of a tenant; reads nothing. */
  public AlertPlan plan(String tenant) {
    Known is = known.get(tenant);
    return is == null ? AlertPlan.NONE : is.plan();
  }

  /** Returns what was deployed; null if nothing was. */
  @Nullable JsonNode form(String tenant) {
    Known is = known.get(tenant);
    return is == null ? null : is.form();
  }

  /** Returns which events a tenant wants to hear of; null for none. Reads nothing. */
  public @Nullable FlowAlerts asked(String tenant) {
    AlertPlan plan = plan(tenant);
    return plan.isEmpty()
        ? null
        : new FlowAlerts(AlertDesk.DESTINATION, plan.channels().keySet(), plan.tooLong());
  }
}
