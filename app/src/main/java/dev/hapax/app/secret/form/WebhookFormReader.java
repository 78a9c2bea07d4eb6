package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a receiver of published messages. */
record WebhookFormReader(ConnectionForm.Webhook form) implements FormReader {
  @Override
  public Connection connection(String name) {
    return new Connection.Webhook(
        name,
        FormFields.address("webhook.url", form.url()),
        form.secret(),
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    return Stream.of(form.secret());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.hostOf(form.url());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }
}
