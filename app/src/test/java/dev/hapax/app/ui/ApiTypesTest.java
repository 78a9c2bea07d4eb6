package dev.hapax.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The types of the UI's client are those of a server's own {@code /openapi.json}, so a page that
 * uses something else does not compile. With {@code -Dhapax.golden=write} they are written anew.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ApiTypesTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("ui/src/main/ui/api/schema.ts");

  @TempDir private Path folder;

  @Test
  void the_client_has_the_types_of_the_api() throws IOException {
    String expected;
    try (var server = new TestServer(folder)) {
      expected = ApiTypes.of(server.get("/openapi.json").body());
    }

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.writeString(FILE, expected);
    } else {
      assertThat(Files.readString(FILE)).isEqualTo(expected);
    }
  }
}
