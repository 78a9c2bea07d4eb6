package dev.hapax.job;

import dev.hapax.flow.JobSelection;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Reviewed;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a job of one of the kinds here was asked to do.
 *
 * @param within the only flows that it may touch, each a name or the beginning of names and a
 *     {@code *}; null for all
 * @param compensate for a cancel, or a settlement as happened: also undoes the effects
 * @param decision of a settlement
 * @param result of a settlement as happened
 * @param seen of a settlement: what the person saw, by the ids of effects; null if that is not
 *     known
 * @param wish of a replay
 * @param release of a replay: {@code live} for the release that is live when a run is planned
 * @param applyReason that was given when the plan was applied
 */
public record JobSpec(
    JobSelection filter,
    @Nullable List<String> within,
    @Nullable String reason,
    @Nullable Boolean compensate,
    @Nullable String decision,
    @Nullable JsonNode result,
    @Nullable Map<String, Reviewed> seen,
    @Nullable ReplayWish wish,
    @Nullable String release,
    @Nullable String applyReason) {
  static final String APPLY_REASON = "applyReason";

  /** Of runs, limited to some flows. */
  public static JobSpec of(JobSelection filter, @Nullable List<String> within) {
    return new JobSpec(filter, within, null, null, null, null, null, null, null, null);
  }

  /** The last one that was read: a job reads its own for each of its items. */
  private record Cached(String text, JobSpec spec) {}

  private static volatile @Nullable Cached last;

  public static JobSpec read(String text) {
    Cached known = last;
    if (known != null && known.text().equals(text)) {
      return known.spec();
    }
    JobSpec spec = parsed(text);
    last = new Cached(text, spec);
    return spec;
  }

  private static JobSpec parsed(String spec) {
    try {
      JobSpec read = Json.read(spec, JobSpec.class);
      JobSelection filter = read.filter();
      return filter == null ? read.all() : read;
    } catch (NotSerializable e) {
      throw new IllegalArgumentException("the job cannot be read: " + e.getMessage(), e);
    }
  }

  private JobSpec all() {
    return new JobSpec(
        JobSelection.NONE,
        within,
        reason,
        compensate,
        decision,
        result,
        seen,
        wish,
        release,
        applyReason);
  }

  /** Whether it may touch runs of this flow. */
  public boolean allows(String flow) {
    return within == null || within.stream().anyMatch(name -> matches(name, flow));
  }

  static boolean matches(String name, String flow) {
    return name.endsWith("*")
        ? flow.startsWith(name.substring(0, name.length() - 1))
        : flow.equals(name);
  }
}
