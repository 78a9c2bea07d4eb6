package dev.hapax.app.access;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.time.Clock;
import java.net.InetAddress;
import java.nio.ByteBuffer;
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
  public Answer around(Route route, Request request, Supplier<Answer> handling) {
    long wait =
        perSecond == null ? 0 : rates.secondsToWait(whose(request.remoteAddress()), perSecond);
    return wait == 0
        ? handling.get()
        : Problem.rateLimited(
                "the address %s asks too often; come back in %d s"
                    .formatted(request.remoteAddress(), wait),
                wait)
            .answer();
  }

  /** An owner of one IPv6 address has at least all that begin with the same 64 bits. */
  static String whose(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.ofLiteral(address.replaceFirst("%.*", "")).getAddress();
      return bytes.length == 16 ? Long.toHexString(ByteBuffer.wrap(bytes).getLong()) : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
