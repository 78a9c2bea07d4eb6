package dev.hapax.store.postgres;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.run.NewRun;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.jdbc.RunMapping;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of plain groups, by the statement that writes them. Nearly all groups are plain. */
final class PlainRows {
  final Rows runs = new Rows("nbttnttbtnnnnnntt");
  final Rows ids = Rows.list("b");
  final Rows heads = Rows.list("n");

  /** The head that the first group of each existing run expects. */
  final Rows firstHeads = new Rows("nnn");

  final Rows effects = new Rows("ntttbttnttnbtnnb");
  final Rows hashes = Rows.list("b");
  final Rows journal = new Rows("nnnntt");
  final Rows settled = new Rows("nnntnttt");
  final Rows attempted = new Rows("nnnn");
  final Rows released = new Rows("ntn");
  final Rows ended = new Rows("ntttnn");
  final Rows subjects = Rows.list("n");

  /** The rows that the statements must name; the groups left over did not find what they expect. */
  final Map<Written, Group> expected = new HashMap<>();

  final Map<Long, Integer> rowsBefore = new HashMap<>();
  final Map<Head.Owned, Integer> entriesBefore = new HashMap<>();

  /** Groups that cannot be written with the others, in any state of the store. */
  final Set<Group> deviating = new LinkedHashSet<>();

  private final Set<Long> effectsWritten = new HashSet<>();
  private final Set<Long> runsLeft = new HashSet<>();
  private final Map<Long, Start> starts = new HashMap<>();
  private boolean followOneAnother = true;

  /** A row that a statement names as written. */
  record Written(String what, long number) {}

  /** The head of a run before the first of its groups. */
  private record Start(long owner, long seq) {}

  private PlainRows() {}

  static PlainRows of(List<Group> groups) throws SQLException {
    var rows = new PlainRows();
    for (Group group : groups) {
      rows.gather(group);
    }
    return rows;
  }

  /** Whether all groups hold if the first group of each run does. */
  boolean followOneAnother() {
    return followOneAnother && deviating.isEmpty();
  }

  /** Whether a group is plain, independent of what it finds. */
  static boolean isPlain(Group group) {
    if (group.entries() == null || refers(group.entries())) {
      return false;
    }
    boolean head =
        switch (group.head()) {
          case Head.Insert(var run, var _) ->
              run.gate() == null && run.succession() == null && !refers(run.input());
          case Head.Owned _ -> true;
          default -> false;
        };
    return head && group.changes().stream().allMatch(PlainRows::isPlain);
  }

  private static boolean isPlain(Change change) {
    return switch (change) {
      case Change.Claim(var claim) ->
          hasUsualVersion(claim) && !refers(claim.request()) && claim.replay() == null;
      case Change.Effect effect -> effect.origin() == null && !refers(effect.result());
      case Change.Attempt _, Change.Release _, Change.End _ -> true;
      default -> false;
    };
  }

  /** The arrays of the one statement have no column for any other version. */
  private static boolean hasUsualVersion(EffectClaim claim) {
    return claim.version() == null || claim.version().asLong() != null;
  }

  private static boolean refers(@Nullable String text) {
    return !ResourceRef.in(text).isEmpty();
  }

  static long runOf(Group group) {
    return switch (group.head()) {
      case Head.Insert(var run, var _) -> run.number();
      case Head.Owned(long run, long _, long _) -> run;
      default -> throw new IllegalArgumentException("not plain: " + group.head());
    };
  }

  private void gather(Group group) throws SQLException {
    long run = runOf(group);
    switch (group.head()) {
      case Head.Insert(var fresh, var owner) -> insert(group, fresh, owner);
      case Head.Owned head -> goOn(head);
      default -> throw new IllegalArgumentException("not plain: " + group.head());
    }
    if (runsLeft.contains(run)) {
      deviating.add(group);
      return;
    }
    int before = rowsBefore.merge(run, 1, Integer::sum) - 1;
    long seq = group.head() instanceof Head.Owned(long _, long _, long last) ? last + 1 : 1;
    if (group.head() instanceof Head.Owned head) {
      entriesBefore.put(head, before);
    }
    journal.add(run, seq, group.op(), group.at(), group.entries(), group.item());
    expected.put(new Written("journal", group.op()), group);
    for (Change change : group.changes()) {
      gather(group, run, change);
    }
  }

