package dev.hapax.testkit.memory;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.flow.Subject;
import dev.hapax.store.LineTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of lines as one group sees them. It wakes the runs that it lets in or asks to cancel.
 */
final class MemoryGroupLines implements LineTable<RuntimeException> {
  private static final Comparator<Hold> ARRIVAL =
      Comparator.comparingLong(Hold::place).thenComparingLong(Hold::run);

  private final MemoryTables tables;
  private final LongConsumer wake;

  MemoryGroupLines(MemoryTables tables, LongConsumer wake) {
    this.tables = tables;
    this.wake = wake;
  }

  @Override
  public Front front(Subject subject) {
    Collection<Hold> holders = tables.holds().holders(subject);
    boolean someWait = !tables.holds().line(subject).isEmpty();
    if (holders.isEmpty()) {
      return new Front(0, 0, 0, someWait);
    }
    Line line = holders.iterator().next().line();
    return new Front(holders.size(), line.limit(), line.release(), someWait);
  }

  @Override
  public int freeSlot(Subject subject) {
    int free = 1;
    for (Hold holder : tables.holds().holders(subject)) {
      if (!Integer.valueOf(free).equals(holder.slot())) {
        return free;
      }
      free++;
    }
    return free;
  }

  @Override
  public List<Hold> holders(Subject subject) {
    return tables.holds().holders(subject).stream().sorted(ARRIVAL).toList();
  }

  @Override
  public @Nullable Hold firstWaiting(Subject subject) {
    return tables.holds().line(subject).stream().findFirst().orElse(null);
  }

  @Override
  public @Nullable Hold lastWaiting(Subject subject) {
    return tables.holds().line(subject).stream().reduce((_, last) -> last).orElse(null);
  }

  @Override
  public List<Hold> alive(Subject subject) {
    return Stream.concat(
            tables.holds().holders(subject).stream(), tables.holds().line(subject).stream())
        .filter(hold -> existing(hold.run()).cancel() == null)
        .sorted(ARRIVAL)
        .toList();
  }

  @Override
  public List<Hold> of(long run) {
    return tables.holds().all().filter(hold -> hold.run() == run).sorted(ARRIVAL).toList();
  }

  @Override
  public List<Long> waiters(long run) {
    return tables.waiters(run);
  }

  @Override
  public void add(Hold hold) {
    tables.holds().put(hold);
  }

  @Override
  public void remove(Hold hold) {
    tables.holds().remove(hold);
  }

  @Override
  public void limit(Subject subject, int limit, int release) {
    for (Hold held : List.copyOf(tables.holds().holders(subject))) {
      tables
          .holds()
          .put(
              new Hold(
                  held.line().under(limit, release),
                  held.run(),
                  held.place(),
                  held.slot(),
                  held.fence(),
                  held.step(),
                  held.since()));
    }
  }

  @Override
  public long nextFence() {
    return tables.holds().nextFence();
  }

  @Override
  public String id(long run) {
    return existing(run).id().toString();
  }

  @Override
  public void letIn(Hold hold) {
    if (!hold.line().isLock()) {
      tables.holds().putQueued(hold.run(), false);
    }
    wake.accept(hold.run());
  }

  @Override
  public void askToCancel(long run, Run.Cancel wish) {
    tables.put(RunEdit.of(existing(run)).cancel(wish).toRun());
    wake.accept(run);
  }

  private Run existing(long number) {
    Run run = tables.run(number);
    if (run == null) {
      throw new IllegalStateException("run " + number + " stands in a line and is not there");
    }
    return run;
  }
}
