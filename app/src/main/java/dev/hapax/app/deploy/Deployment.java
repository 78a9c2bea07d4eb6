package dev.hapax.app.deploy;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A deployment as it is stored: all that it wants, so that another person can approve it later.
 *
 * @param number 1 for the first one of its tenant
 * @param applied whether it is or was live; false while it waits for another person
 * @param plan the hash of its plan
 * @param folder the hash of its files
 * @param basis the number of the deployment that was live when it was planned; 0 if none was
 * @param by the name of its author, and {@code byId} the credential
 * @param at when it was made
 * @param retired the flows that it retires, and the releases that were live; null if it leaves
 *     flows alone that its folder does not have
 * @param alerts of the tenant; null if the folder says nothing about them
 */
record Deployment(
    int number,
    boolean applied,
    String plan,
    String folder,
    @Nullable String environment,
    int basis,
    boolean allowMissing,
    @Nullable String note,
    String by,
    String byId,
    Instant at,
    @Nullable String approvedBy,
    @Nullable Instant approvedAt,
    List<FlowPart> flows,
    List<ConnectionPart> connections,
    @Nullable List<RetiredPart> retired,
    @Nullable JsonNode alerts) {
  Deployment {
    alerts = alerts == null || alerts.isNull() ? null : alerts; // as JSON it is a null node
  }

  /** A flow and its release; of a flow that did not change, the one that was live. */
  record FlowPart(String flow, String hash, int release) {}

  /** A connection and its form, which holds no secret. */
  record ConnectionPart(String name, String hash, JsonNode form) {}

  /** A flow that is retired, and the release that was live. */
  record RetiredPart(String flow, int release) {}

  List<RetiredPart> retiredOrNone() {
    return retired == null ? List.of() : retired;
  }

  Deployment approved(String approver, Instant when) {
    return new Deployment(
        number,
        true,
        plan,
        folder,
        environment,
        basis,
        allowMissing,
        note,
        by,
        byId,
        at,
        approver,
        when,
        flows,
        connections,
        retired,
        alerts);
  }
}
