package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A Hapax server over HTTP. A request that writes is sent once; the user decides whether to send it
 * again.
 *
 * <p>With {@code HttpURLConnection}, since {@code HttpClient} sets up TLS at its start also for
 * plain HTTP, which is a fifth of a short command's time.
 */
public final class ServerClient {
  private static final int CONNECT_WITHIN_MILLIS = (int) Duration.ofSeconds(5).toMillis();
  private static final int ANSWER_WITHIN_MILLIS = (int) Duration.ofSeconds(60).toMillis();

  static {
    // A kept connection may have died meanwhile, and a write on it would be a doubt for nothing.
    System.setProperty("http.keepAlive", "false");
  }

  private final Target target;

  public ServerClient(Target target) {
    this.target = target;
  }

  public String url() {
    return target.address().toString();
  }

  boolean hasToken() {
    return target.token() != null;
  }

  /** Returns the answer if the server carried the request out; throws its refusal otherwise. */
  public ServerReply ask(ServerRequest request) {
    ServerReply reply = send(request);
    if (reply.status() >= 300) {
      throw refusal(request, reply);
    }
    return reply;
  }

  /** Returns the answer of any status. */
  public ServerReply send(ServerRequest request) {
    HttpURLConnection connection;
    try {
      connection = prepared(request);
      connection.connect();
    } catch (SSLException e) {
      throw unreachable(e)
          .hint(
              "if the server's certificate is of your own authority, name it: --ca FILE, HAPAX_CA or"
                  + " the profile");
    } catch (IOException e) {
      throw unreachable(e);
    }
    try {
      return exchange(connection, request.body());
    } catch (HttpRetryException e) {
      return withoutBody(e.responseCode());
    } catch (IOException e) {
      throw lost(request, e);
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection prepared(ServerRequest request) throws IOException {
    URLConnection opened = target.address().resolve(request.target()).toURL().openConnection();
    var connection = (HttpURLConnection) opened;
    target.trust().applyTo(connection);
    connection.setRequestMethod(request.method());
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout(CONNECT_WITHIN_MILLIS);
    connection.setReadTimeout(ANSWER_WITHIN_MILLIS);
    connection.setUseCaches(false);
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty(
        "User-Agent", "hapax/" + ProgramVersion.text().replaceAll("[^\\w.-]", ""));
    request.headers().forEach(connection::setRequestProperty);
    String token = target.token();
    if (token != null) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    byte[] body = request.body();
    if (body != null) {
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(body.length); // else Java may send it twice
    }
    return connection;
  }

  private static ServerReply exchange(HttpURLConnection connection, byte @Nullable [] body)
      throws IOException {
    if (body != null) {
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    int status = connection.getResponseCode();
    if (status < 0) {
      throw new IOException("the answer is not HTTP");
    }
    try (InputStream in =
        status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
      byte[] content = in == null ? new byte[0] : in.readAllBytes();
      return new ServerReply(status, connection::getHeaderField, content);
    }
  }

  /** Java does not give out the body of a 401 if the request had one. */
  private static ServerReply withoutBody(int status) {
    String problem =
        Json.write(
            Map.of("type", "unauthorized", "detail", "the server does not accept this token"));
    return new ServerReply(status, _ -> null, problem.getBytes(StandardCharsets.UTF_8));
  }

  private Refusal unreachable(Exception e) {
    return Refusal.of(
            Exit.UNREACHABLE,
            "unreachable",
            "no server answers at %s%s".formatted(url(), reason(e)))
        .hint(
            "start a server with 'hapax serve --data DIR', or name another one with --url or HAPAX_URL");
  }

  /** A write may have arrived nevertheless: it is in doubt. */
  private Refusal lost(ServerRequest request, IOException e) {
    boolean isRead = request.method().equals("GET");
    return Refusal.of(
            Exit.UNREACHABLE,
            "answer-lost",
            "the connection to %s broke before the answer arrived%s".formatted(url(), reason(e)))
        .hint(
            isRead
                ? "try again"
                : "the request may have arrived: look first, or send it again with the same key,"
                    + " which is safe");
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? "" : ": " + message;
  }

  private Refusal refusal(ServerRequest request, ServerReply reply) {
    JsonNode problem = reply.problem();
    if (reply.status() < 400 || (problem == null && reply.status() != 404)) {
      return Refusal.of(
              Exit.UNREACHABLE,
              "unexpected-answer",
              "%s answered %s %s with %d, so it is not a Hapax server"
                  .formatted(url(), request.method(), request.path(), reply.status()))
          .hint("check the address: --url, HAPAX_URL or the profile");
    }
    if (problem == null) {
      return Refusal.of(
          Exit.NOT_FOUND,
          "not-found",
          "%s has no %s %s".formatted(url(), request.method(), request.path()));
    }
    return ProblemRefusals.refusal(
        reply.status(), problem, reply.header("Retry-After"), hasToken());
  }
}
