package dev.hapax.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("hapax.yaml"), text);
  }

  @Test
  void without_a_word_it_listens_here_and_remembers_in_a_file() {
    Settings settings = new SettingsReader().read();

    assertThat(settings.http())
        .isEqualTo(
            new Settings.Http(
                "127.0.0.1",
                8899,
                null,
                List.of(),
                50_000,
                50_000,
                50,
                new Settings.Connections(null, null, Duration.ofSeconds(30), 1_000, 50),
                null));
    assertThat(settings.oidc()).isNull();
    assertThat(settings.metricsArePublic()).isTrue();
    assertThat(settings.store().url()).isNull();
    assertThat(settings.shutdownWithin()).isEqualTo(Duration.ofSeconds(25));
  }

  @Test
  void a_flag_is_before_set_before_the_environment_before_the_file() throws IOException {
    var reader =
        new SettingsReader()
            .file(
                file(
                    """
                    http: {port: 1, url: "https://hapax.example.com/", hosts: [a.example, b.example]}
                    log: {level: debug, format: json}
                    engine: {runsInMemory: 5}
                    """))
            .environment(
                Map.of("HAPAX_HTTP_PORT", "2", "HAPAX_LOG_LEVEL", "warn", "HAPAX_TOKEN", "x"))
            .environment(Map.of("HAPAX_ENGINE_RUNS_IN_MEMORY", "6", "PATH", "/bin"))
            .set(List.of("http.port=3", "log.level=error"))
            .flag("--port", "http.port", "4");

    Settings settings = reader.read();

    assertThat(settings.http().port()).isEqualTo(4);
    assertThat(settings.http().hosts()).containsExactly("a.example", "b.example");
    assertThat(settings.http().url()).hasToString("https://hapax.example.com");
    assertThat(settings.log()).isEqualTo(new Settings.Log("json", "error"));
    assertThat(settings.engine().runsInMemory()).isEqualTo(6);
  }

  @Test
  void all_problems_are_reported_at_once_with_their_place() throws IOException {
    var reader =
        new SettingsReader()
            .file(
                file(
                    """
                    http:
                      prot: 1
                    stor: {url: x}
                    log: {level: loud}
                    """))
            .environment(Map.of("HAPAX_HTTP_PROT", "2"))
            .set(List.of("http.port=0x", "nonsense", "log.fromat=json"));

    var refused = catchThrowableOfType(BadSettings.class, reader::read);

    String file = folder.resolve("hapax.yaml").toString();
    assertThat(refused.problems())
        .containsExactlyInAnyOrder(
            file + ":2:3 'http.prot' is unknown, did you mean 'http.port'?",
            file + ":3:1 'stor' is unknown",
            "'HAPAX_HTTP_PROT' is unknown, did you mean 'HAPAX_HTTP_PORT'?",
            "--set: expected section.key=value, got 'nonsense'",
            "--set: 'log.fromat' is unknown, did you mean 'log.format'?",
            "http.port: expected 0 to 65535, got '0x' (--set)",
            "log.level: expected info or debug or warn or error, got 'loud' (" + file + ":4:14)");
  }

  @Test
  void a_secret_is_read_from_a_file_and_never_shown() throws IOException {
    Path secret = Files.writeString(folder.resolve("password"), "hunter2\n");
    Settings settings =
        new SettingsReader()
            .environment(
                Map.of(
                    "HAPAX_STORE_PASSWORD_FILE",
                    secret.toString(),
                    "HAPAX_STORE_URL",
                    "jdbc:postgresql://db/hapax"))
            .read();

    assertThat(settings.store().password()).isEqualTo("hunter2");
    assertThat(settings.toString()).doesNotContain("hunter2");
    assertThatThrownBy(() -> new SettingsReader().set(List.of("store.url=jdbc:h2:hunter2")).read())
        .hasMessageContaining("store.url: expected an address")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void limits_of_requests_are_numbers_or_off() throws IOException {
    Settings settings =
        new SettingsReader()
            .file(file("http: {requestsPerToken: off, requestsPerAddress: 20}"))
            .environment(Map.of("HAPAX_HTTP_REQUESTS_PER_ADDRESS", "30"))
            .read();

    assertThat(settings.http().requestsPerToken()).isNull();
    assertThat(settings.http().requestsPerAddress()).isEqualTo(30);
    var wrong = List.of("http.requestsPerToken=0", "http.requestsPerAddress=many");
    assertThat(
            catchThrowableOfType(BadSettings.class, () -> new SettingsReader().set(wrong).read())
                .problems())
        .containsExactly(
            "http.requestsPerToken: expected 1 to 1000000, or off, got '0' (--set)",
            "http.requestsPerAddress: expected 1 to 1000000, or off, got 'many' (--set)");
  }

  @Test
  void who_listens_for_everybody_says_so() {
    assertThatThrownBy(() -> new SettingsReader().set(List.of("http.host=0.0.0.0")).read())
        .hasMessageContaining("http.withoutTls=true");
    assertThat(
            new SettingsReader()
                .set(List.of("http.host=0.0.0.0", "http.withoutTls=true"))
                .read()
                .http()
                .host())
        .isEqualTo("0.0.0.0");
  }

  @Test
  void tls_needs_no_word_about_its_absence_and_a_whole_set_of_files() {
    var tls = List.of("http.host=0.0.0.0", "http.tls.certificate=a.pem");
    assertThat(new SettingsReader().set(tls).read().http().tls())
        .isEqualTo(new Settings.Tls(Path.of("a.pem"), Path.of("a.pem"), null, true));
    assertThatThrownBy(() -> new SettingsReader().set(List.of("http.tls.key=a.pem")).read())
        .hasMessageContaining("http.tls.certificate: expected a PEM file");
    assertThatThrownBy(
            () ->
                new SettingsReader()
                    .set(List.of("http.tls.certificate=a.pem", "http.tls.clients=optional"))
                    .read())
        .hasMessageContaining("http.tls.clientCa");
  }

  @Test
  void an_issuer_needs_an_audience_and_one_way_to_the_tenant() {
    assertThat(
            catchThrowableOfType(
                    BadSettings.class,
                    () ->
                        new SettingsReader()
                            .set(
                                List.of(
                                    "oidc.issuer=http://login.example.com",
                                    "oidc.algorithms=HS256,none",
                                    "oidc.tenant=a",
                                    "oidc.tenantClaim=b"))
                            .read())
                .problems())
        .hasSize(4)
        .anyMatch(problem -> problem.startsWith("oidc.issuer: expected"))
        .anyMatch(problem -> problem.startsWith("oidc.audience: expected"))
        .anyMatch(problem -> problem.startsWith("oidc.algorithms: expected some of RS256"))
        .anyMatch(problem -> problem.startsWith("oidc: expected either oidc.tenant"));
  }
}
