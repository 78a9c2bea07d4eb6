package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection as people write it: exactly one of the kinds. It holds secrets by name only, and has
 * no place for a value.
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

  private List<FormReader> readers() {
    var readers = new ArrayList<FormReader>();
    add(readers, http, HttpFormReader::new);
    add(readers, llm, LlmFormReader::new);
    add(readers, webhook, WebhookFormReader::new);
    add(readers, smtp, SmtpFormReader::new);
    add(readers, postgres, PostgresFormReader::new);
    add(readers, ssh, SshFormReader::new);
    add(readers, kafka, KafkaFormReader::new);
    add(readers, rabbitmq, RabbitMqFormReader::new);
    add(readers, sqs, SqsFormReader::new);
    return readers;
  }

  private static <F> void add(
      List<FormReader> readers, @Nullable F form, Function<F, FormReader> reader) {
    if (form != null) {
      readers.add(reader.apply(form));
    }
  }

  /** Returns the connection; refuses an unusable form, with what was expected. */
  public Connection toConnection(String name) {
    List<FormReader> given = readers();
    if (given.size() != 1) {
      throw new IllegalArgumentException(
          "connection '%s': expected one of http, llm, webhook, smtp, postgres, ssh, kafka, rabbitmq and sqs, got %d"
              .formatted(name, given.size()));
    }
    return given.getFirst().connection(name);
  }

  /** Connections that were written before may still have such headers. */
  public void refuseHeaders() {
    readers().forEach(FormReader::refuseHeaders);
  }

  /** Returns the names of the secrets that it uses. */
  public Set<String> secrets() {
    return readers().stream()
        .flatMap(FormReader::secrets)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** Returns the hosts that it leads to, in lower case. */
  public Set<String> hosts() {
    return readers().stream()
        .flatMap(reader -> reader.hosts().stream())
        .collect(Collectors.toSet());
  }

  /** Returns the hosts in private networks that it wants to reach. */
  public Set<String> privateHosts() {
    return readers().stream()
        .map(FormReader::privateHosts)
        .filter(Objects::nonNull)
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }
}
