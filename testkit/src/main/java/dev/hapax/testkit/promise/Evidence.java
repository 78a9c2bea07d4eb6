package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.run.KeyHolder;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records of the witnesses: the world, the clients, and the store as it was left. Journals are
 * read once, because every promise asks for them. Not safe for several threads.
 */
public final class Evidence {
  private final Store store;
  private final String tenant;
  private final List<Sending> sendings;
  private final List<StepCall> stepCalls;
  private final List<ClientCall> calls;
  private final List<Observation> observations;
  private final Map<Long, List<JournalLine>> journals = new HashMap<>();
  private LongUnaryOperator landing = op -> op;
  private @Nullable List<Run> runs;

  /**
   * Holds all the evidence.
   *
   * @param store read only
   * @param sendings in the order in which they left
   */
  public Evidence(
      Store store,
      String tenant,
      List<Sending> sendings,
      List<StepCall> stepCalls,
      List<ClientCall> calls,
      List<Observation> observations) {
    this.store = store;
    this.tenant = tenant;
    this.sendings = sendings;
    this.stepCalls = stepCalls;
    this.calls = calls;
    this.observations = observations;
  }

  /**
   * Sets the order in which operations landed. Without it, they landed in the order of their
   * numbers, which does not hold when several nodes made them.
   */
  public Evidence landedInOrder(LongUnaryOperator order) {
    landing = order;
    return this;
  }

  long landed(JournalLine line) {
    return landing.applyAsLong(line.row().op());
  }

  long landed(long op) {
    return landing.applyAsLong(op);
  }

  public Store store() {
    return store;
  }

  public String tenant() {
    return tenant;
  }

  public List<Sending> sendings() {
    return sendings;
  }

  public List<StepCall> stepCalls() {
    return stepCalls;
  }

  public List<ClientCall> calls() {
    return calls;
  }

  public List<Observation> observations() {
    return observations;
  }

  /** Returns the observations of this kind, in order. */
  <T extends Observation> List<T> observed(Class<T> kind) {
    return observations.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Oldest first. */
  public List<Run> runs() {
    List<Run> known = runs;
    if (known == null) {
      known = readRuns();
      runs = known;
    }
    return known;
  }

  private List<Run> readRuns() {
    List<Run> all = new ArrayList<>();
    RunFilter filter = RunFilter.of(tenant);
    for (List<Run> page = store.runs(filter); !page.isEmpty(); ) {
      all.addAll(page);
      var next = new RunFilter(tenant, null, null, null, page.getLast().number(), filter.limit());
      page = store.runs(next);
    }
    return List.copyOf(all.reversed());
  }

  /** Oldest first. */
  public List<EffectRecord> effects() {
    List<EffectRecord> all = new ArrayList<>();
    EffectFilter filter = EffectFilter.of(tenant);
    for (List<EffectRecord> page = store.effects(filter); !page.isEmpty(); ) {
      all.addAll(page);
      var next =
          new EffectFilter(tenant, null, null, null, page.getLast().number(), filter.limit());
      page = store.effects(next);
    }
    return all.reversed();
  }

  public List<JournalLine> journal(Run run) {
    return journals.computeIfAbsent(
        run.number(), number -> JournalLine.read(store.journal(number)));
  }

  /** Whether only a tombstone is left of the run. */
  boolean hasExpired(String run) {
    return store.holder(RunId.parse(run)) instanceof KeyHolder.Expired;
  }

  Map<String, Run> runsById() {
    Map<String, Run> byId = new HashMap<>();
    runs().forEach(run -> byId.put(run.id().toString(), run));
    return byId;
  }
}
