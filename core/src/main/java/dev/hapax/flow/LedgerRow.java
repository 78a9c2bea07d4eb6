package dev.hapax.flow;

import dev.hapax.json.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An effect as it goes into a ledger or out of one. Only effects that are done go in.
 *
 * @param name of the effect
 * @param key its business key
 * @param revision the last one that was sent; 1 if nothing else is known
 * @param run the id of its run; only for {@link Kind#ADDITIVE}, where it is part of the key
 * @param externalId the destination's id for it
 * @param output JSON text of what the step returned
 * @param version of the object, for an update
 * @param at when it was done; null if that is unknown
 * @param note for people
 */
public record LedgerRow(
    String name,
    String key,
    Kind kind,
    EffectState state,
    int revision,
    @Nullable String run,
    @Nullable String externalId,
    @Nullable String output,
    @Nullable ObjectVersion version,
    @Nullable Instant at,
    @Nullable String note) {
  /** In characters. */
  public static final int LONGEST_NOTE = 500;

  public LedgerRow {
    Names.effect(name);
    if (isOfHapax(name)) {
      throw new IllegalArgumentException(
          "name: '%s…' belongs to Hapax itself, which delivers messages and alerts so. Import only effects of your own flows"
              .formatted(name.substring(0, Names.RESERVED.length())));
    }
    EffectKey.checked("an effect", key);
    if (revision < 1) {
      throw new IllegalArgumentException(
          "revision: expected a whole number from 1 on, got " + revision);
    }
    if ((kind == Kind.ADDITIVE) != (run != null)) {
      throw new IllegalArgumentException(
          kind == Kind.ADDITIVE
              ? "run: expected the id of the run, because it is part of the key of an additive"
                  + " effect"
              : "run: expected none for kind " + kind + "; only an additive effect has one");
    }
    if (run != null) {
      RunId.parse(run);
    }
    if (externalId != null) {
      Names.text("externalId", externalId);
    }
    if (at != null) {
      Names.moment("at", at);
    }
    if (note != null && (note.length() > LONGEST_NOTE || !Text.isStorable(note))) {
      throw new IllegalArgumentException(
          "note: expected at most %d characters without NUL".formatted(LONGEST_NOTE));
    }
  }

  /** Whether an effect of this name is a delivery or other work of Hapax itself. */
  public static boolean isOfHapax(String name) {
    return name.startsWith(Names.RESERVED) || Names.isOwnFlow(name);
  }

  /** A row with only what every row has. */
  public static LedgerRow of(String name, String key, Kind kind) {
    return new LedgerRow(name, key, kind, EffectState.DONE, 1, null, null, null, null, null, null);
  }

  public LedgerRow externalId(String id) {
    return new LedgerRow(name, key, kind, state, revision, run, id, output, version, at, note);
  }

  /**
   * Returns the same row with this output.
   *
   * @param json text
   */
  public LedgerRow output(String json) {
    return new LedgerRow(
        name, key, kind, state, revision, run, externalId, json, version, at, note);
  }

  public LedgerRow version(ObjectVersion newest) {
    return new LedgerRow(
        name, key, kind, state, revision, run, externalId, output, newest, at, note);
  }

  public LedgerRow note(String text) {
    return new LedgerRow(
        name, key, kind, state, revision, run, externalId, output, version, at, text);
  }

  /** Returns its key in the ledger of this tenant. */
  public EffectKey keyOf(String tenant) {
    return new EffectKey(tenant, name, key, run == null ? null : RunId.parse(run));
  }
}
