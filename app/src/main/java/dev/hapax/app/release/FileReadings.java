package dev.hapax.app.release;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flows.graph.FlowPicture;
import java.util.List;

/** What can be read from the files of flows: their pictures, and the findings in drafts. */
public final class FileReadings {
  private static final String SVG = "image/svg+xml";

  /** For a picture that is opened by itself: it has its own look, and nothing in it runs. */
  private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

  private final Releases releases;

  public FileReadings(Releases releases) {
    this.releases = releases;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/flows/{flow}/releases/{release}/picture",
                TokenScope.FLOWS_READ,
                "Get a picture of a release as SVG",
                this::picture)
            .about(FlowSubject.IN_PATH)
            .givesText(SVG),
        Route.get(
                "/api/flows/{flow}/draft/findings",
                TokenScope.FLOWS_READ,
                "Check the draft, and get its problems",
                this::findings)
            .about(FlowSubject.IN_PATH)
            .givesPage(FindingView.class));
  }

  private RouteAnswer picture(Call call) {
    FlowName flow = FlowRoutes.flow(call);
    int number = FlowRoutes.number("release", call.path("release"));
    releases.get(flow, number);
    return RouteAnswer.text(FlowPicture.svg(releases.compiled(flow, number).file()), SVG)
        .header("Content-Security-Policy", POLICY);
  }

  private RouteAnswer findings(Call call) {
    return RouteAnswer.ok(
        ShortList.of(call, FindingView.of(releases.draftFindings(FlowRoutes.flow(call)))));
  }
}
