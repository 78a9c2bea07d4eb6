package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.SettleDecision;
import dev.hapax.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job should do.
 *
 * @param kind the name of a {@link JobKind}
 * @param spec what the kind needs to know; is stored as JSON
 * @param rate the most items in a second, 1 to 10,000
 * @param actor the person who asks for it; the histories of its subjects record it
 * @param key a second request with the same key gets the first job; null for none
 */
public record JobRequest(
    String kind, Map<String, Object> spec, int rate, String actor, @Nullable String key) {
  /** The rate of a job that names none. */
  public static final int DEFAULT_RATE = 100;

  public JobRequest {
    spec = Collections.unmodifiableMap(new TreeMap<>(spec));
  }

  /** A job of any kind. */
  public static JobRequest of(String kind, JobSelection filter, String actor) {
    return new JobRequest(kind, Map.of("filter", filter.given()), DEFAULT_RATE, actor, null);
  }

  /** Retries failed runs. */
  public static JobRequest retry(JobSelection runs, String actor) {
    return of("retry", runs, actor);
  }

  /** Cancels runs that have not ended. */
  public static JobRequest cancel(JobSelection runs, String actor, @Nullable String reason) {
    JobRequest request = of("cancel", runs, actor);
    return reason == null ? request : request.with("reason", reason);
  }

  /** Cancels runs that have not ended, and undoes their effects. */
  public static JobRequest cancelAndCompensate(
      JobSelection runs, String actor, @Nullable String reason) {
    return cancel(runs, actor, reason).with("compensate", true);
  }

  /** Settles effects in review, all with the same decision. */
  public static JobRequest settle(
      JobSelection effects, SettleDecision decision, String reason, String actor) {
    return of("settle", effects, actor).with("decision", decision.word()).with("reason", reason);
  }

  /** Settles effects in review as happened, and lets their runs end and undo what they did. */
  public static JobRequest settleAndCompensate(JobSelection effects, String reason, String actor) {
    return settle(effects, SettleDecision.HAPPENED, reason, actor).with("compensate", true);
  }

  /** Settles these effects, each only if it is still as the person saw it here. */
  public static JobRequest settle(
      List<EffectRecord> seen, SettleDecision decision, String reason, String actor) {
    var doubts = new TreeMap<String, Reviewed>();
    seen.forEach(row -> doubts.put(row.id(), new Reviewed(row.revision(), row.attempts())));
    JobSelection effects = JobSelection.of(List.copyOf(doubts.keySet()));
    return settle(effects, decision, reason, actor).with("seen", doubts);
  }

  /**
   * Replays runs that have ended, all with the same wish. It needs a plan: {@link Jobs#plan}, and
   * {@link Jobs#apply} when a person has seen it.
   */
  public static JobRequest replay(JobSelection runs, ReplayWish wish, String actor) {
    return of("replay", runs, actor).with("wish", wish);
  }

  /**
   * Deletes ended runs before their retention is over. Their tombstones stay, and their effects in
   * the ledger, so that nothing is sent again.
   */
  public static JobRequest delete(JobSelection runs, String reason, String actor) {
    return of("delete", runs, actor).with("reason", reason);
  }

  /** Delivers dead letters again, or tries events again. */
  public static JobRequest redeliver(JobSelection messages, String actor) {
    return of("redeliver", messages, actor);
  }

  /** Adds something that the kind needs to know. */
  public JobRequest with(String member, Object value) {
    var more = new TreeMap<String, Object>(spec);
    more.put(member, value);
    return new JobRequest(kind, more, rate, actor, key);
  }

  /** Touches only these flows; a name that ends with {@code *} means all that begin so. */
  public JobRequest within(List<String> flows) {
    return with("within", List.copyOf(flows));
  }

  public JobRequest rate(int perSecond) {
    return new JobRequest(kind, spec, perSecond, actor, key);
  }

  public JobRequest key(@Nullable String idempotencyKey) {
    return new JobRequest(kind, spec, rate, actor, idempotencyKey);
  }

  String specText() {
    return Json.write(spec);
  }
}
