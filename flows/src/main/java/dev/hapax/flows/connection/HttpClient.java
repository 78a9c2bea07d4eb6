package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to connections, through {@link Egress}, once per call. It adds the connection's
 * secrets at the last moment and follows no redirect. Idle connections are kept for a few seconds.
 * Safe for many threads.
 */
public final class HttpClient implements AutoCloseable {
  /** What one attempt reads at most: a large body, and the lines and records around it. */
  private static final long MOST_BYTES = 256L << 20;

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Clock clock;
  private final WirePool idle;

  public HttpClient(Egress egress, Secrets secrets, Redaction redaction, Clock clock) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
    this.clock = clock;
    this.idle = new WirePool(clock);
  }

  /**
   * Sends once and returns the answer, with any status.
   *
   * @param connection null if the request has a whole address
   * @param more headers that belong to this attempt, such as its key
   * @throws NotApplied if not a byte was written
   * @throws Rejected if it must not be sent at all
   * @throws AnswerLost if it may have arrived
   */
  public HttpAnswer send(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout)
      throws AnswerLost {
    return send(connection, request, more, timeout, null);
  }

  /**
   * As above.
   *
   * @param keeper receives a body that is too large for a value; null if the body is needed at any
   *     size
   */
  public HttpAnswer send(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    OutgoingRequest outgoing = OutgoingRequest.of(connection, request, more);
    try (AttemptBudget budget = egress.begin(timeout, MOST_BYTES)) {
      HttpWire wire = wire(connection, outgoing, budget);
      try {
        if (connection != null) {
          var to =
              SecretRecipient.over(
                  wire.plain(), outgoing.host(), outgoing.port(), outgoing.isEncrypted());
          authorize(connection.auth(), request.method(), outgoing, to);
        }
        outgoing.refuseLineBreaks(); // those of the connection's secrets too
        wire.send(request.method(), outgoing.target(), outgoing.headers(), outgoing.body());
        HttpAnswer answer = wire.receive(request.method(), keeper);
        Egress.rest(wire.plain());
        budget.end(); // before the wire may serve another attempt
        idle.giveBack(poolKey(connection, outgoing), wire);
        return answer;
      } catch (IOException e) {
        wire.close();
        throw new AnswerLost(
            redaction.redact(
                "%s %s: the request may have arrived, but no answer was received: %s"
                    .formatted(
                        request.method(), outgoing.server(), budget.explained(e).getMessage())),
            e);
      } catch (RuntimeException e) {
        wire.close(); // a secret may not go there, or the large body could not be stored
        throw e;
      }
    }
  }

  private void authorize(
      Connection.Auth auth, String method, OutgoingRequest request, SecretRecipient to) {
    switch (auth) {
      case Connection.Auth.None _ -> {}
      case Connection.Auth.Bearer(var name) ->
          request.put("Authorization", "Bearer " + secret(name, to));
      case Connection.Auth.Basic(var user, var name) -> {
        String pair = user + ":" + secret(name, to);
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        redaction.hide(encoded);
        request.put("Authorization", "Basic " + encoded);
      }
      case Connection.Auth.Header(var header, var name) -> request.put(header, secret(name, to));
      case Connection.Auth.Aws aws -> {
        var unshown = new SecretRecipient(to.host(), to.port(), true);
        AwsSignature.sign(request, method, aws, secret(aws.secret(), unshown), clock.now());
      }
    }
  }

  private String secret(String name, SecretRecipient to) {
    return secrets.use(name, to, redaction);
  }

  // ---- connections

  /** Not shared between connections: each reaches only the hosts that it may reach. */
  private static String poolKey(Connection.@Nullable Http connection, OutgoingRequest request) {
    return (connection == null ? "" : connection.name()) + " " + request.server();
  }

  private HttpWire wire(
      Connection.@Nullable Http connection, OutgoingRequest request, AttemptBudget budget) {
    HttpWire kept = idle.take(poolKey(connection, request));
    if (kept != null) {
      Egress.use(kept.plain(), budget);
      return kept;
    }
    Set<String> privateHosts = connection == null ? Set.of() : connection.privateHosts();
    Duration timeout = connection == null ? Duration.ofSeconds(10) : connection.connectTimeout();
    Socket plain;
    try {
      plain = egress.connect(request.host(), request.port(), timeout, privateHosts, budget);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    Socket socket =
        request.isEncrypted()
            ? egress.encrypt(plain, request.host(), request.port(), budget)
            : plain;
    try {
      var fresh = new HttpWire(plain, socket);
      if (fresh.hasUnread()) {
        throw new IOException("it sent an answer before there was a request");
      }
      return fresh;
    } catch (IOException e) {
      Egress.close(plain);
      throw new NotApplied(
          "no connection to %s: %s".formatted(request.server(), e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    idle.close();
  }
}
