package dev.hapax.history;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failure;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Builds one line of a history. */
final class HistoryLine {
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

  HistoryLine(long seq, Instant at, String type) {
    this.seq = seq;
    this.at = at;
    this.type = type;
  }

  HistoryLine of(
      @Nullable EffectKey effectKey, @Nullable String guardWord, @Nullable Integer effectRevision) {
    guard = guardWord;
    revision = effectRevision;
    if (effectKey != null) {
      key = effectKey.key();
      wireKey = effectRevision == null ? null : effectKey.onWire(effectRevision);
    }
    return this;
  }

  /** The key was erased, and a wire key that is made of what is left would be another one. */
  HistoryLine withoutWireKey() {
    wireKey = null;
    return this;
  }

  HistoryLine step(Step where) {
    step = where;
    return this;
  }

  HistoryLine attempt(int number) {
    attempt = number;
    return this;
  }

  HistoryLine effect(long number) {
    effect = EffectRecord.id(number);
    return this;
  }

  HistoryLine key(String text) {
    key = text;
    return this;
  }

  HistoryLine state(String word) {
    state = word;
    return this;
  }

  HistoryLine decision(@Nullable String text) {
    decision = text;
    return this;
  }

  HistoryLine evidence(@Nullable String text) {
    evidence = text;
    return this;
  }

  HistoryLine reusedFrom(@Nullable String runId) {
    reusedFrom = runId;
    return this;
  }

  HistoryLine branch(String name) {
    branch = name;
    return this;
  }

  HistoryLine output(@Nullable String json) {
    output = json;
    return this;
  }

  HistoryLine error(@Nullable Failure failure) {
    error = failure;
    return this;
  }

  HistoryLine until(@Nullable Instant time) {
    until = time;
    return this;
  }

  HistoryLine externalId(@Nullable String id) {
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
        failure == null ? null : new HistoryEntry.Reason(failure.code(), failure.message()),
        until,
        externalId);
  }
}
