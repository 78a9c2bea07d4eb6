package dev.hapax.app.deploy;

import dev.hapax.app.release.FindingView;
import dev.hapax.app.release.OpenRuns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan, as people see it.
 *
 * @param plan its hash, which a deployment names
 * @param folder the hash of the files with the values of the environment
 * @param changes whether there is anything to do
 * @param approval {@code other-person} if another person must approve it; null otherwise
 * @param flows those that change, and those that are only on the server
 * @param connections likewise
 * @param alerts the alerts of the tenant that change, and other members of their file; empty for
 *     none
 * @param drift what was changed on the server since the last deployment, not by a deployment
 * @param unchanged how many flows and connections of the folder are on the server already
 * @param findings warnings about what changes
 */
record PlanView(
    String plan,
    String folder,
    @Nullable String environment,
    boolean changes,
    @Nullable String approval,
    List<FlowChange> flows,
    List<ConnectionChange> connections,
    List<String> alerts,
    List<Drift> drift,
    int unchanged,
    List<FindingView> findings) {

  /**
   * The change of a flow.
   *
   * @param change the word new, changed, removed (only on the server, and stays) or retired
   * @param live the number of the release that is live now; null if there is none
   * @param hash of the file; null if the folder has none
   * @param runs those that have not ended, by release
   * @param meaning what happens to them
   */
  record FlowChange(
      String flow,
      String change,
      @Nullable Integer live,
      @Nullable String hash,
      List<OpenRuns> runs,
      String meaning) {}

  /**
   * The change of a connection.
   *
   * @param change the word new, changed or removed
   * @param fields that differ
   */
  record ConnectionChange(String connection, String change, List<String> fields) {}

  /**
   * Something on the server that no deployment has made so.
   *
   * @param kind {@code flow}, {@code draft}, {@code connection} or {@code environment}
   */
  record Drift(String kind, String name, String message) {}
}
