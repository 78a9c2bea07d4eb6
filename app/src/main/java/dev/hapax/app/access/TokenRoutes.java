package dev.hapax.app.access;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.Names;
import dev.hapax.flows.expression.Durations;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the caller's tenant over HTTP. A token's text is in one answer only: the one that
 * creates it.
 */
public final class TokenRoutes {
  private static final int MOST_PER_SECOND = 1_000_000;

  private final TokenBook tokens;
  private final Clock clock;

  /** A new token's properties; {@code expiresIn} as in flow files, never if it is not given. */
  private record TokenBody(
      @Nullable String name,
      @Nullable List<String> scopes,
      @Nullable List<String> roles,
      @Nullable String expiresIn,
      @Nullable Integer perSecond) {}

  public TokenRoutes(TokenBook tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/tokens", Scope.ADMIN, "The tokens of the tenant", this::list)
            .givesPage(TokenView.class),
        Route.post("/api/tokens", Scope.ADMIN, "Make a token, shown once", this::create)
            .takes(TokenBody.class)
            .gives(201, TokenView.Created.class),
        Route.delete("/api/tokens/{id}", Scope.ADMIN, "Revoke a token", this::revoke)
            .gives(200, TokenView.class));
  }

  private Answer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    List<Token> left =
        tokens.list(call.actor().tenant()).stream()
            .filter(token -> after == null || token.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Token::id))
            .toList();
    return Answer.ok(Page.of(left, call.limit(), TokenView::of, Token::id));
  }

  private Answer create(Call call) {
    TokenBody wish = call.json(TokenBody.class);
    if (wish.name() == null || wish.scopes() == null || wish.scopes().isEmpty()) {
      throw Problem.invalidInput("body: expected {\"name\": \"…\", \"scopes\": [\"…\"]}");
    }
    Integer perSecond = wish.perSecond();
    if (perSecond != null && (perSecond < 1 || perSecond > MOST_PER_SECOND)) {
      throw Problem.invalidInput(
          "perSecond: expected 1 to %,d, got %d".formatted(MOST_PER_SECOND, perSecond));
    }
    TokenBook.Made made =
        tokens.create(
            new TokenBook.Wanted(
                call.actor().tenant(),
                Names.text("name", wish.name()),
                wish.scopes(),
                wish.roles() == null ? List.of() : wish.roles(),
                perSecond,
                expiry(wish.expiresIn())),
            call.actor().name());
    return Answer.created(TokenView.Created.of(made), "/api/tokens/" + made.token().id());
  }

  private @Nullable Instant expiry(@Nullable String expiresIn) {
    if (expiresIn == null) {
      return null;
    }
    Duration length = Durations.parse(expiresIn);
    if (length == null || length.isZero()) {
      throw Problem.invalidInput(
          "expiresIn: expected a length of time as '90d', got '%s'".formatted(expiresIn));
    }
    return clock.now().plus(length);
  }

  private Answer revoke(Call call) {
    Token revoked = tokens.revoke(call.actor().tenant(), call.path("id"));
    if (revoked == null) {
      throw Problem.notFound("there is no token '%s'".formatted(call.path("id")));
    }
    return Answer.ok(TokenView.of(revoked));
  }
}
