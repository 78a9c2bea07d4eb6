package dev.hapax.app.cli.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which server is asked, and that no token goes to a server that it is not meant for. */
class TargetTest {
  private static final String HOME = "http://home.example.com";
  private static final String WORK = "https://work.example.com";

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final ServerOptions options = new ServerOptions();

  @BeforeEach
  void keepProfiles() throws IOException {
    environment.put("HOME", folder.toString());
    var profiles = new TreeMap<String, Profile>();
    profiles.put("home", new Profile(HOME, "token of home"));
    profiles.put("work", new Profile(WORK, "token of work"));
    new ProfileFile(surroundings()).write(new ProfileFile.Content("home", profiles));
    Files.writeString(
        Files.createDirectory(folder.resolve("data")).resolve("admin.token"), "admin\n");
  }

  @Test
  void without_a_word_it_is_the_current_profile() {
    assertTarget(HOME, "token of home");
  }

  @Test
  void without_a_profile_it_is_the_usual_address() throws IOException {
    Files.delete(new ProfileFile(surroundings()).path());

    assertTarget("http://127.0.0.1:8899", null);
  }

  @Test
  void a_token_of_the_current_profile_does_not_go_to_another_server() {
    options.url = "http://elsewhere.example.com";

    assertTarget("http://elsewhere.example.com", null);
  }

  @Test
  void a_token_of_the_environment_s_profile_does_not_go_to_another_server() {
    environment.put("HAPAX_PROFILE", "work");
    assertTarget(WORK, "token of work");

    options.url = "http://elsewhere.example.com";

    assertTarget("http://elsewhere.example.com", null);
  }

  @Test
  void a_flag_comes_before_the_environment() {
    environment.put("HAPAX_URL", "http://env.example.com");
    environment.put("HAPAX_TOKEN", "token of env");
    assertTarget("http://env.example.com", "token of env");

    options.profile = "work";

    assertTarget(WORK, "token of work");
  }

  @Test
  void a_data_folder_gives_its_token() {
    options.data = "data";
    options.url = "http://127.0.0.1:9000/";

    assertTarget("http://127.0.0.1:9000", "admin");
  }

  @Test
  void profiles_that_others_may_read_are_not_used() throws IOException {
    Path file = new ProfileFile(surroundings()).path();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> Target.of(options, surroundings()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("other users can read the file");
  }

  private void assertTarget(String url, @Nullable String token) {
    assertThat(Target.of(options, surroundings())).isEqualTo(new Target(Address.of(url), token));
  }

  private Surroundings surroundings() {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    return new Surroundings(
        InputStream.nullInputStream(), nowhere, nowhere, false, environment, folder);
  }
}
