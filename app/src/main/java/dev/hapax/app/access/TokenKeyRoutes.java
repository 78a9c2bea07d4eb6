package dev.hapax.app.access;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
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
  private record KeysView(int current, List<TokenKeyBook.Version> items) {}

  TokenKeyRoutes(TokenKeyBook keys) {
    this.keys = keys;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api/token-keys",
                TokenScope.ADMIN,
                "List the versions of the key of callback and approval tokens",
                OperatorRoutes.operator(_ -> RouteAnswer.ok(view())))
            .gives(200, KeysView.class),
        Route.post(
                "/api/token-keys",
                TokenScope.ADMIN,
                "Make a new key of callback and approval tokens; open waits keep theirs unless they are revoked",
                OperatorRoutes.operator(this::rotate))
            .takes(RotateBody.class)
            .gives(201, TokenKeyBook.Rotated.class));
  }

  private KeysView view() {
    return new KeysView(keys.current(), keys.list());
  }

  private RouteAnswer rotate(Call call) {
    boolean revoke = Boolean.TRUE.equals(call.jsonOrEmpty(RotateBody.class).revoke());
    return RouteAnswer.of(201, keys.rotate(revoke));
  }
}
