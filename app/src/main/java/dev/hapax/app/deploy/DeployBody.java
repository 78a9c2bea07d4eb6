package dev.hapax.app.deploy;

import dev.hapax.app.http.Problem;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.secret.form.ConnectionForm;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The files of a folder, with the values of one environment.
 *
 * @param environment its name, for people and for the next plan
 * @param approval {@code other-person} if another person must approve it before it is live
 * @param allowMissing whether flows may need what this server does not have yet
 * @param prune whether flows that this folder had in an earlier deployment are retired
 * @param note what changed, for people
 * @param connections by name
 * @param alerts of the tenant, for all its flows; null if the folder says nothing about them
 * @param plan the hash of the plan that is to be carried out; only for a deployment
 */
record DeployBody(
    @Nullable String environment,
    @Nullable String approval,
    @Nullable Boolean allowMissing,
    @Nullable Boolean prune,
    @Nullable String note,
    @Nullable List<FlowBatch.Source> flows,
    @Nullable Map<String, ConnectionForm> connections,
    @Nullable JsonNode alerts,
    @Nullable String plan) {
  static final String OTHER_PERSON = "other-person";

  private static final Pattern ENVIRONMENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final int MOST = 1_000;
  private static final int LONGEST_NOTE = 1_000;

  /**
   * Returns what is wanted.
   *
   * @param body as it arrived, with the forms of connections as they were written
   */
  DeployContent content(JsonNode body, boolean alwaysByTwo) {
    if (environment != null && !ENVIRONMENT.matcher(environment).matches()) {
      throw Problem.invalidInput(
          "environment: expected 1 to 64 letters, digits, '.', '_' or '-', got another text");
    }
    if (approval != null && !approval.equals(OTHER_PERSON)) {
      throw Problem.invalidInput("approval: expected '%s' or nothing".formatted(OTHER_PERSON));
    }
    if (note != null && note.length() > LONGEST_NOTE) {
      throw Problem.invalidInput(
          "note: expected at most %,d characters, got %,d".formatted(LONGEST_NOTE, note.length()));
    }
    List<FlowBatch.Source> files = flows == null ? List.of() : flows;
    JsonNode forms = body.path("connections");
    if (files.size() > MOST || forms.size() > MOST) {
      throw Problem.invalidInput(
          "expected at most %,d flows and as many connections, got %,d and %,d"
              .formatted(MOST, files.size(), forms.size()));
    }
    if (files.isEmpty() && forms.isEmpty() && !hasAlerts()) {
      throw Problem.invalidInput("expected flows, connections or alerts, got none");
    }
    var byName = new TreeMap<String, JsonNode>();
    forms.properties().forEach(form -> byName.put(form.getKey(), form.getValue()));
    return new DeployContent(
        environment,
        alwaysByTwo || approval != null,
        Boolean.TRUE.equals(allowMissing),
        Boolean.TRUE.equals(prune),
        note,
        files,
        byName,
        hasAlerts() ? alerts : null);
  }

  private boolean hasAlerts() {
    return alerts != null && !alerts.isNull();
  }
}
