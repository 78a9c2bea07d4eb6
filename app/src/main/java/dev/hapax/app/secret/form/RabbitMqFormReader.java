package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a RabbitMQ broker. */
record RabbitMqFormReader(ConnectionForm.RabbitMq form) implements FormReader {
  @Override
  public Connection connection(String name) {
    if ((form.user() == null) != (form.secret() == null)) {
      throw new IllegalArgumentException(
          "rabbitmq: expected user and secret, or neither for the guest of a broker on this"
              + " machine");
    }
    Connection.Encryption tls = FormFields.encryption("rabbitmq.tls", form.tls());
    String vhost = form.vhost() == null ? "/" : form.vhost();
    if (vhost.isEmpty() || vhost.length() > FormFields.LONGEST_LOGIN) {
      throw new IllegalArgumentException(
          "rabbitmq.vhost: expected 1 to %d characters".formatted(FormFields.LONGEST_LOGIN));
    }
    return new Connection.RabbitMq(
        name,
        FormFields.host("rabbitmq.host", form.host()),
        FormFields.port(
            "rabbitmq.port",
            form.port(),
            tls == Connection.Encryption.VERIFIED
                ? Connection.RabbitMq.USUAL_TLS_PORT
                : Connection.RabbitMq.USUAL_PORT),
        vhost,
        form.user() == null
            ? null
            : FormFields.user("rabbitmq.user", FormFields.LONGEST_LOGIN, form.user()),
        form.secret(),
        tls,
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    return Stream.of(form.secret());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.lowered(form.host());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }
}
