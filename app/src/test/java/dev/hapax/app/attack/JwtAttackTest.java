package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that were made up, changed, or issued for something else. */
@Tag("attack")
@SuppressWarnings({"MemberName", "JavaUtilDate"}) // names are sentences; dates of the library
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JwtAttackTest {
  private static final AtomicInteger ASKED = new AtomicInteger();
  private static final AtomicInteger LURED = new AtomicInteger();

  @TempDir static Path folder;
  private static HttpServer issuer;
  private static String name;
  private static RSAKey rsa;
  private static ECKey ec;
  private static RSAKey theirs;
  private static RSAKey weak;
  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    theirs = new RSAKeyGenerator(2048).keyID("rsa").generate();
    weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
    OctetSequenceKey shared = new OctetSequenceKey.Builder(new byte[32]).keyID("oct").build();
    String keys = new JWKSet(List.of(rsa, ec, weak, shared)).toString(false);
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    name = "http://127.0.0.1:" + issuer.getAddress().getPort();
    answer("/keys", keys, ASKED);
    answer(
        "/.well-known/openid-configuration",
        "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(name, name),
        ASKED);
    answer("/lure", new JWKSet(theirs).toString(), LURED);
    issuer.start();
    server =
        new TestServer(
            folder,
            "oidc.issuer=" + name,
            "oidc.audience=hapax",
            "oidc.tenantClaim=tenant",
            "http.wrongTokensPerAddress=off");
    server.post("/api/tenants", "{\"name\":\"acme\"}");
  }

  private static void answer(String path, String body, AtomicInteger count) {
    issuer.createContext(
        path,
        exchange -> {
          count.incrementAndGet();
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.stop(0);
  }

  private static JWTClaimsSet.Builder good() {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(name)
        .audience("hapax")
        .subject("ann")
        .claim("tenant", "acme")
        .claim("scope", "runs:read admin")
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  private static String signed(JWSHeader.Builder header, JWTClaimsSet claims, JWSSigner signer)
      throws Exception {
    var jwt = new SignedJWT(header.build(), claims);
    jwt.sign(signer);
    return jwt.serialize();
  }

  private static JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").type(JOSEObjectType.JWT);
  }

  /** A token of the issuer, with other claims than it should have. */
  private static String claiming(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    return signed(header(), change.apply(good()).build(), new RSASSASigner(rsa));
  }

  /** A token with these texts as header and payload, and this signature. */
  private static String raw(String header, String payload, String signature) {
    return Base64URL.encode(header) + "." + Base64URL.encode(payload) + "." + signature;
  }

  private static int status(String token, String path) {
    return server
        .send(server.request(path).GET().setHeader("Authorization", "Bearer " + token))
        .status();
  }

  @Test
  void no_forged_token_is_accepted_and_no_good_one_is_more_than_it_says() throws Exception {
    String good = claiming(claims -> claims);
    assertThat(status(good, "/api/runs")).isEqualTo(200);
    assertThat(status(good, "/api/tokens")).as("no word makes an admin").isEqualTo(403);
    assertThat(
            status(
                signed(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec"),
                    good().build(),
                    new ECDSASigner(ec)),
                "/api/runs"))
        .isEqualTo(200);

    Map<String, String> attacks = new LinkedHashMap<>();
    algorithms(attacks, good);
    keys(attacks);
    claims(attacks);
    shapes(attacks, good);
    var accepted = new ArrayList<String>();
    attacks.forEach(
        (what, token) -> {
          int status = status(token, "/api/runs");
          if (status != 401 && status != 431) {
            accepted.add(what + ": " + status);
          }
        });
    assertThat(accepted).isEmpty();
    assertThat(LURED).as("addresses in tokens are not asked").hasValue(0);
    AttackTable.held(JwtAttackTest.class, "Forged JSON web tokens", attacks.size());
  }

  private static void algorithms(Map<String, String> attacks, String good) throws Exception {
    String payload = good().build().toString();
    for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
      for (String signature : List.of("", "AAAA", good.substring(good.lastIndexOf('.') + 1))) {
        attacks.put(
            "alg '%s' with '%s'".formatted(none, signature),
            raw("{\"alg\":\"%s\",\"kid\":\"rsa\"}".formatted(none), payload, signature));
      }
    }
    byte[] der = rsa.toRSAPublicKey().getEncoded();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n" + Base64.encode(der) + "\n-----END PUBLIC KEY-----\n";
    Map<String, byte[]> secrets =
        Map.of(
            "der", der,
            "pem", pem.getBytes(StandardCharsets.UTF_8),
            "jwk", rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
            "modulus", rsa.getModulus().decode(),
            "shared", new byte[64]);
    for (Map.Entry<String, byte[]> secret : secrets.entrySet()) {
      for (JWSAlgorithm shared :
          List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512)) {
        for (String kid : List.of("rsa", "oct")) {
          attacks.put(
              "%s with the %s as %s".formatted(shared, secret.getKey(), kid),
              signed(
                  new JWSHeader.Builder(shared).keyID(kid),
                  good().build(),
                  new MACSigner(secret.getValue())));
        }
      }
    }
    for (JWSAlgorithm other :
        List.of(JWSAlgorithm.RS384, JWSAlgorithm.RS512, JWSAlgorithm.PS384, JWSAlgorithm.PS512)) {
      attacks.put(
          "an algorithm that is not listed: " + other,
          signed(new JWSHeader.Builder(other).keyID("rsa"), good().build(), new RSASSASigner(rsa)));
    }
    for (String alg : List.of("ES256", "ES384", "ES256K", "EdDSA", "RSA1_5", "dir", "PBES2")) {
      attacks.put(
          "a signature of zeros for " + alg,
          raw(
              "{\"alg\":\"%s\",\"kid\":\"ec\"}".formatted(alg),
              payload,
              Base64URL.encode(new byte[64]).toString()));
    }
  }

  private static void keys(Map<String, String> attacks) throws Exception {
    var signer = new RSASSASigner(theirs);
    JWTClaimsSet claims = good().build();
    attacks.put("their key under our name", signed(header(), claims, signer));
    attacks.put(
        "their key in the header", signed(header().jwk(theirs.toPublicJWK()), claims, signer));
    URI lure = URI.create(name + "/lure");
    attacks.put("jku", signed(header().jwkURL(lure), claims, signer));
    attacks.put("x5u", signed(header().x509CertURL(lure), claims, signer));
    attacks.put(
        "x5c",
        signed(header().x509CertChain(List.of(Base64.encode(new byte[64]))), claims, signer));
    attacks.put(
        "a weak key of the issuer",
        signed(
            header().keyID("weak"),
            claims,
            new RSASSASigner(weak, Set.of(AllowWeakRSAKey.getInstance()))));
    for (String kid :
        List.of(
            "",
            "ec",
            "oct",
            "RSA",
            "rsa ",
            "../../../dev/null",
            "/etc/passwd",
            "rsa' or '1'='1",
            "http://127.0.0.1/lure",
            "rsa\u0000",
            "*",
            "x".repeat(2_000))) {
      attacks.put("kid '%s'".formatted(kid), signed(header().keyID(kid), claims, signer));
    }
    attacks.put("no kid", signed(header().keyID(null), claims, signer));
    attacks.put(
        "an extension that must be understood",
        signed(
            header().criticalParams(Set.of("exp")).customParam("exp", 1),
            claims,
            new RSASSASigner(rsa)));
  }

  private static void claims(Map<String, String> attacks) throws Exception {
    Instant now = Instant.now();
    attacks.put("expired", claiming(c -> c.expirationTime(Date.from(now.minusSeconds(120)))));
    attacks.put("without an end", claiming(c -> c.expirationTime(null)));
    attacks.put("not yet", claiming(c -> c.notBeforeTime(Date.from(now.plusSeconds(600)))));
    for (@Nullable String issuer :
        new @Nullable String[] {
          null,
          "",
          name + "/",
          name.toUpperCase(Locale.ROOT),
          "https" + name.substring(4),
          name + ".evil.example",
          "evil " + name
        }) {
      attacks.put("issuer '%s'".formatted(issuer), claiming(c -> c.issuer(issuer)));
    }
    for (@Nullable String audience :
        new @Nullable String[] {null, "", "Hapax", "hapax ", "hapax.evil", "urn:other", "*"}) {
      attacks.put("audience '%s'".formatted(audience), claiming(c -> c.audience(audience)));
    }
    attacks.put("other audiences", claiming(c -> c.audience(List.of("a", "b"))));
    attacks.put("no subject", claiming(c -> c.subject(null)));
    attacks.put("an empty subject", claiming(c -> c.subject(" ")));
    for (@Nullable Object tenant :
        new @Nullable Object[] {
          null,
          "",
          "default",
          "rival",
          "ACME",
          "acme ",
          "acme/x",
          "../acme",
          "acme\u0000",
          "hapax/server",
          7,
          true,
          List.of("acme"),
          Map.of("acme", "acme")
        }) {
      attacks.put("tenant '%s'".formatted(tenant), claiming(c -> c.claim("tenant", tenant)));
    }
    for (String type : List.of("logout+jwt", "dpop+jwt", "secevent+jwt", "JOSE", "x")) {
      attacks.put(
          "type " + type,
          signed(header().type(new JOSEObjectType(type)), good().build(), new RSASSASigner(rsa)));
    }
  }

  private static void shapes(Map<String, String> attacks, String good) throws Exception {
    String[] parts = good.split("\\.", -1);
    String signature = parts[2];
    for (int i = 0; i < signature.length(); i += 20) {
      char other = signature.charAt(i) == 'A' ? 'B' : 'A';
      attacks.put(
          "letter %d of the signature changed".formatted(i),
          parts[0]
              + "."
              + parts[1]
              + "."
              + signature.substring(0, i)
              + other
              + signature.substring(i + 1));
    }
    attacks.put("without its signature", parts[0] + "." + parts[1] + ".");
    attacks.put("half a signature", good.substring(0, good.length() - 100));
    attacks.put("two parts", parts[0] + "." + parts[1]);
    attacks.put("four parts", good + ".AAAA");
    attacks.put("five parts", parts[0] + "..AAAA.AAAA.AAAA");
    attacks.put("only dots", "..");
    attacks.put("padding", good + "==");
    attacks.put(
        "another payload",
        parts[0]
            + "."
            + Base64URL.encode(good().subject("eve").build().toString())
            + "."
            + signature);
    attacks.put(
        "another header",
        Base64URL.encode("{\"alg\":\"PS256\",\"kid\":\"rsa\"}") + "." + parts[1] + "." + signature);
    attacks.put("no JSON", raw("nonsense", "nonsense", signature));
    attacks.put("a list", raw("[]", "[]", signature));
    attacks.put("a list as algorithm", raw("{\"alg\":[\"RS256\"]}", "{}", signature));
    attacks.put("too long", parts[0] + "." + "A".repeat(9_000) + "." + signature);
    attacks.put("far too long", parts[0] + "." + "A".repeat(20_000) + "." + signature);
    String deep = "{\"a\":".repeat(900) + "1" + "}".repeat(900);
    attacks.put("deep", raw("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", deep, signature));
    attacks.put("a deep header", raw(deep, "{}", signature));
  }

  @Test
  void invented_keys_do_not_flood_the_issuer() throws Exception {
    assertThat(status(claiming(claims -> claims), "/api/runs")).isEqualTo(200);
    int before = ASKED.get();
    var signer = new RSASSASigner(theirs);
    int attempts = 200;
    for (int i = 0; i < attempts; i++) {
      String token = signed(header().keyID("invented-" + i), good().build(), signer);
      assertThat(status(token, "/api/runs")).isEqualTo(401);
    }
    assertThat(ASKED.get() - before).isLessThanOrEqualTo(2);
    assertThat(status(claiming(claims -> claims), "/api/runs")).isEqualTo(200);
    AttackTable.held(JwtAttackTest.class, "Invented keys of JSON web tokens", attempts);
  }
}
