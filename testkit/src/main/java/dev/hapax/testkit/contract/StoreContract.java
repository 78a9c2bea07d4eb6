package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Due;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a store for each test, and has the helpers that the topics use. */
public abstract class StoreContract {
  static final String TENANT = "acme";
  static final String FLOW = "charge-order";
  static final long OWNER = 71;
  static final long OTHER_OWNER = 72;
  static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));

  Store store;
  Instant now = Instant.parse("2026-03-01T10:00:00.123Z");
  private long lastNumber = 1_900_000_000_000L << 20;

  /** Opens a new and empty store; the contract closes it. */
  protected abstract Store open();

  @BeforeEach
  final void openStore() {
    store = open();
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  /** Returns a number larger than every number before it, like those of the engine. */
  final long nextNumber() {
    return ++lastNumber;
  }

  final Instant later(Duration duration) {
    return now.plus(duration);
  }

  // Runs

  final NewRun newRun(String key) {
    return newRun(TENANT, FLOW, key, "{\"order\":\"" + key + "\"}");
  }

  final NewRun newRun(String tenant, String flow, String key, String input) {
    var id = RunId.of(tenant, flow, key, null);
    return new NewRun(nextNumber(), id, tenant, flow, 1, key, Fingerprint.of(input), input, null);
  }

  /** Returns a run owned by {@link #OWNER}, with nothing in its journal yet. */
  final NewRun running(String key) {
    NewRun run = newRun(key);
    land(withoutEntries(insert(run, OWNER)));
    return run;
  }

  /** Returns a run that waits for something other than time. */
  final NewRun waiting(String key) {
    NewRun run = running(key);
    land(withoutEntries(next(run, new Change.Release(RunStatus.WAITING, null))));
    return run;
  }

  final Run stored(NewRun run) {
    return Objects.requireNonNull(
        store.run(run.number()), "the run " + run.key() + " is not there");
  }

  final EffectRecord storedEffect(long number) {
    return Objects.requireNonNull(store.effect(number), "the effect " + number + " is not there");
  }

  /** Returns the runs that are due now, in their order. */
  final List<Long> due() {
    return store.due(null, now, 100).stream().map(Due::run).toList();
  }

  // Groups

  final Group group(Head head, @Nullable String entries, Change... changes) {
    return new Group(nextNumber(), now, head, List.of(changes), entries);
  }

  final Group insert(NewRun run, @Nullable Long owner, Change... changes) {
    return group(new Head.Insert(run, owner), ENTRIES, changes);
  }

  final Group owned(NewRun run, long seq, Change... changes) {
    return group(new Head.Owned(run.number(), OWNER, seq), ENTRIES, changes);
  }

  final Group unowned(NewRun run, long seq, Change... changes) {
    return group(new Head.Unowned(run.number(), seq), ENTRIES, changes);
  }

  final Group notEnded(NewRun run, Change... changes) {
    return group(new Head.NotEnded(run.number()), null, changes);
  }

  final Group always(Change... changes) {
    return group(new Head.Always(), null, changes);
  }

  /** Returns the next group of the run's owner. */
  final Group next(NewRun run, Change... changes) {
    return owned(run, store.journal(run.number()).size(), changes);
  }

  /** What a person does to a run that is kept out of memory. */
  final Group quarantined(NewRun run, Change... changes) {
    int seq = store.journal(run.number()).size();
    return group(new Head.Owned(run.number(), Run.QUARANTINE, seq), ENTRIES, changes);
  }

  static Group withoutEntries(Group group) {
    return new Group(group.op(), group.at(), group.head(), group.changes(), null);
  }

  final List<GroupAnswer> commit(Group... groups) {
    return store.commit(new Batch(List.of(groups)));
  }

  final GroupAnswer commit(Group group) {
    return commit(new Group[] {group}).getFirst();
  }

  final Landed land(Group group) {
    GroupAnswer answer = commit(group);
    assertThat(answer).isInstanceOf(Landed.class);
    return (Landed) answer;
  }

  // Effects

  /** Commits a claim that is all that its run writes now, and returns the only answer. */
  final ClaimAnswer claim(Intent intent) {
    ClaimAnswer read = store.expiredAnswer(intent.toClaim());
    var answer = (ClaimAnswer) land(next(intent.run(), intent.claim())).answers().getFirst();
    if (read != null) {
      assertThat(answer).isEqualTo(read);
    }
    return answer;
  }

  /** Returns an effect that its run has claimed and not yet settled. */
  final Granted granted(Intent intent) {
    ClaimAnswer answer = claim(intent);
    assertThat(answer).isInstanceOf(Granted.class);
    return (Granted) answer;
  }

  /** Returns an effect that was sent once and is done. */
  final Granted done(Intent intent, String result) {
    Granted granted = granted(intent);
    land(next(intent.run(), intent.done(granted, result)));
    return granted;
  }

  /** Returns an effect that ended in some other way than done. */
  final Granted settled(Intent intent, EffectState state) {
    Granted granted = granted(intent);
    land(next(intent.run(), outcome(granted, state)));
    return granted;
  }

  static Change.Effect outcome(Granted granted, EffectState state) {
    return new Change.Effect(
        granted.effect(), granted.revision(), state, 1, null, null, "how it went", null);
  }

  final Intent create(NewRun run, String key) {
    return new Intent(nextNumber(), run, key, now);
  }

  final Intent update(NewRun run, String key, String content) {
    return create(run, key).name("put-price").kind(Kind.UPDATE).guard("upsert").content(content);
  }
}