  private void insert(Group group, NewRun run, @Nullable Long owner) throws SQLException {
    RunStatus status = owner == null ? RunStatus.QUEUED : RunStatus.RUNNING;
    runs.add(
        run.number(),
        run.id().bytes(),
        run.tenant(),
        run.flow(),
        run.release(),
        run.key(),
        status.word(),
        run.fingerprint().bytes(),
        run.input(),
        owner,
        owner == null ? group.at() : null,
        run.timeoutAt(),
        group.at(),
        run.parent(),
        run.depth(),
        RunMapping.json(run.startedBy()),
        run.search().json());
    ids.add((Object) run.id().bytes());
    expected.put(new Written("run", run.number()), group);
    if (owner != null) {
      starts.putIfAbsent(run.number(), new Start(owner, 0));
    }
  }

  private void goOn(Head.Owned head) throws SQLException {
    heads.add(head.run());
    int before = rowsBefore.getOrDefault(head.run(), 0);
    if (before == 0) {
      firstHeads.add(head.run(), head.owner(), head.seq());
      starts.put(head.run(), new Start(head.owner(), head.seq()));
    } else {
      Start start = starts.get(head.run());
      followOneAnother &=
          start != null && start.owner() == head.owner() && start.seq() + before == head.seq();
    }
  }

  private void gather(Group group, long run, Change change) throws SQLException {
    switch (change) {
      case Change.Claim(var claim) -> claim(group, claim);
      case Change.Effect effect -> {
        settled.add(
            effect.effect(),
            run,
            effect.revision(),
            effect.state().word(),
            effect.attempt(),
            effect.result(),
            effect.externalId(),
            effect.evidence());
        expectOnce(group, effect.effect());
        if (!effect.state().isOpen()) {
          subjects.add(effect.effect());
        }
      }
      case Change.Attempt(long effect, int revision, int attempt, boolean _) -> {
        attempted.add(effect, run, revision, attempt);
        expectOnce(group, effect);
      }
      case Change.Release(var status, var dueAt) -> {
        released.add(run, status.word(), dueAt);
        runsLeft.add(run);
      }
      case Change.End(var status, var output, var error, boolean _) -> {
        ended.add(
            run,
            status.word(),
            output,
            error == null ? null : Json.write(error),
            group.at(),
            Flow.DEFAULT_RETENTION.toMillis());
        runsLeft.add(run);
        subjects.add(run);
      }
      default -> throw new IllegalArgumentException("not plain: " + change);
    }
  }

  private void claim(Group group, EffectClaim claim) throws SQLException {
    RunId additiveRun = claim.key().additiveRun();
    Fingerprint fingerprint = claim.fingerprint();
    byte[] hash = claim.key().hash();
    effects.add(
        claim.number(),
        claim.key().tenant(),
        claim.key().name(),
        claim.key().key(),
        additiveRun == null ? null : additiveRun.bytes(),
        claim.kind().name().toLowerCase(Locale.ROOT),
        claim.guard(),
        claim.run(),
        claim.step().name(),
        claim.step().item(),
        claim.step().round(),
        fingerprint == null ? null : fingerprint.bytes(),
        claim.request(),
        claim.version() == null ? null : claim.version().asLong(),
        claim.at(),
        hash);
    hashes.add((Object) hash);
    expected.put(new Written("claim", claim.number()), group);
  }

  /** If one statement wrote a row twice, only one write would count. */
  private void expectOnce(Group group, long effect) {
    expected.put(new Written("effect", effect), group);
    if (!effectsWritten.add(effect)) {
      deviating.add(group);
    }
  }
}
