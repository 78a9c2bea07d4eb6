package dev.hapax.app.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.hapax.app.config.Settings;
import dev.hapax.time.Clock;
import java.text.ParseException;
import java.util.Date;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the ID token of a login: it says which person the issuer saw, and by its nonce for which
 * browser. It is no credential of this server. Safe for many threads.
 */
final class IdTokens {
  private static final Logger log = LoggerFactory.getLogger(IdTokens.class);

  private final Settings.Oidc settings;
  private final String client;
  private final IssuerKeys keys;
  private final Clock clock;

  IdTokens(Settings.Oidc settings, String client, IssuerKeys keys, Clock clock) {
    this.settings = settings;
    this.client = client;
    this.keys = keys;
    this.clock = clock;
  }

  /** Returns the person's subject; null if the token is not for this client and this login. */
  @Nullable String subject(String token, String nonce) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet()),
            keys));
    processor.setJWTClaimsSetVerifier(new Verifier(settings, client, nonce, clock));
    try {
      JWTClaimsSet claims = processor.process(SignedJWT.parse(token), null);
      Object party = claims.getClaim("azp");
      boolean isOurs = party == null ? claims.getAudience().size() == 1 : party.equals(client);
      return isOurs ? claims.getSubject() : null;
    } catch (ParseException | BadJOSEException | JOSEException | IllegalArgumentException e) {
      log.debug("an ID token was refused: {}", e.getMessage());
      return null;
    }
  }

  @SuppressWarnings("JavaUtilDate") // of the library
  private static final class Verifier extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final Clock clock;

    Verifier(Settings.Oidc settings, String client, String nonce, Clock clock) {
      super(
          Set.of(client),
          new JWTClaimsSet.Builder()
              .issuer(settings.issuer().toString())
              .claim("nonce", nonce)
              .build(),
          Set.of("sub", "exp", "iat"),
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
