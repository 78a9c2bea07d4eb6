package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.Subject;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.Generation;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Due;
import dev.hapax.store.ErasureReads;
import dev.hapax.store.JobReads;
import dev.hapax.store.KvFilter;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.store.TenantReads;
import dev.hapax.store.WaitReads;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part that all stores over JDBC share. Each question goes to one of the readers, one writer
 * writes, and a broken store stays broken.
 */
public abstract class JdbcStore implements Store {
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final WaitReader.Connections connections =
      new WaitReader.Connections() {
        @Override
        public <T extends @Nullable Object> T lend(WaitReader.Query<T> query) {
          return read(reader -> query.on(reader.session()));
        }
      };
  private final WaitReads waits = new WaitReader(connections);
  private final JobReads jobs = new JobReader(connections);
  private final ErasureReads erasures = new ErasureReader(connections);

  private final Object writing = new Object();
  private volatile @Nullable StoreBroken broken;
  private boolean closed; // guarded by writing

  /** Asks one of the readers. */
  protected abstract <T extends @Nullable Object> T read(StoreReaders.Query<T> query);

  /** Called once, when nothing is being written. */
  protected abstract void release(boolean isBroken);

  /** Runs changes one after the other; refuses them once the store is closed or broken. */
  protected final <T> T write(Supplier<T> change) {
    synchronized (writing) {
      refuseBroken();
      if (closed) {
        throw new StoreClosed();
      }
      return watched(change);
    }
  }

  /** Once broken, always broken: a later answer could contradict what is durable. */
  protected final <T extends @Nullable Object> T watched(Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreBroken e) {
      broken = e;
      throw e;
    }
  }

  protected final void refuseBroken() {
    StoreBroken first = broken;
    if (first != null) {
      throw new StoreBroken(String.valueOf(first.getMessage()), first);
    }
  }

  @Override
  public final void close() {
    synchronized (writing) {
      if (!closed) {
        closed = true;
        release(broken != null);
      }
    }
  }

  @Override
  public RetentionReads retention() {
    return new RetentionQueries(this::read);
  }

  @Override
  public @Nullable Generation newest(long first) {
    return this.<@Nullable Generation>read(reader -> reader.newest(first));
  }

  @Override
  public @Nullable Run run(long number) {
    return this.<@Nullable Run>read(reader -> reader.run(number));
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    return this.<@Nullable StoredRun>read(reader -> reader.load(number, from));
  }

  @Override
  public List<JournalRow> journal(long run, long after, int limit) {
    return read(reader -> reader.journal(run, after, limit));
  }

  @Override
  public List<JournalRow> journals(List<Long> runs) {
    return read(reader -> reader.journals(runs));
  }

  @Override
  public List<EffectRecord> effects(List<Long> numbers) {
    return read(reader -> reader.effects(numbers));
  }

  @Override
  public List<JournalRow> itemRows(long run, List<String> items) {
    return read(reader -> reader.itemRows(run, items));
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return this.<@Nullable EffectRecord>read(reader -> reader.effect(number));
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return read(reader -> reader.runs(filter));
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return read(reader -> reader.effects(filter));
  }

  @Override
  public boolean isSearchBehind(long before) {
    return read(reader -> reader.isSearchBehind(before));
  }

  @Override
  public @Nullable String stoppedNotes(long run) {
    return this.<@Nullable String>read(reader -> reader.stoppedNotes(run));
  }

  @Override
  public WaitReads waits() {
    return waits;
  }

  @Override
  public JobReads jobs() {
    return jobs;
  }

  @Override
  public ErasureReads erasures() {
    return erasures;
  }

  @Override
  public byte @Nullable [] secretKey() {
    return this.<byte @Nullable []>read(StoreReader::secretKey);
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return read(reader -> reader.holds(tenant, subject));
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return read(reader -> reader.due(after, until, limit));
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    List<Due> first = due(after, LATEST, 1);
    return first.isEmpty() ? null : first.getFirst().at();
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return read(reader -> reader.events(filter));
  }

  @Override
  public List<InboxEvent> events(String tenant, TextMatch event, int limit) {
    return read(reader -> reader.events(tenant, event, limit));
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return read(reader -> reader.schedules(tenant));
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return this.<@Nullable KvEntry>read(reader -> reader.kv(tenant, key));
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return read(reader -> reader.kv(filter));
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return this.<@Nullable ResourceRecord>read(reader -> reader.resource(tenant, ref));
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return this.<byte @Nullable []>read(reader -> reader.content(resource));
  }

  @Override
  public TenantReads tenants() {
    return new TenantQueries(this::read);
  }
}
