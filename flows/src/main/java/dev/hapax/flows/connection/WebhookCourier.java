package dev.hapax.flows.connection;

import dev.hapax.Courier;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Delivers published messages, signed after Standard Webhooks: id, time and body under the
 * connection's secret. The id is the same on every attempt.
 */
public final class WebhookCourier implements Courier {
  /** The destination of messages that contain their address: their data is {url, data}. */
  public static final String ANYWHERE = "url";

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** The status says everything; a large body is not needed. */
  private static final LargeBodies UNREAD = (_, _) -> Map.of();

  private final String destination;
  private final Connections connections;
  private final WayOut wayOut;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Clock clock;

  public WebhookCourier(
      String destination,
      Connections connections,
      WayOut wayOut,
      Secrets secrets,
      Redaction redaction,
      Clock clock) {
    this.destination = destination;
    this.connections = connections;
    this.wayOut = wayOut;
    this.secrets = secrets;
    this.redaction = redaction;
    this.clock = clock;
  }

  @Override
  public void deliver(OutgoingMessage message) throws Exception {
    Object data = Json.read(message.json(), Object.class);
    Connection.Webhook webhook;
    if (destination.equals(ANYWHERE) && data instanceof Map<?, ?> addressed) {
      webhook = anywhere(String.valueOf(addressed.get("url")));
      data = addressed.get("data");
    } else {
      webhook = named();
    }
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("type", message.type());
    body.put("data", data);
    deliver(webhook, message.id(), Json.write(body));
  }

  private static Connection.Webhook anywhere(String url) {
    try {
      return new Connection.Webhook(ANYWHERE, URI.create(url), null, Set.of());
    } catch (IllegalArgumentException e) {
      throw new Rejected("bad-address", "'%s' is not a valid address".formatted(url), e);
    }
  }

  private Connection.Webhook named() {
    Connection found =
        connections
            .use(destination)
            .orElseThrow(
                () ->
                    new NotApplied(
                        "there is no connection '%s': nothing was sent. Set it, and the delivery continues"
                            .formatted(destination)));
    if (found instanceof Connection.Webhook webhook) {
      return webhook;
    }
    throw new NotApplied("connection '%s' is not a receiver of messages".formatted(destination));
  }

  private void deliver(Connection.Webhook webhook, String id, String body) throws IOException {
    long seconds = clock.now().getEpochSecond();
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/json");
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(seconds));
    if (webhook.secret() != null) {
      headers.put("webhook-signature", "v1," + signature(webhook, id, seconds, body));
    }
    var place =
        Connection.Http.of(webhook.name(), webhook.url().toString())
            .privateHosts(webhook.privateHosts().toArray(String[]::new));
    HttpAnswer answer =
        wayOut.http(
            place,
            new HttpRequest(webhook.name(), "POST", "", headers, body),
            Map.of(),
            TIMEOUT,
            UNREAD);
    int status = answer.status();
    if (status >= 200 && status < 300) {
      return;
    }
    if (status == 410) {
      throw new Rejected(
          "gone",
          "the receiver '%s' answered HTTP 410: it wants no more messages".formatted(destination));
    }
    throw new IOException("the receiver '%s' answered HTTP %d".formatted(destination, status));
  }

  /** The signature does not show the secret, so it may go without encryption. */
  private String signature(Connection.Webhook webhook, String id, long seconds, String body) {
    URI url = webhook.url();
    int usualPort = "https".equals(url.getScheme()) ? 443 : 80;
    var to =
        new SecretRecipient(
            String.valueOf(url.getHost()), url.getPort() < 0 ? usualPort : url.getPort(), true);
    String secret = secrets.use(String.valueOf(webhook.secret()), to, redaction);
    byte[] key =
        secret.startsWith("whsec_")
            ? Base64.getDecoder().decode(secret.substring("whsec_".length()))
            : secret.getBytes(StandardCharsets.UTF_8);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] signed =
          mac.doFinal("%s.%d.%s".formatted(id, seconds, body).getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
