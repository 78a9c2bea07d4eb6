package dev.hapax.testkit.promise;

import dev.hapax.run.EffectRecord;
import dev.hapax.run.Run;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the witnesses say: the world, the clients, and the store as it was left.
 *
 * @param store read only
 * @param sendings in the order in which they left
 */
public record Evidence(
    Store store,
    String tenant,
    List<Sending> sendings,
    List<StepCall> stepCalls,
    List<Call> calls,
    List<Observation> observations) {

  /** What was seen of this kind, in order. */
  <T extends Observation> List<T> observed(Class<T> kind) {
    return observations.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Oldest first. */
  public List<Run> runs() {
    List<Run> all = new ArrayList<>();
    RunFilter filter = RunFilter.of(tenant);
    for (List<Run> page = store.runs(filter); !page.isEmpty(); ) {
      all.addAll(page);
      var next = new RunFilter(tenant, null, null, null, page.getLast().number(), filter.limit());
      page = store.runs(next);
    }
    return all.reversed();
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
    return JournalLine.read(store.journal(run.number()));
  }

  Map<String, Run> runsById() {
    Map<String, Run> byId = new HashMap<>();
    runs().forEach(run -> byId.put(run.id().toString(), run));
    return byId;
  }
}
