package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Plans the replay that sends an effect again which its destination does not have. */
final class RepairPlanner {
  private static final int LARGEST_REQUEST = 1 << 14;

  private final Hapax hapax;
  private final String reconciliation;

  /**
   * @param reconciliation the id of the run that missed the effects
   */
  RepairPlanner(Hapax hapax, String reconciliation) {
    this.hapax = hapax;
    this.reconciliation = reconciliation;
  }

  /** Returns the row if it is still as it was when it was missed; null if not. */
  @Nullable EffectRecord unchanged(String effect, int revision) {
    try {
      EffectRecord row = hapax.effect(effect);
      return row.state() == EffectState.DONE && row.revision() == revision ? row : null;
    } catch (NotFound gone) {
      return null;
    }
  }

  /** Returns the wish of the replay: the same each time, so that its plan can be compared. */
  private ReplayWish wish(EffectRecord row, String absent) {
    return ReplayWish.from(row.step().name(), row.step().item())
        .forcingAbsent(
            row.id(),
            "missing at the destination, by reconciliation %s: %s"
                .formatted(reconciliation, absent),
            absent);
  }

  /**
   * Returns the plan as the engine made it.
   *
   * @throws NotPossible if its run cannot be replayed
   */
  ReplayPlan replay(EffectRecord row, String absent) {
    String owner = row.isImported() ? null : hapax.ownerOf(row);
    if (owner == null) {
      throw new NotPossible(
          row.isImported()
              ? "it was imported, so there is no run that could send it. Start its flow under another key"
              : "its run has expired, and with it what a replay would go on from. Start its flow under another key");
    }
    return hapax.replays().plan(owner, wish(row, absent));
  }

  /**
   * Returns the plan for people.
   *
   * @param absent how it is known that the destination does not have it
   */
  RepairPlan plan(EffectRecord row, String absent) {
    ReplayPlan plan;
    try {
      plan = replay(row, absent);
    } catch (NotPossible | IllegalArgumentException e) {
      return RepairPlan.impossible(row.id(), row.revision(), String.valueOf(e.getMessage()));
    }
    ReplayPlan.Item own = null;
    List<String> later = new ArrayList<>();
    for (ReplayPlan.Item item : plan.items()) {
      if (item.decision() != ReplayPlan.Decision.SEND) {
        continue;
      }
      if (row.id().equals(item.effect())) {
        own = item;
      } else if (item.dependsOn() != null) {
        later.add(item.step());
      } else {
        return RepairPlan.impossible(
            row.id(),
            row.revision(),
            "the replay of run %s would also send step '%s': plan the replay by itself, and look at it"
                .formatted(plan.run(), item.step()));
      }
    }
    if (own == null) {
      return RepairPlan.impossible(
          row.id(),
          row.revision(),
          "the replay of run %s would not send it%s"
              .formatted(plan.run(), plan.ends() == null ? "" : ": " + plan.ends()));
    }
    return new RepairPlan(
        row.id(),
        row.revision(),
        true,
        null,
        plan.run(),
        own.step(),
        own.item(),
        own.revision(),
        own.wireKey(),
        shown(own.request()),
        later.isEmpty() ? null : List.copyOf(later),
        absent,
        plan.digest());
  }

  /** A large request is named by its size and hash. */
  private static @Nullable JsonNode shown(@Nullable String request) {
    if (request == null) {
      return null;
    }
    byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
    return Json.tree(
        bytes.length <= LARGEST_REQUEST
            ? request
            : Json.write(
                Map.of(
                    "bytes",
                    bytes.length,
                    "sha256",
                    HexFormat.of().formatHex(Digest.sha256(bytes)))));
  }
}
