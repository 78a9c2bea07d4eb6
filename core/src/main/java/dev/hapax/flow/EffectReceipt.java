package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Hapax can say about one effect, for people outside: the boss, an auditor, a bank. A server
 * signs it. Members are only added, never renamed, because receipts are kept for years.
 *
 * @param version of this form
 * @param store the id of the store
 * @param run the run that owns the effect; null if its record has expired
 * @param decisions what people decided about it, oldest first
 * @param caveats what a reader must know beside the verdict; empty if there is nothing
 * @param checkpoint the end of the tenant's audit log when a server made the receipt, as JSON; null
 *     if there is no such log
 */
public record EffectReceipt(
    int version,
    Instant issuedAt,
    String store,
    String tenant,
    Verdict verdict,
    Sent effect,
    @Nullable OwnerRun run,
    List<Attempt> attempts,
    List<Decided> decisions,
    Stopped stopped,
    List<String> caveats,
    @JsonRawValue @Nullable String checkpoint) {
  public EffectReceipt {
    attempts = List.copyOf(attempts);
    decisions = List.copyOf(decisions);
    caveats = List.copyOf(caveats);
  }

  /** Returns the same receipt with the end of the tenant's audit log, as JSON. */
  public EffectReceipt at(String auditCheckpoint) {
    return new EffectReceipt(
        version,
        issuedAt,
        store,
        tenant,
        verdict,
        effect,
        run,
        attempts,
        decisions,
        stopped,
        caveats,
        auditCheckpoint);
  }

  /**
   * Whether it is proven that the effect happened.
   *
   * @param by {@code answer}, {@code lookup}, {@code person} or {@code nothing}
   * @param says the same for people, as a sentence
   */
  public record Verdict(boolean proven, String by, String says) {}

  /**
   * The effect as the ledger holds it. Of an effect whose row has expired, the guard, the attempts
   * and the step are not known any more.
   *
   * @param request JSON, as it was sent, without secrets; its size and hash if it is large
   * @param result JSON, as it was answered; its size and hash if it is large
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sent(
      String id,
      String name,
      String key,
      String wireKey,
      String kind,
      @Nullable String guard,
      String state,
      int revision,
      @Nullable Integer attempts,
      @Nullable String step,
      @Nullable String item,
      @Nullable Instant firstSentAt,
      @Nullable String externalId,
      @JsonRawValue @Nullable String request,
      @JsonRawValue @Nullable String result,
      @Nullable String evidence) {}

  /** The run that sent it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OwnerRun(
      String id,
      String flow,
      int release,
      String key,
      String status,
      Instant startedAt,
      @Nullable Instant endedAt) {}

  /**
   * One attempt to send it.
   *
   * @param outcome the type of the entry in the history, for example {@code done} or {@code doubt};
   *     null if nothing is known yet
   * @param says what came back, or how the outcome is known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Attempt(
      int number,
      @Nullable Instant sentAt,
      @Nullable String outcome,
      @Nullable Instant outcomeAt,
      @Nullable String says) {}

  /** A person's decision about it. */
  public record Decided(Instant at, String by, String decision, String reason) {}

  /**
   * Repeats that were stopped.
   *
   * @param starts of the run that owns it
   * @param runs that took its result instead of sending it again; at most 20
   */
  public record Stopped(long starts, List<String> runs) {}
}
