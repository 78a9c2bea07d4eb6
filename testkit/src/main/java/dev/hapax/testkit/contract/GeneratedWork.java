package dev.hapax.testkit.contract;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Line;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.Gate;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.run.start.CallRule;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Requests that an engine might make of a store, and some that it never would: mostly right heads,
 * now and then a stale or foreign one. Reads one of the stores to know which would be right.
 */
final class GeneratedWork {
  static final List<String> TENANTS = List.of("acme", "globex");
  private static final List<Long> OWNERS = List.of(-7L, 1L, 2L);
  private static final List<String> CONTENTS = List.of("1", "2", "{\"a\":[1.50,\"é\"]}");
  private static final List<String> VERSIONS = List.of("0", "1", "1.5", "2", "9223372036854775808");
  private static final List<Kind> KINDS =
      List.of(Kind.CREATE, Kind.NOTIFY, Kind.ADDITIVE, Kind.UPDATE, Kind.UPDATE, Kind.UPDATE);

  /** The next action of the driver. */
  enum Action {
    COMMIT,
    COMMIT_AGAIN,
    ADOPT
  }

  private final Random random;
  private final Store store;
  private final int mostGroups;
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private long lastNumber = 1_900_000_000_000L << 20;

  GeneratedWork(long seed, Store store, int mostGroups) {
    this.random = new Random(seed);
    this.store = store;
    this.mostGroups = mostGroups;
  }

  Instant now() {
    return now;
  }

  Action nextAction() {
    now = now.plusMillis(random.nextInt(2_000));
    int dice = random.nextInt(100);
    return dice < 2 ? Action.ADOPT : dice < 15 ? Action.COMMIT_AGAIN : Action.COMMIT;
  }

