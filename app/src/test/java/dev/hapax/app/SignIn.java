package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A person with a browser who signs in at an issuer: the authorization code flow with PKCE (RFC
 * 7636) of a program that has no secret.
 */
final class SignIn implements AutoCloseable {
  private static final String CLIENT_ID = "browser";
  private static final String BACK = "http://127.0.0.1/back";
  private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"([^\"]*)\"");
  private static final Pattern PROMPT = Pattern.compile("name=\"prompt\" value=\"([a-z]+)\"");
  private static final int MOST_STEPS = 12;

  private final URI issuer;
  private final HttpClient browser =
      HttpClient.newBuilder()
          .cookieHandler(new CookieManager())
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  SignIn(URI issuer) {
    this.issuer = issuer;
  }

  /**
   * What the issuer gives to a person of this name; the code is worth nothing without the verifier.
   */
  JsonNode tokens(String person, String audience, String scope) throws Exception {
    String verifier = "a-verifier-of-the-test-for-" + person + "-with-enough-characters";
    return exchange(code(person, audience, scope, verifier), verifier, audience);
  }

  /** Follows the pages of the issuer, as a browser does, until they lead back with a code. */
  private String code(String person, String audience, String scope, String verifier)
      throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
    Map<String, String> question = new LinkedHashMap<>();
    question.put("client_id", CLIENT_ID);
    question.put("response_type", "code");
    question.put("redirect_uri", BACK);
    question.put("scope", "openid " + scope);
    question.put("resource", audience);
    question.put("code_challenge", Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    question.put("code_challenge_method", "S256");
    return codeIn(ledBack(person, URI.create(issuer + "/auth?" + form(question)), BACK));
  }

  /** Follows the pages of the issuer until they lead to an address that begins so. */
  URI ledBack(String person, URI first, String back) throws Exception {
    URI at = first;
    HttpResponse<String> seen = send(HttpRequest.newBuilder(at).GET());
    for (int step = 0; step < MOST_STEPS; step++) {
      if (seen.statusCode() == 303) {
        at = at.resolve(seen.headers().firstValue("Location").orElseThrow());
        if (at.toString().startsWith(back)) {
          return at;
        }
        seen = send(HttpRequest.newBuilder(at).GET());
      } else {
        assertThat(seen.statusCode()).as(seen.body()).isEqualTo(200);
        at = at.resolve(found(FORM, seen.body()));
        String answer =
            form(Map.of("prompt", found(PROMPT, seen.body()), "login", person, "password", "any"));
        seen = send(posted(at, answer));
      }
    }
    throw new AssertionError("the issuer does not lead back: " + seen.body());
  }

  private static String codeIn(URI back) {
    Matcher code = Pattern.compile("[?&]code=([^&]+)").matcher(back.toString());
    assertThat(code.find()).as(back.toString()).isTrue();
    return code.group(1);
  }

  private JsonNode exchange(String code, String verifier, String audience) throws Exception {
    Map<String, String> question =
        Map.of(
            "grant_type", "authorization_code",
            "client_id", CLIENT_ID,
            "code", code,
            "redirect_uri", BACK,
            "code_verifier", verifier,
            "resource", audience);
    return Json.tree(send(posted(URI.create(issuer + "/token"), form(question))).body());
  }

  private static HttpRequest.Builder posted(URI at, String form) {
    return HttpRequest.newBuilder(at)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  private static String found(Pattern pattern, String page) {
    Matcher matcher = pattern.matcher(page);
    assertThat(matcher.find()).as(page).isTrue();
    return matcher.group(1);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  @Override
  public void close() {
    browser.close();
  }
}
