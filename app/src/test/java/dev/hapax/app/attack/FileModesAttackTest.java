package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the machine opens no file of a server, also in a folder that is open to all. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileModesAttackTest {
  @Test
  void nothing_that_a_server_creates_can_be_opened_by_others(@TempDir Path folder)
      throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> rights = new TreeMap<>();
    try (var server = new TestServer(data)) {
      server.post("/api/flows/ask/runs", "{\"id\": \"A-1\"}");
      assertThat(server.post("/api/backups", "{\"name\": \"one.db\"}").status()).isEqualTo(201);
      look(data, rights);
    }
    look(data, rights);

    assertThat(rights)
        .containsKeys(
            "hapax.db",
            "hapax.db-wal",
            "hapax.db-shm",
            "hapax.db.lock",
            "hapax.db.epoch",
            "admin.token",
            "master.key",
            "backups",
            "one.db");
    assertThat(rights.values()).containsOnly("rw-------", "rwx------");
    AttackTable.held(FileModesAttackTest.class, "Files of the server that others can open", 9);
  }

  private static void look(Path data, Map<String, String> rights) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      for (Path path : all.filter(one -> !one.equals(data)).toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        rights.put(path.getFileName().toString(), mode);
      }
    }
  }
}
