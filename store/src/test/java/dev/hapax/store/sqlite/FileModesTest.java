package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.store.OwnerOnly;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only the owner of a store can open its files, also in a folder that is open to all. */
class FileModesTest {
  @TempDir Path folder;

  @Test
  void only_the_owner_can_open_a_store_its_wal_and_its_backups() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path backups = OwnerOnly.folder(folder.resolve("backups/of/today"));

    var rights = new TreeMap<String, String>();
    try (var store = new SqliteStore(folder.resolve("store.db"), Ports.system().threads())) {
      store.secretKey(new byte[32]);
      store.backup(backups.resolve("copy.db"), Instant.EPOCH);
      look(rights);
    }
    look(rights);

    assertThat(rights)
        .containsEntry("store.db", "rw-------")
        .containsEntry("store.db-wal", "rw-------")
        .containsEntry("store.db-shm", "rw-------")
        .containsEntry("store.db.lock", "rw-------")
        .containsEntry("store.db.epoch", "rw-------")
        .containsEntry("copy.db", "rw-------")
        .containsEntry("today", "rwx------")
        .containsEntry("of", "rwx------")
        .containsEntry("backups", "rwx------");
    assertThat(rights.values()).containsOnly("rw-------", "rwx------");
  }

  @Test
  void an_existing_file_keeps_its_rights_and_is_reported() throws IOException {
    Path file = Files.createFile(folder.resolve("old.db"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    OwnerOnly.file(file);

    assertThat(OwnerOnly.tooOpen(file)).isEqualTo("rw-r-----");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(OwnerOnly.tooOpen(file)).isNull();
  }

  private void look(Map<String, String> rights) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(one -> !one.equals(folder)).toList()) {
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        rights.put(path.getFileName().toString(), mode);
      }
    }
  }
}
