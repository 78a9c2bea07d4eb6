package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a mail server. */
record SmtpFormReader(ConnectionForm.Smtp form) implements FormReader {
  @Override
  public Connection connection(String name) {
    Connection.Smtp.Tls tls =
        switch (form.tls() == null ? "implicit" : form.tls()) {
          case "implicit" -> Connection.Smtp.Tls.IMPLICIT;
          case "starttls" -> Connection.Smtp.Tls.STARTTLS;
          case "none" -> Connection.Smtp.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "smtp.tls: expected implicit, starttls or none, got '%s'".formatted(form.tls()));
        };
    int port =
        FormFields.port("smtp.port", form.port(), tls == Connection.Smtp.Tls.IMPLICIT ? 465 : 587);
    return new Connection.Smtp(
        name,
        FormFields.host("smtp.host", inBrackets(FormFields.given("smtp.host", form.host()))),
        port,
        tls,
        FormFields.given("smtp.from", form.from()),
        form.user(),
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
    return FormFields.lowered(form.host());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  private static String inBrackets(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }
}
