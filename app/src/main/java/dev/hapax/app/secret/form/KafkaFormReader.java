package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Text;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a Kafka cluster. */
record KafkaFormReader(ConnectionForm.Kafka form) implements FormReader {
  private static final int MOST_SERVERS = 20;
  private static final String SERVERS = "kafka.servers";

  @Override
  public Connection connection(String name) {
    List<String> servers = servers();
    if (servers.isEmpty() || servers.size() > MOST_SERVERS) {
      throw new IllegalArgumentException(
          "kafka.servers: expected 1 to %d brokers such as kafka.example:9092"
              .formatted(MOST_SERVERS));
    }
    ConnectionForm.Login login = form.login();
    return new Connection.Kafka(
        name,
        servers.stream().map(KafkaFormReader::server).toList(),
        FormFields.encryption("kafka.tls", form.tls()),
        login == null
            ? null
            : new Connection.Kafka.Login(
                mechanism(login.mechanism()),
                FormFields.user("kafka.login.user", FormFields.LONGEST_LOGIN, login.user()),
                FormFields.given("kafka.login.secret", login.secret())),
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    ConnectionForm.Login login = form.login();
    return login == null ? Stream.empty() : Stream.of(login.secret());
  }

  @Override
  public Set<String> hosts() {
    return servers().stream()
        .map(server -> server(server).host().toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  private List<String> servers() {
    List<String> given = form.servers();
    return given == null ? List.of() : given;
  }

  private static Connection.Kafka.Mechanism mechanism(@Nullable String word) {
    String given = word == null ? Connection.Kafka.Mechanism.SCRAM_SHA_512.word() : word;
    return Arrays.stream(Connection.Kafka.Mechanism.values())
        .filter(one -> one.word().equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kafka.login.mechanism: expected plain, scram-sha-256 or scram-sha-512, got '%s'"
                        .formatted(Text.storable(given))));
  }

  private static Connection.Kafka.Server server(@Nullable String text) {
    String given = FormFields.given(SERVERS, text);
    int colon = given.lastIndexOf(':');
    boolean hasPort = colon > given.lastIndexOf(']') && given.indexOf(':') >= 0;
    String digits = hasPort ? given.substring(colon + 1) : "";
    if (hasPort && !digits.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "%s: expected a broker such as kafka.example:9092, got '%s'"
              .formatted(SERVERS, Text.storable(given)));
    }
    return new Connection.Kafka.Server(
        FormFields.host(SERVERS, hasPort ? given.substring(0, colon) : given),
        FormFields.port(
            SERVERS, hasPort ? Integer.valueOf(digits) : null, Connection.Kafka.USUAL_PORT));
  }
}