  long nextOwner() {
    return oneOf(OWNERS);
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  Batch nextBatch() {
    List<Group> groups = new ArrayList<>();
    for (int i = random.nextInt(mostGroups); i >= 0; i--) {
      groups.add(nextGroup());
    }
    return new Batch(groups);
  }

  private Group nextGroup() {
    List<Run> runs = store.runs(new RunFilter(oneOf(TENANTS), null, null, null, null, 100));
    if (runs.isEmpty() || chance(10)) {
      return start();
    }
    Run run = oneOf(runs);
    if (chance(5)) {
      return group(new Head.Always(), null, List.of(kv(run.tenant())));
    }
    if (chance(5)) {
      return group(
          new Head.Always(),
          null,
          List.of(new Change.CountDuplicates(run.number(), 1 + random.nextInt(3))));
    }
    if (chance(10)) {
      return group(new Head.NotEnded(run.number()), null, List.of(wish()));
    }
    long end = store.journal(run.number()).size();
    long seq = chance(5) ? otherThan(end) : end;
    Long owner = chance(5) ? Long.valueOf(nextOwner()) : run.owner();
    return owner == null ? unowned(run, seq) : owned(run, owner, seq);
  }

  /** Returns the end of a journal for a writer that missed its last row, or is ahead of it. */
  private long otherThan(long end) {
    return end > 0 && chance(70) ? end - 1 : end + 1;
  }

  private Group start() {
    NewRun run = newRun(oneOf(TENANTS)).through(chance(30) ? gate() : null);
    Long owner = perhaps(nextOwner());
    List<Change> changes = new ArrayList<>();
    if (owner != null && chance(60)) {
      changes.add(claim(run.tenant(), run.number(), run.id()));
    }
    boolean hasEntries = !changes.isEmpty() || chance(50);
    return group(new Head.Insert(run, owner), hasEntries ? "[]" : null, changes);
  }

  private NewRun newRun(String tenant) {
    String key = "A-" + random.nextInt(10);
    String input = oneOf(CONTENTS);
    var id = RunId.of(tenant, "flow", key, null);
    return new NewRun(
            nextNumber(),
            id,
            tenant,
            "flow",
            1 + random.nextInt(3),
            key,
            Fingerprint.of(input),
            input,
            perhaps(now.plusSeconds(60)))
        .foundBy(new SearchFields(chance(20) ? Map.of("customer", key) : Map.of()));
  }

  /** Makes a change about a child of the run, or about any other run. */
  private Change aboutAChild(Run run) {
    CallRule.Retry retry =
        chance(30) ? new CallRule.Retry("me", perhaps(now.plusSeconds(60))) : null;
    if (chance(50)) {
      NewRun child = newRun(run.tenant()).childOf(run.number(), run.depth() + 1);
      return new Change.Call(child, chance(30), retry);
    }
    long child =
        oneOf(store.runs(new RunFilter(run.tenant(), null, null, null, null, 100))).number();
    return chance(60)
        ? new Change.Await(child, retry)
        : new Change.StopChild(child, new Run.Cancel("me", perhaps("it is to end")));
  }

  private Gate gate() {
    return new Gate(perhaps("customer"), 1 + random.nextInt(3), oneOf(List.of(Overflow.values())));
  }

  private Change kv(String tenant) {
    if (chance(5)) {
      return new Change.CollectKv(1 + random.nextInt(3));
    }
    String key = "k" + random.nextInt(3);
    KvEntry present = store.kv(tenant, key);
    long version = present == null || chance(20) ? KvEntry.ABSENT : present.version();
    KvAction action = oneOf(List.of(KvAction.values()));
    return new Change.Kv(
        new KvRequest(
            nextNumber(),
            tenant,
            key,
            action,
            content(action),
            version,
            perhaps(now.plusMillis(random.nextInt(20_000))),
            action == KvAction.TRANSITION
                ? KvRequest.from(key, List.of(oneOf(CONTENTS), oneOf(List.of("null", "1", "7"))))
                : List.of()));
  }

  private @Nullable String content(KvAction action) {
    if (action == KvAction.ADD) {
      return oneOf(List.of("1", "-2", "0.5", "1e20"));
    }
    return action.brings() ? oneOf(CONTENTS) : null;
  }

  private Change wish() {
    return chance(90)
        ? new Change.Wake()
        : new Change.RequestCancel(new Run.Cancel("ann", perhaps("wrong order")));
  }

  private Group unowned(Run run, long seq) {
    var head = new Head.Unowned(run.number(), seq);
    if (run.status().isEnd()) {
      String input = perhaps(oneOf(CONTENTS));
      var fingerprint = input == null ? null : Fingerprint.of(input);
      return group(
          head,
          "[]",
          List.of(
              new Change.Reopen(
                  input,
                  fingerprint,
                  perhaps(now.plusSeconds(60)),
                  chance(10) ? gate() : null,
                  chance(10) ? new SearchFields(Map.of("customer", oneOf(TENANTS))) : null)));
    }
    if (chance(10)) {
      return group(head, "[]", List.of(new Change.Wake()));
    }
    return group(head, perhaps("[]"), List.of(new Change.Take(nextOwner())));
  }

  private Group owned(Run run, long owner, long seq) {
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      int dice = random.nextInt(100);
      changes.add(
          dice < 5
              ? kv(run.tenant())
              : dice < 40
                  ? claim(run.tenant(), run.number(), run.id())
                  : dice < 80 ? aboutAnEffect(run) : aboutAChild(run));
    }
    if (chance(30)) {
      changes.add(aboutALock(run));
    }
    if (chance(20)) {
      changes.add(
          new Change.Release(
              RunStatus.WAITING, perhaps(now.plusMillis(random.nextInt(4_000) - 1_000L))));
    } else if (chance(10)) {
      changes.add(end());
    }
    return group(new Head.Owned(run.number(), owner, seq), "[]", changes);
  }

  private Change aboutALock(Run run) {
    var line = Line.lock(run.tenant(), "L-" + random.nextInt(3));
    var step = new Step("section-" + random.nextInt(2), null);
    return chance(60) ? new Change.Lock(line, step) : new Change.Unlock(line, step);
  }

