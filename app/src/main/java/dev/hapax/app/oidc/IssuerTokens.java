package dev.hapax.app.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.hapax.app.access.RequestRates;
import dev.hapax.app.config.Settings;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.Problem;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.text.ParseException;
import java.util.Date;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the signed JSON web tokens of one issuer beside the tokens of this server. Everything
 * that decides comes from the settings: the keys from the issuer's own address, never from a
 * token's header; the algorithms from a list of those with public keys. Safe for many threads.
 */
public final class IssuerTokens implements Authenticator {
  private static final Logger log = LoggerFactory.getLogger(IssuerTokens.class);
  private static final int LONGEST = 8 * 1024;

  /** No token of this server has dots. */
  private static final Pattern FORM = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]*");

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
  private final ClaimMapping mapping;
  private final RequestRates rates;
  private final @Nullable Integer perSecond;

  private final IssuerClient client;
  private final IssuerKeys keys;

  private IssuerTokens(
      Settings.Oidc settings,
      @Nullable Integer perSecond,
      IssuerClient client,
      IssuerKeys keys,
      Predicate<String> tenants,
      Clock clock) {
    this.client = client;
    this.keys = keys;
    this.mapping = new ClaimMapping(settings, tenants);
    this.rates = new RequestRates(clock);
    this.perSecond = perSecond;
    Set<JWSAlgorithm> algorithms =
        settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT,
            new JOSEObjectType("at+jwt"),
            new JOSEObjectType("application/at+jwt"),
            null)); // many issuers name none
    processor.setJWTClaimsSetVerifier(new Verifier(settings, clock));
  }

  /**
   * The tokens of an issuer. It is asked when the first token comes, so it may be away now.
   *
   * @param perSecond how many requests of one subject are answered, on each node; null for no limit
   * @param tenants whether there is a tenant of this name
   * @throws IOException if the file of its authorities cannot be used
   */
  public static IssuerTokens of(
      Settings.Oidc settings, @Nullable Integer perSecond, Predicate<String> tenants, Ports ports)
      throws IOException {
    var client = new IssuerClient(settings.issuer(), settings.ca(), ports.clock());
    var keys = new IssuerKeys(client::keys, ports);
    return new IssuerTokens(settings, perSecond, client, keys, tenants, ports.clock());
  }

  /** Returns an authenticator for both: a token's form says whose it is. */
  public Authenticator beside(Authenticator own) {
    return token -> isJwt(token) ? actor(token) : own.actor(token);
  }

  IssuerClient client() {
    return client;
  }

  IssuerKeys keys() {
    return keys;
  }

  private static boolean isJwt(String token) {
    return token.length() <= LONGEST && FORM.matcher(token).matches();
  }

  @Override
  public @Nullable Actor actor(String token) {
    if (!isJwt(token)) {
      return null;
    }
    Actor actor;
    try {
      actor = mapping.actor(processor.process(SignedJWT.parse(token), null));
    } catch (ParseException | BadJOSEException | JOSEException | IllegalStateException e) {
      log.debug("a token of the issuer was refused: {}", e.getMessage());
      return null;
    } catch (IllegalArgumentException | StackOverflowError e) {
      return null; // no sense at all
    }
    if (actor != null) {
      limit(actor);
    }
    return actor;
  }

  private void limit(Actor actor) {
    long wait = perSecond == null ? 0 : rates.secondsToWait(actor.id(), perSecond);
    if (wait > 0) {
      throw Problem.rateLimited(
          "too many requests of '%s': try again in %d s".formatted(actor.name(), wait), wait);
    }
  }

  /** Whose token it is, for whom and how long; by this server's clock. */
  @SuppressWarnings("JavaUtilDate") // of the library
  private static final class Verifier extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final Clock clock;

    Verifier(Settings.Oidc settings, Clock clock) {
      super(
          settings.audiences(),
          new JWTClaimsSet.Builder().issuer(settings.issuer().toString()).build(),
          Set.of("sub", "exp"),
          null);
      this.clock = clock;
      setMaxClockSkew((int) settings.skew().toSeconds());
    }

    @Override
    protected Date currentTime() {
      return Date.from(clock.now());
    }
  }
}
