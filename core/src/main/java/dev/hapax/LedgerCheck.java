package dev.hapax;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Names;
import dev.hapax.flow.NoAnswer;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Compares rows of the ledger with what a lookup finds at the destination. */
public final class LedgerCheck {
  private static final int PAGE = 100;

  private final Lookup lookup;
  private final BiConsumer<? super EffectRecord, Result> differences;
  private long matches;
  private long missing;
  private long differs;
  private long unchecked;

  LedgerCheck(Lookup lookup, BiConsumer<? super EffectRecord, Result> differences) {
    this.lookup = lookup;
    this.differences = differences;
  }

  /** Finds the object of an effect at the destination, by what the row holds. */
  @FunctionalInterface
  public interface Lookup {
    /** Returns empty only if the destination has said that it is not there. */
    Optional<There> find(EffectRecord row) throws Exception;
  }

  /**
   * What the destination has.
   *
   * @param externalId null if it is not known
   */
  public record There(@Nullable String externalId) {}

  /** What is said about a row. */
  public enum Result {
    /** Both sides have it, with the same external id. */
    MATCHES,
    /** The ledger has it as done, and the destination does not have it. */
    MISSING,
    /** The external ids differ, or the ledger does not have it as done. */
    DIFFERS,
    /** The lookup failed, so nothing is known. */
    UNCHECKED
  }

  /** How many rows have each result. */
  public record Report(long matches, long missing, long differs, long unchecked) {}

  Report of(
      Store store, String tenant, String name, @Nullable Instant from, @Nullable Instant until)
      throws InterruptedException {
    EffectFilter filter = EffectFilter.of(tenant).name(name).limit(PAGE);
    long first = from == null ? 0 : IdSource.firstAt(Names.moment("from", from));
    long before = until == null ? Long.MAX_VALUE : IdSource.firstAt(Names.moment("until", until));
    List<EffectRecord> page;
    do {
      page = store.effects(filter.before(before));
      for (EffectRecord row : page) {
        if (row.number() < first) {
          return report();
        }
        check(row);
        before = row.number();
      }
    } while (page.size() == PAGE);
    return report();
  }

  private Report report() {
    return new Report(matches, missing, differs, unchecked);
  }

  private void check(EffectRecord row) throws InterruptedException {
    if (row.state() == EffectState.PENDING || row.state() == EffectState.UNDOING) {
      return; // it is being sent, or undone
    }
    if (row.key().isErased()) {
      return; // it has no key to look up
    }
    Result result = result(row);
    switch (result) {
      case null -> {
        return;
      }
      case MATCHES -> matches++;
      case MISSING -> missing++;
      case DIFFERS -> differs++;
      case UNCHECKED -> unchecked++;
    }
    if (result != Result.MATCHES) {
      differences.accept(row, result);
    }
  }

  /** Returns null if neither side has it. */
  private @Nullable Result result(EffectRecord row) throws InterruptedException {
    boolean isDone = row.state() == EffectState.DONE;
    Optional<There> found;
    try {
      found = lookup.find(row);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      NoAnswer.passOn(e);
      return Result.UNCHECKED;
    }
    if (found.isEmpty()) {
      return isDone ? Result.MISSING : null;
    }
    String there = found.get().externalId();
    boolean isSame = there == null || row.externalId() == null || there.equals(row.externalId());
    return isDone && isSame ? Result.MATCHES : Result.DIFFERS;
  }
}
