package dev.hapax.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code docs/reference/config.md} lists every setting, as the server reads it. */
class SettingsPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("docs/reference/config.md");

  /** A line of the table; a usual value that is not a value but words has no backticks. */
  record Row(String name, String variable, String usual, String example) {
    static Row of(String line) {
      List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
      return new Row(bare(cells.get(1)), bare(cells.get(2)), cells.get(3), bare(cells.get(4)));
    }

    private static String bare(String cell) {
      return cell.replace("`", "");
    }

    boolean hasUsualValue() {
      return usual.startsWith("`");
    }
  }

  static List<Row> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| `"))
        .map(Row::of)
        .toList();
  }

  @Test
  void every_setting_is_on_the_page_once() throws IOException {
    assertThat(rows().stream().map(Row::name))
        .containsExactlyInAnyOrderElementsOf(SettingsReader.SettingNames.ALL);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void a_setting_is_read_as_the_page_says(Row row) throws IOException {
    Settings given = reader(row).set(List.of(row.name() + "=" + row.example())).read();

    assertThat(reader(row).environment(Map.of(row.variable(), row.example())).read())
        .isEqualTo(given);
    if (row.hasUsualValue()) {
      String usual = row.name() + "=" + row.usual().replace("`", "");
      assertThat(reader(row).set(List.of(usual)).read()).isEqualTo(reader(row).read());
    }
  }

  /** Some settings are of use only beside others, which have their own examples. */
  private static final Map<String, List<String>> BESIDE =
      Map.of(
          "http.tls.key", List.of("http.tls.certificate"),
          "http.tls.clientCa", List.of("http.tls.certificate"),
          "http.tls.clients", List.of("http.tls.certificate", "http.tls.clientCa"));

  private static List<String> beside(String name) {
    if (!name.startsWith("oidc.")) {
      return BESIDE.getOrDefault(name, List.of());
    }
    String tenant = name.equals("oidc.tenantClaim") ? name : "oidc.tenant";
    boolean isOfLogin = name.startsWith("oidc.login") || name.equals("oidc.clientSecret");
    return Stream.of(
            "oidc.issuer", "oidc.audience", tenant, isOfLogin ? "oidc.clientId" : "oidc.issuer")
        .filter(other -> !other.equals(name))
        .toList();
  }

  private static SettingsReader reader(Row row) throws IOException {
    List<String> beside = beside(row.name());
    return new SettingsReader()
        .set(
            rows().stream()
                .filter(other -> beside.contains(other.name()))
                .map(other -> other.name() + "=" + other.example())
                .toList());
  }
}
