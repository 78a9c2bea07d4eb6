package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a PostgreSQL database. */
record PostgresFormReader(ConnectionForm.Postgres form) implements FormReader {
  @Override
  public Connection connection(String name) {
    String host = FormFields.host("postgres.host", form.host());
    Connection.Postgres.Tls tls =
        switch (form.tls() == null ? "verified" : form.tls()) {
          case "verified" -> Connection.Postgres.Tls.VERIFIED;
          case "required" -> Connection.Postgres.Tls.REQUIRED;
          case "none" -> Connection.Postgres.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "postgres.tls: expected verified, required or none, got '%s'"
                      .formatted(form.tls()));
        };
    return new Connection.Postgres(
        name,
        host,
        FormFields.port("postgres.port", form.port(), 5432),
        FormFields.given("postgres.database", form.database()),
        FormFields.given("postgres.user", form.user()),
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
