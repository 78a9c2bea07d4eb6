package dev.hapax.app.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How an effect that is missing at its destination can be sent again: a replay of its run forces
 * it, as the next revision.
 *
 * @param effect its id
 * @param revision that is missing
 * @param possible whether it can be sent
 * @param why it cannot be sent
 * @param run that is replayed
 * @param step from which on it is replayed
 * @param sends the revision that would be sent
 * @param wireKey that would be sent
 * @param request that would be sent, without secrets; its size and hash if it is large
 * @param later steps after it whose requests depend on its answer
 * @param absent how it is known that the destination does not have it
 * @param digest of the plan that a person saw
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RepairPlan(
    String effect,
    int revision,
    boolean possible,
    @Nullable String why,
    @Nullable String run,
    @Nullable String step,
    @Nullable String item,
    @Nullable Integer sends,
    @Nullable String wireKey,
    @Nullable JsonNode request,
    @Nullable List<String> later,
    @Nullable String absent,
    @Nullable String digest) {

  static RepairPlan impossible(String effect, int revision, String why) {
    return new RepairPlan(
        effect, revision, false, why, null, null, null, null, null, null, null, null, null);
  }
}
