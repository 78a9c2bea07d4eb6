package dev.hapax.testkit.memory;

import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.WaitReads;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads of waits, under the store's lock. */
final class MemoryWaits implements WaitReads {
  private final Object lock;
  private final MemoryTables tables;

  MemoryWaits(Object lock, MemoryTables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public @Nullable Wait find(long number) {
    synchronized (lock) {
      return tables.findWait(number);
    }
  }

  @Override
  public @Nullable Wait find(Fingerprint token) {
    synchronized (lock) {
      return tables.waits().stream()
          .filter(wait -> token.equals(wait.token()))
          .findFirst()
          .orElse(null);
    }
  }

  @Override
  public List<Wait> ofRun(long run) {
    synchronized (lock) {
      return tables.waits().stream().filter(wait -> wait.run() == run).toList();
    }
  }

  @Override
  public @Nullable Wait approval(long run, Step step) {
    synchronized (lock) {
      return tables.waits().reversed().stream()
          .filter(wait -> wait.kind() == Wait.Kind.APPROVAL)
          .filter(wait -> wait.run() == run && wait.step().equals(step))
          .findFirst()
          .orElse(null);
    }
  }

  @Override
  public List<Wait> approvals(ApprovalFilter filter) {
    Long before = filter.before();
    String role = filter.role();
    synchronized (lock) {
      return tables.waits().reversed().stream()
          .filter(wait -> wait.kind() == Wait.Kind.APPROVAL)
          .filter(wait -> wait.tenant().equals(filter.tenant()))
          .filter(wait -> filter.state() == null || wait.state() == filter.state())
          .filter(wait -> role == null || wait.roles().isEmpty() || wait.roles().contains(role))
          .filter(wait -> before == null || wait.number() < before)
          .limit(filter.limit())
          .toList();
    }
  }

  @Override
  public List<Wait.LaterAnswer> laterAnswers(long run) {
    synchronized (lock) {
      return tables.laterAnswers().stream()
          .filter(answer -> Objects.requireNonNull(tables.findWait(answer.number())).run() == run)
          .sorted(Comparator.comparing(Wait.LaterAnswer::at))
          .toList();
    }
  }
}
