package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a form of any kind, and refuses what is unusable. */
public final class ConnectionReader {
  private final List<FormReader> readers = new ArrayList<>();

  public ConnectionReader(ConnectionForm form) {
    add(form.http(), HttpFormReader::new);
    add(form.llm(), LlmFormReader::new);
    add(form.webhook(), WebhookFormReader::new);
    add(form.smtp(), SmtpFormReader::new);
    add(form.postgres(), PostgresFormReader::new);
    add(form.ssh(), SshFormReader::new);
    add(form.kafka(), KafkaFormReader::new);
    add(form.rabbitmq(), RabbitMqFormReader::new);
    add(form.sqs(), SqsFormReader::new);
  }

  private <F> void add(@Nullable F form, Function<F, FormReader> reader) {
    if (form != null) {
      readers.add(reader.apply(form));
    }
  }

  /** Returns the connection; refuses an unusable form, with what was expected. */
  public Connection connection(String name) {
    if (readers.size() != 1) {
      throw new IllegalArgumentException(
          "connection '%s': expected one of http, llm, webhook, smtp, postgres, ssh, kafka, rabbitmq and sqs, got %d"
              .formatted(name, readers.size()));
    }
    return readers.getFirst().connection(name);
  }

  /** Connections that were written before may still have such headers. */
  public void refuseHeaders() {
    readers.forEach(FormReader::refuseHeaders);
  }

  /** Returns the names of the secrets that it uses. */
  public Set<String> secrets() {
    return readers.stream()
        .flatMap(FormReader::secrets)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** Returns the hosts that it leads to, in lower case. */
  public Set<String> hosts() {
    return readers.stream().flatMap(reader -> reader.hosts().stream()).collect(Collectors.toSet());
  }

  /** Returns the hosts in private networks that it wants to reach. */
  public Set<String> privateHosts() {
    return readers.stream()
        .map(FormReader::privateHosts)
        .filter(Objects::nonNull)
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }
}
