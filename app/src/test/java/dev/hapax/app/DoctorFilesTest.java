package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The doctor on the server's machine looks at real files and their rights. */
@Timeout(60)
@SuppressWarnings("MemberName") // the names of tests are sentences
class DoctorFilesTest {
  @TempDir private Path folder;
  private Path data;
  private TestServer server;
  private ServedDesk desk;

  @BeforeEach
  void serve() throws IOException {
    data = folder.resolve("data");
    server = new TestServer(data);
    desk = new ServedDesk(folder, server);
    assertThat(desk.hapax("backup", "one.db").exit()).isZero();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void what_a_server_creates_is_well() {
    Said said = doctor();

    assertThat(said.exit()).as("%s", said).isZero();
    assertThat(files(said).path("seen").asString())
        .isEqualTo("only their owner can open the files in " + data);
  }

  @Test
  void each_file_and_folder_that_others_can_open_is_named_with_its_rights_and_the_repair()
      throws Exception {
    Map<String, String> modes =
        Map.of(
            "", "rwxr-xr-x",
            "admin.token", "rw-r--r--",
            "backups", "rwx-----x",
            "backups/one.db", "rw-rw----",
            "hapax.db", "rw----r--",
            "master.key", "rw--w----");
    for (var mode : modes.entrySet()) {
      Files.setPosixFilePermissions(
          data.resolve(mode.getKey()), PosixFilePermissions.fromString(mode.getValue()));
    }

    Said said = doctor();

    assertThat(said.exit()).as("%s", said).isEqualTo(3);
    assertThat(said.at("/error/code")).isEqualTo("files-too-open");
    assertThat(said.at("/error/message"))
        .isEqualTo(
            "other users can open "
                + List.of(
                        data + " (rwxr-xr-x)",
                        data.resolve("admin.token") + " (rw-r--r--)",
                        data.resolve("backups") + " (rwx-----x)",
                        data.resolve("backups/one.db") + " (rw-rw----)",
                        data.resolve("hapax.db") + " (rw----r--)",
                        data.resolve("master.key") + " (rw--w----)")
                    .stream()
                    .collect(Collectors.joining(", ")));
    assertThat(files(said).path("state").asString()).isEqualTo("failed");
    run(said.at("/hint"));
    assertThat(doctor().exit()).as("after the command of the hint").isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    assertThat(server.get("/api/runs?limit=1").status()).as("the server works on").isEqualTo(200);
  }

  @Test
  void the_name_of_a_file_adds_nothing_to_the_command_of_the_hint() throws Exception {
    Path trap = data.resolve("a' && touch 'stolen");
    Files.createFile(
        trap, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));

    Said said = doctor();
    run(said.at("/hint"));

    assertThat(said.at("/error/code")).isEqualTo("files-too-open");
    assertThat(doctor().exit()).isZero();
    assertThat(folder.resolve("stolen")).doesNotExist();
  }

  @Test
  void a_folder_that_does_not_exist_is_not_called_well() {
    desk.as(server.token());

    Said said = desk.hapax("doctor", "--data", folder.resolve("nowhere").toString());

    assertThat(said.exit()).as("%s", said).isEqualTo(3);
    assertThat(said.at("/error/code")).isEqualTo("file-unreadable");
    assertThat(said.at("/error/message")).contains("nowhere");
  }

  private Said doctor() {
    return desk.hapax("doctor", "--data", data.toString());
  }

  private static JsonNode files(Said doctor) {
    for (JsonNode check : doctor.data().path("checks")) {
      if (check.path("check").asString().equals("files")) {
        return check;
      }
    }
    throw new AssertionError("no check of files in " + doctor);
  }

  private void run(String command) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", command).directory(folder.toFile()).inheritIO().start();
    assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).as(command).isZero();
  }
}
