package dev.hapax.app.secret.form;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection as people write it: exactly one of the kinds. It holds secrets by name only, and has
 * no place for a value. {@link ConnectionReader} reads it.
 */
public record ConnectionForm(
    @Nullable Http http,
    @Nullable Llm llm,
    @Nullable Webhook webhook,
    @Nullable Smtp smtp,
    @Nullable Postgres postgres,
    @Nullable Ssh ssh,
    @Nullable Kafka kafka,
    @Nullable RabbitMq rabbitmq,
    @Nullable Sqs sqs) {
  /** An HTTP service. */
  public record Http(
      @Nullable String base,
      @Nullable Auth auth,
      @Nullable Map<String, String> headers,
      @Nullable Keys idempotency,
      @Nullable String connectTimeout,
      @Nullable Set<Integer> notApplied,
      @Nullable Set<Integer> alreadyDone,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits,
      @Nullable String test) {}

  /** The credential of a request; at most one. */
  public record Auth(@Nullable String bearer, @Nullable Basic basic, @Nullable Header header) {}

  /** User and the name of the secret. */
  public record Basic(@Nullable String user, @Nullable String secret) {}

  /** A header and the name of the secret in it. */
  public record Header(@Nullable String name, @Nullable String secret) {}

  /** How the destination removes duplicates: a known provider, or spelled out. */
  public record Keys(
      @Nullable String provider,
      @Nullable String header,
      @Nullable String bodyField,
      @Nullable String window,
      @Nullable String stores,
      @Nullable String replayHeader,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<Integer> keyReused,
      @Nullable Set<Integer> refusals) {}

  /** The limits of the destination. */
  public record Limits(@Nullable Pace rate, @Nullable Integer calls, @Nullable Break breaker) {}

  /** A number of calls in a period. */
  public record Pace(@Nullable Integer limit, @Nullable String per) {}

  /** A pause after a number of failures in a row. */
  public record Break(@Nullable Integer failures, @Nullable String pause) {}

  /** A provider of language models. */
  public record Llm(
      @Nullable String dialect,
      @Nullable String base,
      @Nullable String secret,
      @Nullable Map<String, String> headers,
      @Nullable String maxTokensField,
      @Nullable Map<String, TokenPrice> prices,
      @Nullable SpendLimit budget,
      @Nullable String connectTimeout,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** The price of a million tokens; without {@code cachedInput} it is that of the input. */
  public record TokenPrice(
      @Nullable BigDecimal input, @Nullable BigDecimal cachedInput, @Nullable BigDecimal output) {}

  /** What all calls together may cost. */
  public record SpendLimit(@Nullable BigDecimal day) {}

  /** A receiver of published messages. */
  public record Webhook(
      @Nullable String url,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A mail server. */
  public record Smtp(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String tls,
      @Nullable String from,
      @Nullable String user,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A PostgreSQL database. */
  public record Postgres(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String database,
      @Nullable String user,
      @Nullable String secret,
      @Nullable String tls,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Another machine; with a private key, a password or both. */
  public record Ssh(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String user,
      @Nullable Set<String> hostKeys,
      @Nullable String key,
      @Nullable String passphrase,
      @Nullable String password,
      @Nullable String connectTimeout,
      @Nullable String keep,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A Kafka cluster. */
  public record Kafka(
      @Nullable List<String> servers,
      @Nullable String tls,
      @Nullable Login login,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A login by SASL: how, the user, and the name of the secret with the password. */
  public record Login(@Nullable String mechanism, @Nullable String user, @Nullable String secret) {}

  /** A RabbitMQ broker. */
  public record RabbitMq(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String vhost,
      @Nullable String user,
      @Nullable String secret,
      @Nullable String tls,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Queues of SQS. */
  public record Sqs(
      @Nullable String region,
      @Nullable String endpoint,
      @Nullable String accessKey,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}
}
