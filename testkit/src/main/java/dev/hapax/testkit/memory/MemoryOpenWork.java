package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.OpenWork;
import dev.hapax.time.IdSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Counts what is open in a store in memory. */
final class MemoryOpenWork {
  private final MemoryTables tables;

  MemoryOpenWork(MemoryTables tables) {
    this.tables = tables;
  }

  OpenWork read(int newest) {
    var runs = new ArrayList<OpenWork.Runs>();
    var byFlow = new ArrayList<OpenWork.Runs>();
    for (RunStatus status : RunStatus.values()) {
      List<Run> all = status.isEnd() ? List.of() : of(status);
      if (!all.isEmpty()) {
        runs.add(new OpenWork.Runs(null, status, all.size()));
        int most = status == RunStatus.RUNNING ? all.size() : newest;
        var counts = new TreeMap<String, Long>();
        all.stream().limit(most).forEach(run -> counts.merge(run.flow(), 1L, Long::sum));
        counts.forEach((flow, count) -> byFlow.add(new OpenWork.Runs(flow, status, count)));
      }
    }
    List<Wait> approvals =
        tables.waits().stream()
            .filter(wait -> wait.kind() == Wait.Kind.APPROVAL && wait.isOpen())
            .toList();
    return new OpenWork(
        runs,
        byFlow,
        effects(EffectState.DOUBT),
        effects(EffectState.REVIEW),
        approvals.size(),
        approvals.stream().map(Wait::number).min(Long::compare).map(IdSource::timeOf).orElse(null),
        tables.holds().inLine());
  }

  /** Newest first. */
  private List<Run> of(RunStatus status) {
    return tables.runs().descendingMap().values().stream()
        .filter(run -> run.status() == status)
        .filter(run -> status != RunStatus.RUNNING || run.owner() != null)
        .toList();
  }

  private long effects(EffectState state) {
    return tables.ledger().all().values().stream()
        .filter(effect -> effect.state() == state)
        .count();
  }
}
