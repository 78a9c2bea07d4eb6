package dev.hapax;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ExpiredEffect;
import dev.hapax.flow.LedgerRow;
import dev.hapax.flow.Names;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Text;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings effects into the ledger of a tenant that another system did, and hands the ledger out. A
 * claim that meets an imported row sends nothing and gets its output; only an update is sent. Safe
 * for many threads.
 */
public final class LedgerBook {
  /** The most rows of one import, which is one commit. */
  public static final int MOST_ROWS = 200;

  private static final int PAGE = 100;

  private final Store store;
  private final LargeValues values;
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final String tenant;

  LedgerBook(
      Store store,
      LargeValues values,
      Committer committer,
      Clock clock,
      IdSource ids,
      String tenant) {
    this.store = store;
    this.values = values;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
    this.tenant = tenant;
  }

  /**
   * Adds rows of effects that were done elsewhere, in one commit. A key that the ledger holds
   * already stays as it is, so an import may be repeated.
   *
   * @param rows at most {@link #MOST_ROWS}
   * @param actor who says that they were done; histories name them
   */
  public ImportReport bringIn(List<LedgerRow> rows, String actor) {
    Names.text("actor", actor);
    for (LedgerRow row : rows) {
      if (row.state() != EffectState.DONE) {
        throw new IllegalArgumentException(
            "state: expected done, got %s. Settle the effect where it is, or leave it out"
                .formatted(row.state().word()));
      }
    }
    if (rows.size() > MOST_ROWS) {
      throw new IllegalArgumentException(
          "rows: expected at most %d, got %d".formatted(MOST_ROWS, rows.size()));
    }
    if (rows.isEmpty()) {
      return new ImportReport(0, 0, List.of());
    }
    Instant now = clock.now();
    List<Change> changes = new ArrayList<>();
    List<EffectImport> wanted = new ArrayList<>(rows.size());
    for (LedgerRow row : rows) {
      wanted.add(wanted(row, actor, now, changes));
    }
    changes.add(new Change.ImportEffects(wanted));
    var landed =
        committer.commit(Group.always(ids.next(), now, changes)).unconditional("these effects");
    return report((Answer.Imported) landed.answers().getLast());
  }

  private EffectImport wanted(LedgerRow row, String actor, Instant now, List<Change> changes) {
    String output = row.output();
    if (output != null) {
      CanonicalJson.of(output); // refuses what is not JSON
      output = values.keep(tenant, output, changes::add);
    }
    String note = row.note();
    return new EffectImport(
        ids.next(),
        row.keyOf(tenant),
        row.kind(),
        row.revision(),
        row.externalId(),
        output,
        row.version(),
        row.at() == null ? now : row.at(),
        "%s%s at %s%s".formatted(EffectImport.SOURCE, actor, now, note == null ? "" : ": " + note));
  }

  private static ImportReport report(Answer.Imported answer) {
    return new ImportReport(
        answer.added(),
        answer.same(),
        answer.kept().stream()
            .map(
                kept ->
                    new ImportReport.KeptRow(
                        kept.index(), EffectRecord.id(kept.effect()), kept.difference()))
            .toList());
  }

  /** Returns the effect with this name and business key; null if there is none. */
  public @Nullable EffectRecord find(String name, String key) {
    return store.effect(new EffectKey(tenant, name, EffectKey.checked("an effect", key), null));
  }

  /**
   * Returns what is left of the effect with this name and business key after its row has expired;
   * null if its row is there, or if nothing is left.
   */
  public @Nullable ExpiredEffect findExpired(String name, String key) {
    var owner = new EffectKey(tenant, name, EffectKey.checked("an effect", key), null);
    EffectTombstone tombstone = store.expiredEffect(owner);
    return tombstone == null
        ? null
        : new ExpiredEffect(
            EffectRecord.id(tombstone.number()),
            owner,
            tombstone.kind(),
            tombstone.state(),
            tombstone.revision(),
            tombstone.version(),
            tombstone.externalId());
  }

  /** Returns the JSON text of a request or a result in a row, also if it is a large value. */
  public @Nullable String json(@Nullable String stored) {
    return stored == null ? null : values.valueOf(tenant, stored);
  }

  /**
   * Notes the destination's id of an effect that is done, if the ledger has none and the effect is
   * still as it was read; false otherwise.
   */
  public boolean adopt(EffectRecord seen, String externalId) {
    Names.text("externalId", externalId);
    if (!seen.key().tenant().equals(tenant)) {
      return false;
    }
    List<Change> change = List.of(new Change.AdoptId(seen.number(), seen.revision(), externalId));
    var landed =
        committer
            .commit(Group.always(ids.next(), clock.now(), change))
            .unconditional("this external id");
    return ((Answer.IdAdopted) landed.answers().getFirst()).adopted();
  }

  /**
   * Looks up all rows of effects with this name, newest first, and compares them with what is
   * found. It only reads, in the thread of the caller. A lookup cannot find what the ledger does
   * not have, nor what is at the destination twice.
   *
   * @param from only rows that the ledger got at this time or later; null for all
   * @param until only rows that the ledger got before this time; null for all
   * @param differences gets each row that does not match
   */
  public LedgerCheck.Report reconcile(
      String name,
      @Nullable Instant from,
      @Nullable Instant until,
      LedgerCheck.Lookup lookup,
      BiConsumer<? super EffectRecord, LedgerCheck.Result> differences)
      throws InterruptedException {
    return new LedgerCheck(lookup, differences).of(store, tenant, Names.effect(name), from, until);
  }

  /**
   * Passes on all rows in this state, newest first, without undos and rows whose key was erased. At
   * most a page of them is in memory, and rows that come meanwhile are not among them.
   *
   * @param state {@code DONE} for rows that an import takes
   * @param name of the effects; null for all
   * @param from only rows that the ledger got at this time or later; null for all
   * @param until only rows that the ledger got before this time; null for all
   */
  public void export(
      EffectState state,
      @Nullable String name,
      @Nullable Instant from,
      @Nullable Instant until,
      Consumer<LedgerRow> to) {
    EffectFilter filter = EffectFilter.of(tenant).state(state).limit(PAGE);
    filter = name == null ? filter : filter.name(name);
    long first = from == null ? 0 : IdSource.firstAt(Names.moment("from", from));
    long before = until == null ? Long.MAX_VALUE : IdSource.firstAt(Names.moment("until", until));
    List<EffectRecord> page;
    do {
      page = store.effects(filter.before(before));
      for (EffectRecord row : page) {
        if (row.number() < first) {
          return;
        }
        String effect = row.key().name();
        boolean isOther = effect.contains(Names.UNDO) || LedgerRow.isOfHapax(effect);
        if (!isOther && !row.key().isErased()) {
          to.accept(rowOf(row));
        }
        before = row.number();
      }
    } while (page.size() == PAGE);
  }

  private LedgerRow rowOf(EffectRecord effect) {
    String result = effect.result();
    String evidence = effect.evidence();
    return new LedgerRow(
        effect.key().name(),
        effect.key().key(),
        effect.kind(),
        effect.state(),
        effect.revision(),
        effect.key().additiveRun() == null ? null : effect.key().additiveRun().toString(),
        effect.externalId(),
        result == null ? null : values.valueOf(tenant, result),
        effect.version(),
        effect.firstSentAt(),
        evidence == null ? null : Text.cut(evidence, LedgerRow.LONGEST_NOTE));
  }
}
