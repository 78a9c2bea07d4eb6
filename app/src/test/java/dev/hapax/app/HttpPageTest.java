package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code docs/reference/http.md} is made from a server's own {@code /openapi.json}. With {@code
 * -Dhapax.golden=write} it is written anew.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpPageTest {
  private static final String MARK = "<!-- made from /openapi.json -->\n";
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("docs/reference/http.md");

  @TempDir private Path folder;

  @Test
  void the_page_of_the_api_lists_every_call_that_the_server_answers() throws IOException {
    String text = Files.readString(PAGE);
    String upTo = text.substring(0, text.indexOf(MARK) + MARK.length());
    String expected = upTo + calls();

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.writeString(PAGE, expected);
    } else {
      assertThat(text).isEqualTo(expected);
    }
  }

  private String calls() throws IOException {
    var sections = new TreeMap<String, List<String>>();
    try (var server = new TestServer(folder)) {
      for (Map.Entry<String, JsonNode> path :
          server.get("/openapi.json").body().path("paths").properties()) {
        for (Map.Entry<String, JsonNode> call : path.getValue().properties()) {
          String section = call.getValue().path("tags").path(0).asString();
          sections
              .computeIfAbsent(section, _ -> new ArrayList<>())
              .add(row(call.getKey().toUpperCase(Locale.ROOT), path.getKey(), call.getValue()));
        }
      }
    }
    var text = new StringBuilder();
    sections.forEach(
        (section, rows) -> {
          text.append("\n## ").append(section).append("\n\n");
          text.append("| call | does | scope | query | answers |\n|---|---|---|---|---|\n");
          rows.forEach(text::append);
        });
    return text.toString();
  }

  private static String row(String method, String path, JsonNode call) {
    return "| `%s %s` | %s | %s | %s | %s |%n"
        .formatted(
            method,
            path,
            call.path("summary").asString().replace("|", "\\|"),
            scope(call),
            query(call),
            answers(call));
  }

  private static String scope(JsonNode call) {
    String scope = call.path("security").path(0).path("token").path(0).asString("");
    return scope.isEmpty() ? "none" : "`" + scope + "`";
  }

  private static String query(JsonNode call) {
    return String.join(
        ", ",
        call.path("parameters")
            .valueStream()
            .filter(parameter -> parameter.path("in").asString().equals("query"))
            .map(parameter -> "`" + parameter.path("name").asString() + "`")
            .toList());
  }

  private static String answers(JsonNode call) {
    return String.join(
        ", ",
        call.path("responses").propertyNames().stream()
            .filter(status -> status.matches("\\d+"))
            .sorted()
            .toList());
  }
}
