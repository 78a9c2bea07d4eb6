package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes a person's declaration of a restored store. Until then the server sends nothing. */
public final class Restores {
  /** The tenant whose admin runs the server. */
  private static final String OPERATOR = "default";

  private final Hapax hapax;
  private final Runnable whenDeclared;

  /**
   * The restored store of a server.
   *
   * @param hapax as it was opened
   * @param whenDeclared runs after a person has declared the store
   */
  public Restores(Hapax hapax, Runnable whenDeclared) {
    this.hapax = hapax;
    this.whenDeclared = whenDeclared;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/restore",
                TokenScope.ADMIN,
                "Get whether the store was restored and waits for a person",
                this::show)
            .gives(200, State.class),
        Route.post(
                "/api/restore",
                TokenScope.ADMIN,
                "Say what the restored store is: production or copy",
                this::say)
            .takes(RestoreBody.class)
            .gives(200, State.class));
  }

  /**
   * @param erasures lines of the list of erasures, which are applied before anything continues
   */
  private record RestoreBody(@Nullable String as, @Nullable List<String> erasures) {}

  /**
   * The state of the store.
   *
   * @param lostSince changes after this time are not in it
   * @param store its id, which the setting {@code store.copySends} of a copy names
   */
  private record State(
      boolean restored,
      @Nullable String why,
      @Nullable Instant lostSince,
      @Nullable String as,
      String store) {}

  private RouteAnswer show(Call call) {
    refuseOthers(call);
    return RouteAnswer.ok(state(null));
  }

  private State state(@Nullable String as) {
    Restored now = hapax.restored();
    String store = Long.toString(hapax.storeId(), Character.MAX_RADIX);
    return now == null
        ? new State(false, null, null, as, store)
        : new State(true, now.why().name().toLowerCase(Locale.ROOT), now.lostSince(), as, store);
  }

  private RouteAnswer say(Call call) {
    refuseOthers(call);
    RestoreBody body = call.jsonOrEmpty(RestoreBody.class);
    String as = body.as();
    for (Restoration one : Restoration.values()) {
      if (one.word().equals(as)) {
        return say(one, body.erasures());
      }
    }
    throw Problem.invalidInput("as: expected production or copy, got '%s'".formatted(as));
  }

  private RouteAnswer say(Restoration as, @Nullable List<String> erasures) {
    try {
      if (erasures != null && hapax.restored() != null) {
        hapax.subjects().restoreErasures(erasures);
      }
      hapax.restore(as);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      throw Problem.notPossible(String.valueOf(e.getMessage()));
    }
    whenDeclared.run();
    return RouteAnswer.ok(state(as.word()));
  }

  private static void refuseOthers(Call call) {
    if (!call.actor().tenant().equals(OPERATOR)) {
      throw Problem.forbidden(
          "the store holds all tenants: only an admin of tenant '%s' may say what it is"
              .formatted(OPERATOR));
    }
  }
}
