package dev.hapax.testkit.contract;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A claim in the making: a {@code create} that is {@code keyed}, until a test says otherwise. */
final class Intent {
  private final long number;
  private final NewRun run;
  private final String key;
  private final Instant at;
  private String name = "charge";
  private Kind kind = Kind.CREATE;
  private String guard = "keyed";
  private @Nullable String content;
  private @Nullable ObjectVersion version;
  private boolean appliesTies;
  private OnRework onRework = OnRework.REUSE;
  private @Nullable Step step;
  private @Nullable ReplayClaim replay;
  private String origin;

  Intent(long number, NewRun run, String key, Instant at) {
    this.number = number;
    this.run = run;
    this.key = key;
    this.at = at;
    this.origin = hash(run.key());
  }

  Intent name(String name) {
    this.name = name;
    return this;
  }

  Intent kind(Kind kind) {
    this.kind = kind;
    return this;
  }

  Intent guard(String guard) {
    this.guard = guard;
    return this;
  }

  /** JSON text. */
  Intent content(String content) {
    this.content = content;
    return this;
  }

  Intent version(long number) {
    return version(ObjectVersion.of(number));
  }

  Intent appliesTies() {
    this.appliesTies = true;
    return this;
  }

  Intent onRework(OnRework rule) {
    this.onRework = rule;
    return this;
  }

  Intent version(ObjectVersion version) {
    this.version = version;
    return this;
  }

  /** Sets the place in the run; by default it is a step with the effect's name. */
  Intent at(Step place) {
    this.step = place;
    return this;
  }

  /** Sets what a replay of the run says about it. */
  Intent replay(ReplayClaim says) {
    this.replay = says;
    return this;
  }

  /** Claims with one origin are the same work, done again. */
  Intent origin(String origin) {
    this.origin = hash(origin);
    return this;
  }

  NewRun run() {
    return run;
  }

  EffectKey effectKey() {
    return new EffectKey(run.tenant(), name, key, kind == Kind.ADDITIVE ? run.id() : null);
  }

  EffectClaim toClaim() {
    Step place = step == null ? new Step(name, null) : step;
    var fingerprint = content == null ? null : Fingerprint.of(content);
    return new EffectClaim(
        number,
        effectKey(),
        kind,
        guard,
        run.number(),
        place,
        fingerprint,
        content,
        version,
        origin,
        at,
        appliesTies,
        onRework,
        replay);
  }

  Change.Claim claim() {
    return new Change.Claim(toClaim());
  }

  /** Records that its first attempt happened. */
  Change.Effect done(Granted granted, @Nullable String result) {
    return new Change.Effect(
        granted.effect(),
        granted.revision(),
        EffectState.DONE,
        1,
        result,
        null,
        null,
        kind == Kind.UPDATE ? origin : null);
  }

  private static String hash(String origin) {
    return Fingerprint.of("\"" + origin + "\"").hex();
  }
}
