package dev.hapax.app.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import tools.jackson.databind.JsonNode;

/**
 * A server over HTTP, as the design's table of calls has it. Each request is sent once: whether to
 * send it again is the user's decision.
 */
final class Server implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

  private final Target target;
  private final HttpClient client;

  Server(Target target) {
    this.target = target;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_WITHIN);
    if ("http".equals(target.address().uri().getScheme())) {
      builder.sslContext(unused());
    }
    this.client = builder.build();
  }

  /** Without it the client would read all certificates of the machine at its start. */
  private static SSLContext unused() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String url() {
    return target.address().toString();
  }

  boolean hasToken() {
    return target.token() != null;
  }

  /** The answer, if the server did what was asked; else its refusal. */
  Reply ask(Request request) throws InterruptedException {
    Reply reply = send(request);
    if (reply.status() >= 300) {
      throw refusal(request, reply);
    }
    return reply;
  }

  /** The answer, whatever it is. */
  Reply send(Request request) throws InterruptedException {
    try {
      HttpResponse<byte[]> response =
          client.send(http(request), HttpResponse.BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), response.headers(), response.body());
    } catch (HttpConnectTimeoutException | ConnectException | UnresolvedAddressException e) {
      throw unreachable(e);
    } catch (IOException e) {
      throw e.getCause() instanceof ConnectException ? unreachable(e) : lost(request, e);
    }
  }

  private HttpRequest http(Request request) {
    byte[] body = request.body();
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(target.address().resolve(request.target()))
            .timeout(ANSWER_WITHIN)
            .method(
                request.method(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .header("Accept", "application/json")
            .header("User-Agent", "hapax/" + Version.version().replaceAll("[^\\w.-]", ""));
    request.headers().forEach(builder::header);
    String token = target.token();
    if (token != null) {
      builder.header("Authorization", "Bearer " + token);
    }
    return builder.build();
  }

  private Refusal unreachable(Exception e) {
    return Refusal.of(
            Exit.UNREACHABLE,
            "unreachable",
            "no server answers at %s%s".formatted(url(), reason(e)))
        .hint("start one with 'hapax serve --data DIR', or name another with --url or HAPAX_URL");
  }

  /** A write may have arrived all the same: design 4 would call it a doubt. */
  private Refusal lost(Request request, IOException e) {
    boolean isRead = request.method().equals("GET");
    return Refusal.of(
            Exit.UNREACHABLE,
            "answer-lost",
            "the connection to %s broke before its answer came%s".formatted(url(), reason(e)))
        .hint(
            isRead
                ? "ask again"
                : "it may have arrived: look first, or send it again under the same key, which is"
                    + " safe");
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? "" : ": " + message;
  }

  private Refusal refusal(Request request, Reply reply) {
    JsonNode problem = reply.problem();
    if (reply.status() < 400 || (problem == null && reply.status() != 404)) {
      return Refusal.of(
              Exit.UNREACHABLE,
              "unexpected-answer",
              "%s answers %s %s with %d, which no Hapax server does"
                  .formatted(url(), request.method(), request.path(), reply.status()))
          .hint("look at the address: --url, HAPAX_URL or the profile");
    }
    if (problem == null) {
      return Refusal.of(
          Exit.NOT_FOUND,
          "not-found",
          "%s has no %s %s".formatted(url(), request.method(), request.path()));
    }
    return Problems.refusal(reply.status(), problem, reply.header("Retry-After"), hasToken());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
