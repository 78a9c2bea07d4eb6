package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret key that was erased is in no file of the store, not even in its free pages. */
class ErasedKeyTest {
  private static final byte[] KEY =
      "a key of 32 bytes, to be found!!".getBytes(StandardCharsets.ISO_8859_1);

  @TempDir Path folder;

  @Test
  void an_erased_key_is_in_no_file_while_the_store_is_open_and_after() throws IOException {
    try (var store = new SqliteStore(folder.resolve("store.db"), Ports.system().threads())) {
      store.secretKey(KEY);
      assertThat(filesWithKey()).isNotEmpty();

      store.eraseSecretKey(KEY);

      assertThat(store.secretKey()).isNull();
      assertThat(filesWithKey()).isEmpty();
    }
    assertThat(filesWithKey()).isEmpty();
  }

  @Test
  void a_key_of_an_earlier_process_is_erased_too() throws IOException {
    try (var store = new SqliteStore(folder.resolve("store.db"), Ports.system().threads())) {
      store.secretKey(KEY);
    }
    assertThat(filesWithKey()).isNotEmpty();
    try (var store = new SqliteStore(folder.resolve("store.db"), Ports.system().threads())) {
      store.eraseSecretKey(KEY);
      assertThat(filesWithKey()).isEmpty();
    }
  }

  private List<Path> filesWithKey() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (bytes.contains(new String(KEY, StandardCharsets.ISO_8859_1))) {
          found.add(file.getFileName());
        }
      }
    }
    return found;
  }
}
