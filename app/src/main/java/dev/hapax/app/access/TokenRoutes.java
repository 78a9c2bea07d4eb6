package dev.hapax.app.access;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.Names;
import dev.hapax.flows.expression.Durations;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the caller's tenant over HTTP. A token's text is in one answer only: the one that
 * creates it.
 */
public final class TokenRoutes {
  private static final int MOST_PER_SECOND = 1_000_000;

  private final TokenBook tokens;
  private final Clock clock;

  /**
   * A new token's properties.
   *
   * @param expiresIn as in flow files, never if it is not given
   * @param flows names of flows, or their beginnings with a {@code *}
   * @param labels of flows that it may use beside those; all flows if neither is given
   */
  private record TokenBody(
      @Nullable String name,
      @Nullable List<@Nullable String> scopes,
      @Nullable List<@Nullable String> roles,
      @Nullable String expiresIn,
      @Nullable Integer perSecond,
      @Nullable List<@Nullable String> flows,
      @Nullable List<@Nullable String> labels) {}

  public TokenRoutes(TokenBook tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/tokens", TokenScope.ADMIN, "List the tokens of the tenant", this::list)
            .givesPage(TokenView.class),
        Route.post(
                "/api/tokens", TokenScope.ADMIN, "Create a token; it is shown once", this::create)
            .takes(TokenBody.class)
            .gives(201, TokenView.Created.class),
        Route.delete("/api/tokens/{id}", TokenScope.ADMIN, "Revoke a token", this::revoke)
            .gives(200, TokenView.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    List<Token> left =
        tokens.list(call.actor().tenant()).stream()
            .filter(token -> after == null || token.id().compareTo(after) > 0)
            .sorted(Comparator.comparing(Token::id))
            .toList();
    return RouteAnswer.ok(Page.of(left, call.limit(), TokenView::of, Token::id));
  }

  private RouteAnswer create(Call call) {
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
                words("scopes", wish.scopes()),
                wish.roles() == null ? List.of() : words("roles", wish.roles()),
                perSecond,
                expiry(wish.expiresIn()),
                limit(wish)),
            call.actor().name());
    return RouteAnswer.created(TokenView.Created.of(made), "/api/tokens/" + made.token().id());
  }

  /** Refuses null among the words: JSON may contain it. */
  private static List<String> words(String name, List<@Nullable String> given) {
    List<String> words = given.stream().filter(Objects::nonNull).toList();
    if (words.size() < given.size()) {
      throw Problem.invalidInput("%s: expected words, got null among them".formatted(name));
    }
    return words;
  }

  private static FlowLimit limit(TokenBody wish) {
    return new FlowLimit(
        part("flows", "names such as [\"order\", \"billing-*\"]", wish.flows()),
        part("labels", "labels such as [\"billing\"]", wish.labels()));
  }

  private static List<String> part(
      String name, String expected, @Nullable List<@Nullable String> given) {
    if (given == null) {
      return List.of();
    }
    if (given.isEmpty()) {
      throw Problem.invalidInput(
          "%s: expected %s, got an empty list. Leave it out for no limit of this kind"
              .formatted(name, expected));
    }
    return words(name, given);
  }

  private @Nullable Instant expiry(@Nullable String expiresIn) {
    if (expiresIn == null) {
      return null;
    }
    Duration length = Durations.parse(expiresIn);
    if (length == null || length.isZero()) {
      throw Problem.invalidInput(
          "expiresIn: expected a duration such as '90d', got '%s'".formatted(expiresIn));
    }
    return clock.now().plus(length);
  }

  private RouteAnswer revoke(Call call) {
    Token revoked = tokens.revoke(call.actor().tenant(), call.path("id"));
    if (revoked == null) {
      throw Problem.notFound("there is no token '%s'".formatted(call.path("id")));
    }
    return RouteAnswer.ok(TokenView.of(revoked));
  }
}
