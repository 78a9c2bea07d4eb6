package dev.hapax.app.api;

import dev.hapax.Kept;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.RetentionView;
import java.util.List;

/** {@code /api/retention}: what is deleted when, what is held, and why a record is still there. */
public final class RetentionRoutes {
  private static final int USUAL_DAYS = 7;

  private RetentionRoutes() {}

  public static List<Route> routes() {
    return List.of(
        Route.get(
                "/api/retention",
                TokenScope.ADMIN,
                "Get what will be deleted when, what is held and why, and what was deleted lately",
                RetentionRoutes::outlook)
            .query("days", "How far to look ahead and back: 1 to 90, default 7.")
            .gives(200, RetentionView.class),
        Route.get(
                "/api/retention/{id}",
                TokenScope.ADMIN,
                "Get until when a run or an effect is kept, and why",
                RetentionRoutes::kept)
            .gives(200, RetentionView.KeptView.class));
  }

  private static RouteAnswer outlook(Call call) {
    call.allowQuery("days");
    return RouteAnswer.ok(RetentionView.of(call.hapax().retention().outlook(days(call))));
  }

  private static int days(Call call) {
    String given = call.query("days");
    try {
      return given == null ? USUAL_DAYS : Integer.parseInt(given);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("days: expected 1 to 90, got '%s'".formatted(given));
    }
  }

  private static RouteAnswer kept(Call call) {
    call.allowQuery();
    String id = call.path("id");
    return RouteAnswer.ok(RetentionView.KeptView.of(id, explained(call, id)));
  }

  /** A malformed id counts as not found. */
  private static Kept explained(Call call, String id) {
    try {
      return id.startsWith("e-")
          ? call.hapax().retention().explainEffect(id)
          : call.hapax().retention().explainRun(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no run or effect '%s'".formatted(id));
    }
  }
}
