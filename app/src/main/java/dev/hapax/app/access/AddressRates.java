package dev.hapax.app.access;

import dev.hapax.app.http.PeerAddress;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the request rate of each address, for all routes. It applies before the token is checked,
 * so it also limits guessing of tokens. The address is that of the peer, never one from a header.
 */
final class AddressRates implements Routes.Observer {
  private final RequestRates rates;
  private final @Nullable Integer perSecond;

  AddressRates(Clock clock, @Nullable Integer perSecond) {
    this.rates = new RequestRates(clock);
    this.perSecond = perSecond;
  }

  @Override
  public RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling) {
    long wait =
        perSecond == null
            ? 0
            : rates.secondsToWait(PeerAddress.owner(request.remoteAddress()), perSecond);
    return wait == 0
        ? handling.get()
        : Problem.rateLimited(
                "too many requests from address %s: try again in %d s"
                    .formatted(request.remoteAddress(), wait),
                wait)
            .answer();
  }
}
