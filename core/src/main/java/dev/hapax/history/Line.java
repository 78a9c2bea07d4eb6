package dev.hapax.history;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Failure;
import dev.hapax.run.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Builds one line of a history. */
final class Line {
  private final long seq;
  private final Instant at;
  private final String type;
  private @Nullable Step step;
  private @Nullable Integer attempt;
  private @Nullable String effect;
  private @Nullable String key;
  private @Nullable String wireKey;
  private @Nullable Integer revision;
  private @Nullable String guard;
  private @Nullable String state;
  private @Nullable String decision;
  private @Nullable String evidence;
  private @Nullable String reusedFrom;
  private @Nullable String branch;
  private @Nullable String output;
  private @Nullable Failure error;
  private @Nullable Instant until;
  private @Nullable String externalId;

  Line(long seq, Instant at, String type) {
    this.seq = seq;
    this.at = at;
    this.type = type;
  }

  Line of(
      @Nullable EffectKey effectKey, @Nullable String guardWord, @Nullable Integer effectRevision) {
    guard = guardWord;
    revision = effectRevision;
    if (effectKey != null) {
      key = effectKey.key();
      wireKey = effectRevision == null ? null : effectKey.onWire(effectRevision);
    }
    return this;
  }

  Line step(Step where) {
    step = where;
    return this;
  }

  Line attempt(int number) {
    attempt = number;
    return this;
  }

  Line effect(long number) {
    effect = EffectRecord.id(number);
    return this;
  }

  Line key(String text) {
    key = text;
    return this;
  }

  Line state(String word) {
    state = word;
    return this;
  }

  Line decision(@Nullable String text) {
    decision = text;
    return this;
  }

  Line evidence(@Nullable String text) {
    evidence = text;
    return this;
  }

  Line reusedFrom(String runId) {
    reusedFrom = runId;
    return this;
  }

  Line branch(String name) {
    branch = name;
    return this;
  }

  Line output(@Nullable String json) {
    output = json;
    return this;
  }

  Line error(@Nullable Failure failure) {
    error = failure;
    return this;
  }

  Line until(@Nullable Instant time) {
    until = time;
    return this;
  }

  Line externalId(@Nullable String id) {
    externalId = id;
    return this;
  }

  HistoryEntry entry() {
    Step where = step;
    Failure failure = error;
    return new HistoryEntry(
        seq,
        at,
        type,
        where == null ? null : where.name(),
        where == null ? null : where.item(),
        where == null ? null : where.round(),
        attempt,
        effect,
        key,
        wireKey,
        revision,
        guard,
        state,
        decision,
        evidence,
        reusedFrom,
        branch,
        output,
        failure == null ? null : failure.code() + ": " + failure.message(),
        until,
        externalId);
  }
}