  private Change end() {
    return chance(50)
        ? new Change.End(RunStatus.SUCCEEDED, perhaps(oneOf(CONTENTS)), null)
        : new Change.End(
            RunStatus.FAILED,
            null,
            new Failure("code", "why", perhaps("charge"), null, chance(50)));
  }

  /**
   * Makes a change mostly about an effect of the run; another run's effect makes the group lost.
   */
  private Change aboutAnEffect(Run run) {
    List<EffectRecord> all =
        store.effects(new EffectFilter(run.tenant(), null, null, null, null, 100));
    List<EffectRecord> own = all.stream().filter(effect -> effect.run() == run.number()).toList();
    List<EffectRecord> from = own.isEmpty() || chance(10) ? all : own;
    if (from.isEmpty()) {
      return claim(run.tenant(), run.number(), run.id());
    }
    EffectRecord effect = oneOf(from);
    int revision = effect.revision() - (chance(3) ? 1 : 0);
    int attempt = effect.attempts() + 1;
    if (run.cancel() == null && chance(30)) {
      return new Change.Attempt(effect.number(), revision, attempt);
    }
    if (chance(15)) {
      return aboutAnUndo(run, effect, revision);
    }
    EffectState state = chance(60) ? EffectState.DONE : oneOf(List.of(EffectState.values()));
    boolean isDoneUpdate = state == EffectState.DONE && effect.kind() == Kind.UPDATE;
    return new Change.Effect(
        effect.number(),
        revision,
        state,
        attempt,
        state == EffectState.DONE ? perhaps(oneOf(CONTENTS)) : null,
        perhaps("ext-1"),
        perhaps("200 OK"),
        isDoneUpdate ? origin() : null);
  }

  private Change aboutAnUndo(Run run, EffectRecord effect, int revision) {
    if (effect.state() == EffectState.UNDOING) {
      EffectState after = chance(70) ? EffectState.UNDONE : EffectState.DONE;
      return new Change.AfterUndo(effect.number(), revision, after);
    }
    EffectKey key = effect.key();
    var undo =
        new EffectClaim(
            nextNumber(),
            new EffectKey(key.tenant(), key.name() + ".undo", key.key(), key.additiveRun()),
            Kind.CREATE,
            "keyed",
            run.number(),
            effect.step().undo(1),
            null,
            null,
            null,
            null,
            now);
    int below = chance(10) ? Math.max(1, revision - 1) : revision;
    return new Change.Undo(
        new UndoClaim(undo, effect.number(), below, revision, chance(10) ? "found" : null));
  }

  private Change claim(String tenant, long run, RunId id) {
    Kind kind = oneOf(KINDS);
    // One name per kind, so that few claims end as conflicts; a rare stray name makes some.
    String name = chance(2) ? "stray" : kind.name();
    var key =
        new EffectKey(tenant, name, "K-" + random.nextInt(3), kind == Kind.ADDITIVE ? id : null);
    String content = perhaps(oneOf(CONTENTS));
    return new Change.Claim(
        new EffectClaim(
            nextNumber(),
            key,
            kind,
            chance(3) ? "none" : "keyed",
            run,
            new Step(name, perhaps("item")),
            content == null ? null : Fingerprint.of(content),
            content,
            perhaps(version()),
            origin(),
            now,
            chance(30),
            oneOf(List.of(OnRework.values()))));
  }

  /** Nearly all are numbers: a version of another type is only a conflict. */
  private ObjectVersion version() {
    return chance(2) ? ObjectVersion.of("2026-01-01T00:00:00Z") : ObjectVersion.of(oneOf(VERSIONS));
  }

  private String origin() {
    return Fingerprint.of(Json.write(random.nextInt(4))).hex();
  }

  private Group group(Head head, @Nullable String entries, List<Change> changes) {
    return new Group(nextNumber(), now, head, changes, entries);
  }

  private long nextNumber() {
    return ++lastNumber;
  }

  private <T> @Nullable T perhaps(T value) {
    return random.nextBoolean() ? value : null;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
