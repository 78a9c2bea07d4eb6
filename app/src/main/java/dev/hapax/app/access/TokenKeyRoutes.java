package dev.hapax.app.access;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.TokenKeyBook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of callback and approval tokens over HTTP: listed and replaced, never read. */
final class TokenKeyRoutes {
  private final TokenKeyBook keys;

  /** Whether the tokens of all earlier keys end. */
  private record RotateBody(@Nullable Boolean revoke) {}

  /** The versions whose tokens are valid, and the one for new waits. */
  private record KeysView(int current, List<TokenKeyBook.Version> items, @Nullable String next) {}

  TokenKeyRoutes(TokenKeyBook keys) {
    this.keys = keys;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api/token-keys",
                TokenScope.ADMIN,
                "List the versions of the key of callback and approval tokens",
                OperatorRoutes.operator(this::list))
            .gives(200, KeysView.class)
            .paged(),
        Route.post(
                "/api/token-keys",
                TokenScope.ADMIN,
                "Make a new key of callback and approval tokens; open waits keep theirs unless they are revoked",
                OperatorRoutes.operator(this::rotate))
            .takes(RotateBody.class)
            .gives(201, TokenKeyBook.Rotated.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    ShortList<TokenKeyBook.Version> page = ShortList.of(call, keys.list());
    return RouteAnswer.ok(new KeysView(keys.current(), page.items(), page.next()));
  }

  private RouteAnswer rotate(Call call) {
    boolean revoke = Boolean.TRUE.equals(call.jsonOrEmpty(RotateBody.class).revoke());
    return RouteAnswer.of(201, keys.rotate(revoke));
  }
}
