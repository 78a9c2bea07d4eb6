package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.TestServer;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backup in which the key of tokens is still readable, put back after the upgrade. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestoredTokenKeyTest {
  private static final Flow<String, String> ASKS =
      Flow.of("asks", String.class, String.class)
          .key(id -> id)
          .body((run, id) -> run.approval("release", Approval.ask("Send it?")).by());

  @TempDir Path folder;

  @Test
  void a_restored_key_is_sealed_and_erased_again_and_its_links_can_be_revoked() throws Exception {
    Path backup = folder.resolve("before.db");
    Path data = Files.createDirectory(folder.resolve("data"));
    String link = storeOfBefore(data.resolve("hapax.db"), backup);
    byte[] key = keyIn(backup);
    assertThat(filesWith(key)).contains("before.db", "hapax.db");

    try (var server = new TestServer(data)) {
      assertThat(show(server, link)).as("a link from before the upgrade").isEqualTo(200);
      assertThat(filesWith(key)).containsExactly("before.db");
      assertThat(server.post("/api/token-keys", "{\"revoke\": true}").status()).isEqualTo(201);
      assertThat(show(server, link)).isEqualTo(404);
    }
    for (String end : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(data.resolve("hapax.db" + end));
    }
    Files.copy(backup, data.resolve("hapax.db"));

    try (var server = new TestServer(data)) {
      assertThat(filesWith(key)).as("the start repeats the move").containsExactly("before.db");
      assertThat(show(server, link)).as("the backup does not know the revocation").isEqualTo(200);
      assertThat(server.post("/api/token-keys", "{\"revoke\": true}").status()).isEqualTo(201);
      assertThat(show(server, link)).isEqualTo(404);
    }
  }

  /** As versions before the upgrade left it: a run that waits, and the key in its table. */
  private static String storeOfBefore(Path file, Path backup) {
    HapaxOptions options = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);
    try (Hapax hapax = Hapax.open(file, options)) {
      hapax.register(ASKS);
      hapax.start(ASKS, "A");
      List<Approvals.Item> open = List.of();
      while (open.isEmpty()) {
        LockSupport.parkNanos(5_000_000);
        open = hapax.approvals().list(hapax.approvals().open());
      }
      String link = hapax.approvals().link(open.getFirst().id());
      hapax.backup(backup);
      return link;
    }
  }

  private static byte[] keyIn(Path backup) {
    try (Store store =
        StoreProvider.open(provider -> provider.open(backup, Ports.system().threads()))) {
      return Objects.requireNonNull(store.secretKey());
    }
  }

  private static int show(TestServer server, String link) {
    return server
        .send(HttpRequest.newBuilder(URI.create(server.address() + "/approvals/" + link)))
        .status();
  }

  private List<String> filesWith(byte[] key) throws IOException {
    String wanted = new String(key, StandardCharsets.ISO_8859_1);
    var found = new ArrayList<String>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(wanted)) {
          found.add(file.getFileName().toString());
        }
      }
    }
    return found;
  }
}
