package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.flow.KvEntry;
import dev.hapax.json.Json;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("MemberName") // the names of tests are sentences
class VaultTest {
  private static final String CANARY = "canary-7f3a-very-secret";
  private final Ports ports = Ports.system();
  private final Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT);
  private final Kv map = ServerMap.of(hapax);
  private final byte[] key = Keyring.bytes(ports.random());
  private final Vault vault = Vault.open(map, Keyring.of(List.of(key)), ports);
  @TempDir Path folder;

  @AfterEach
  void close() {
    hapax.close();
  }

  private String everythingStored() {
    return map.list("", null, 200).stream().map(KvEntry::value).collect(Collectors.joining());
  }

  @Test
  void a_secret_is_used_by_its_tenant_and_is_nowhere_readable_in_the_store() {
    vault.put("acme", "bank", CANARY, "ann");

    assertThat(vault.of("acme").value("bank")).contains(CANARY);
    assertThat(vault.of("rival").value("bank")).isEmpty();
    assertThat(vault.of("acme").value("other")).isEmpty();
    assertThat(everythingStored())
        .doesNotContain(CANARY)
        .doesNotContain(
            Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8)));
    assertThat(vault.list("acme", null, 10).toString()).contains("bank").doesNotContain(CANARY);
    assertThat(vault.list("rival", null, 10)).isEmpty();
  }

  @Test
  void the_last_value_counts_and_a_deleted_one_is_gone() {
    vault.put("acme", "bank", "one", "ann");
    vault.put("acme", "bank", "two", "bob");

    assertThat(vault.of("acme").value("bank")).contains("two");
    assertThat(vault.list("acme", null, 10).getFirst().revision()).isEqualTo(2);
    assertThat(vault.delete("rival", "bank")).isFalse();
    assertThat(vault.delete("acme", "bank")).isTrue();
    assertThat(vault.of("acme").value("bank")).isEmpty();
  }

  @Test
  void what_another_node_has_changed_is_heard_of_within_a_second() {
    var time = new ManualTime();
    var here = new Ports(time.ports().clock(), ports.random(), ports.threads());
    Vault node = Vault.open(map, Keyring.of(List.of(key)), here);
    vault.put("acme", "bank", "one", "ann");
    assertThat(node.of("acme").value("bank")).contains("one");

    vault.put("acme", "bank", "two", "bob");
    time.move(Duration.ofSeconds(1));

    assertThat(node.of("acme").value("bank")).contains("two");
  }

  @Test
  void a_record_that_was_moved_or_changed_does_not_open() {
    vault.put("acme", "bank", CANARY, "ann");
    String stored = map.get("secrets/acme/bank").json();
    map.put("secrets/rival/bank", Json.tree(String.valueOf(stored)));

    assertThatThrownBy(() -> vault.of("rival").value("bank"))
        .isInstanceOf(Vault.SecretUnreadable.class)
        .hasMessageContaining("moved");
  }

  @Test
  void re_keying_goes_on_where_it_stopped_and_then_needs_the_old_key_no_more() {
    for (int i = 0; i < 5; i++) {
      vault.put("acme", "s" + i, "value " + i, "ann");
    }
    byte[] auditKey = vault.auditKey();
    byte[] next = Keyring.bytes(ports.random());
    assertThatThrownBy(() -> Vault.open(map, Keyring.of(List.of(next)), ports))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("master key");

    Vault both = Vault.open(map, Keyring.of(List.of(next, key)), ports);
    both.put("acme", "s0", "written meanwhile", "ann");
    int first = both.rekey().rewrapped();
    vault.put("acme", "s1", "by a node with the old key", "bob");
    int second = both.rekey().rewrapped();

    assertThat(first).isEqualTo(5); // the four others and the audit log's
    assertThat(second).isEqualTo(1);
    assertThat(both.rekey()).isEqualTo(new Vault.Rekeyed(0, List.of()));
    Vault after = Vault.open(map, Keyring.of(List.of(next)), ports);
    assertThat(after.of("acme").value("s0")).contains("written meanwhile");
    assertThat(after.of("acme").value("s1")).contains("by a node with the old key");
    assertThat(after.of("acme").value("s4")).contains("value 4");
    assertThat(after.auditKey()).isEqualTo(auditKey);
  }

  @Test
  void the_key_file_is_made_once_for_its_owner_only_and_never_replaced() throws IOException {
    Kv fresh = hapax.tenant("another/server").kv();
    Path file = folder.resolve("master.key");

    Vault.open(fresh, file, ports).put("acme", "bank", CANARY, "ann");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Vault.open(fresh, file, ports).of("acme").value("bank")).contains(CANARY);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> Vault.open(fresh, file, ports)).hasMessageContaining("chmod 600");
    Files.delete(file);
    assertThatThrownBy(() -> Vault.open(fresh, file, ports)).hasMessageContaining("is missing");
    assertThat(file).doesNotExist();
  }

  @Test
  void bad_names_and_values_are_refused_without_repeating_the_value() {
    assertThatThrownBy(() -> vault.put("acme", "a/b", CANARY, "ann"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining(CANARY);
    assertThatThrownBy(() -> vault.put("acme", "a", "", "ann"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
