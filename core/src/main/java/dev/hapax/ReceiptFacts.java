package dev.hapax;

import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.run.value.ResourceRef;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gathers what the ledger and the history know about an effect. */
final class ReceiptFacts {
  static final int VERSION = 1;

  private static final int MOST_RUNS = 20;
  private static final int LARGEST_VALUE = 1 << 16;
  private static final Set<String> DECIDED = Set.of("settled", "step-settled");
  private static final String BY = " by ";
  private static final String BY_HAND = "done by hand";

  private final TenantRecords records;
  private final EffectRecord row;
  private final @Nullable Run owner;
  private final EffectPast past;

  ReceiptFacts(TenantRecords records, EffectRecord row) {
    this.records = records;
    this.row = row;
    this.owner = records.find(row.run());
    this.past = owner == null ? EffectPast.NONE : EffectPastReader.of(records, owner, row);
  }

  EffectReceipt receipt(String store, Instant now) {
    List<EffectReceipt.Decided> decisions = decisions();
    var verdict = ReceiptVerdict.of(row, owner != null, past, decisions);
    return new EffectReceipt(
        VERSION,
        now,
        store,
        row.key().tenant(),
        verdict.verdict(),
        sent(),
        owner == null ? null : run(owner),
        attempts(),
        decisions,
        new EffectReceipt.Stopped(owner == null ? 0 : owner.duplicates(), reusers()),
        verdict.caveats(),
        null);
  }

  private EffectReceipt.Sent sent() {
    return new EffectReceipt.Sent(
        row.id(),
        row.key().name(),
        row.key().shown(),
        row.wireKey(),
        row.kind().name().toLowerCase(Locale.ROOT),
        row.guard(),
        row.state().word(),
        row.revision(),
        row.attempts(),
        row.step().name(),
        row.step().item(),
        row.attempts() == 0 ? null : row.firstSentAt(),
        row.externalId(),
        value(row.request()),
        row.state() == EffectState.DONE ? value(row.result()) : null,
        row.evidence());
  }

  /** A large value is named by its size and hash, and one that is stored elsewhere by its id. */
  private static @Nullable String value(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    if (ResourceRef.isRef(stored)) {
      return Json.write(stored);
    }
    byte[] bytes = stored.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= LARGEST_VALUE
        ? stored
        : Json.write(
            Map.of(
                "bytes", bytes.length, "sha256", HexFormat.of().formatHex(Digest.sha256(bytes))));
  }

  private static EffectReceipt.OwnerRun run(Run run) {
    return new EffectReceipt.OwnerRun(
        run.id().toString(),
        run.flow(),
        run.release(),
        run.key(),
        run.shownStatus().word(),
        run.createdAt(),
        run.endedAt());
  }

  private List<EffectReceipt.Attempt> attempts() {
    var attempts = new TreeMap<Integer, EffectReceipt.Attempt>();
    for (HistoryEntry line : past.lines()) {
      Integer number = line.attempt();
      if (number == null) {
        continue;
      }
      EffectReceipt.Attempt known =
          attempts.getOrDefault(number, new EffectReceipt.Attempt(number, null, null, null, null));
      attempts.put(
          number,
          line.type().equals("intent")
              ? new EffectReceipt.Attempt(
                  number, line.at(), known.outcome(), known.outcomeAt(), known.says())
              : new EffectReceipt.Attempt(
                  number, known.sentAt(), line.type(), line.at(), says(line)));
    }
    return List.copyOf(attempts.values());
  }

  private static @Nullable String says(HistoryEntry line) {
    if (line.reason() != null) {
      return line.error();
    }
    return line.evidence() == null ? line.decision() : line.evidence();
  }

  /** The history has them as {@code happened by ada}, or {@code done by hand by ada}. */
  private List<EffectReceipt.Decided> decisions() {
    var decisions = new ArrayList<EffectReceipt.Decided>();
    for (HistoryEntry line : past.lines()) {
      String decision = line.decision();
      if (DECIDED.contains(line.type()) && decision != null) {
        int at = decision.indexOf(BY, decision.startsWith(BY_HAND) ? BY_HAND.length() : 0);
        decisions.add(
            new EffectReceipt.Decided(
                line.at(),
                at < 0 ? "" : decision.substring(at + BY.length()),
                at < 0 ? decision : decision.substring(0, at),
                line.evidence() == null ? "" : line.evidence()));
      }
    }
    return List.copyOf(decisions);
  }

  private List<String> reusers() {
    return records.runsOf(row, MOST_RUNS + 1).stream()
        .filter(run -> run.number() != row.run())
        .limit(MOST_RUNS)
        .map(run -> run.id().toString())
        .toList();
  }
}
