package dev.hapax.app.secret;

import dev.hapax.Hapax;
import dev.hapax.app.data.Records;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.TrialStage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Tries connections over HTTP. The caller needs the right to use connections: a trial sends the
 * connection's credential to its destination.
 */
public final class TrialRoutes {
  /** Each holds a thread and a socket for some seconds. */
  private static final int MOST_AT_ONCE = 16;

  private static final long RETRY_SECONDS = 5;

  private final Function<String, FlowFiles> filesOfTenant;
  private final Hapax hapax;
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  /**
   * The result of a trial.
   *
   * @param kind {@code http} for example, the member of the form that makes it one
   * @param ok whether no stage failed
   */
  record TrialView(String name, String kind, boolean ok, List<TrialStage> stages) {
    static TrialView of(TrialReport report) {
      return new TrialView(
          report.connection().name(),
          report.connection().kind().word(),
          report.isOk(),
          report.stages());
    }
  }

  /**
   * The routes of a server.
   *
   * @param filesOfTenant the connections and secrets of each tenant
   */
  public TrialRoutes(Function<String, FlowFiles> filesOfTenant, Hapax hapax) {
    this.filesOfTenant = filesOfTenant;
    this.hapax = hapax;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/connections/{name}/test",
                TokenScope.CONNECTIONS_USE,
                "Try a connection without any effect",
                this::test)
            .about(FlowSubject.SHARED)
            .gives(200, TrialView.class));
  }

  private RouteAnswer test(Call call) {
    if (hapax.restored() != null) {
      throw Problem.restored(
          "the store was restored, and this server sends nothing until a person declares it: hapax restore");
    }
    String name = call.path("name");
    String key = Records.name(call.actor().tenant(), name);
    if (running.size() >= MOST_AT_ONCE || !running.add(key)) {
      throw Problem.rateLimited(
          "connection '%s' is being tested, or %d others are. Try again in a moment."
              .formatted(name, MOST_AT_ONCE),
          RETRY_SECONDS);
    }
    try {
      return RouteAnswer.ok(
          filesOfTenant
              .apply(call.actor().tenant())
              .tryConnection(name)
              .map(TrialView::of)
              .orElseThrow(
                  () ->
                      Problem.notFound(
                          "there is no connection '%s', or the store is a copy and the connection was not written again"
                              .formatted(name))));
    } finally {
      running.remove(key);
    }
  }
}
