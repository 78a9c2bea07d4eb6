package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.json.Text;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads an HTTP service. */
record HttpFormReader(ConnectionForm.Http form) implements FormReader {
  @Override
  public Connection connection(String name) {
    Map<String, String> headers = form.headers() == null ? Map.of() : form.headers();
    return new Connection.Http(
        name,
        FormFields.address("http.base", form.base()),
        auth(),
        headers,
        KeysReader.keys(form.idempotency()),
        FormFields.time("http.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        FormFields.orEmpty(form.privateHosts()),
        new StatusMeanings(
            FormFields.orEmpty(form.notApplied()),
            FormFields.orEmpty(form.alreadyDone()),
            FormFields.orEmpty(form.inFlight())),
        FormFields.limits(form.limits()),
        testPath());
  }

  @Override
  public Stream<@Nullable String> secrets() {
    ConnectionForm.Auth auth = form.auth();
    return auth == null
        ? Stream.empty()
        : Stream.of(
            auth.bearer(),
            auth.basic() == null ? null : auth.basic().secret(),
            auth.header() == null ? null : auth.header().secret());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.hostOf(form.base());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  @Override
  public void refuseHeaders() {
    FormFields.refuseHeaders("http", form.headers(), "http.auth");
  }

  private @Nullable String testPath() {
    String path = form.test();
    if (path != null && !path.matches("/[!-~]{0,499}")) {
      throw new IllegalArgumentException(
          "http.test: expected a path such as /health, of at most 500 characters without spaces, got '%s'"
              .formatted(Text.storable(path)));
    }
    return path;
  }

  private Connection.Auth auth() {
    ConnectionForm.Auth auth = form.auth();
    if (auth == null) {
      return new Connection.Auth.None();
    }
    if (Stream.of(auth.bearer(), auth.basic(), auth.header()).filter(Objects::nonNull).count()
        != 1) {
      throw new IllegalArgumentException("http.auth: expected one of bearer, basic and header");
    }
    if (auth.bearer() != null) {
      return new Connection.Auth.Bearer(auth.bearer());
    }
    ConnectionForm.Basic basic = auth.basic();
    if (basic != null) {
      return new Connection.Auth.Basic(
          FormFields.given("http.auth.basic.user", basic.user()),
          FormFields.given("http.auth.basic.secret", basic.secret()));
    }
    ConnectionForm.Header header = Objects.requireNonNull(auth.header());
    return new Connection.Auth.Header(
        FormFields.given("http.auth.header.name", header.name()),
        FormFields.given("http.auth.header.secret", header.secret()));
  }
}
