package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.json.Json;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@SuppressWarnings("MemberName") // the names of tests are sentences
class AuditLogTest {
  private static final byte[] KEY = new byte[32];
  private final Ports ports = Ports.system();
  private final Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT);
  private final Kv map = ServerMap.of(hapax);
  private final AuditLog log = new AuditLog(map, KEY, ports.clock());

  @AfterEach
  void close() {
    hapax.close();
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      log.append("acme", "ann", "PUT /api/secrets/{name}", "name=s" + i, "asked");
    }
  }

  private static String key(int number) {
    return "audit/acme/%015d".formatted(number);
  }

  private JsonNode line(int number) {
    return Json.tree(String.valueOf(map.get(key(number)).json()));
  }

  private AuditLog.Verified verify() {
    return new AuditLog(map, KEY, ports.clock()).verify("acme");
  }

  @Test
  void what_was_appended_is_listed_in_order_and_intact() {
    append(250);
    log.append("rival", "eve", "POST /api/tokens", "", "refused: forbidden");

    assertThat(log.list("acme", 0, 3)).extracting(AuditEntry::number).containsExactly(1L, 2L, 3L);
    assertThat(log.list("acme", 248, 200))
        .extracting(AuditEntry::target)
        .containsExactly("name=s248", "name=s249");
    assertThat(verify().intact()).isTrue();
    assertThat(verify().lines()).isEqualTo(250);
    assertThat(log.verify("rival").lines()).isEqualTo(1);
    assertThat(log.verify("nobody").intact()).isTrue();
  }

  @Test
  void nodes_that_append_at_once_make_one_chain() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      var node = new AuditLog(map, KEY, ports.clock());
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int n = 0; n < 25; n++) {
                  node.append("acme", "ann", "a", "b", "asked");
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(verify().findings()).isEmpty();
    assertThat(verify().lines()).isEqualTo(100);
  }

  @Test
  void a_changed_line_is_found() {
    append(5);
    map.put(key(3), ((ObjectNode) line(3)).put("actor", "bob"));

    assertThat(verify().findings()).extracting(AuditLog.Finding::number).containsExactly(3L);
  }

  @Test
  void a_line_that_was_changed_and_marked_with_another_key_is_found() {
    append(5);
    AuditEntry third = log.list("acme", 2, 1).getFirst();
    map.put(key(3), third.marked(new byte[] {1, 2, 3}));

    assertThat(verify().intact()).isFalse();
  }

  @Test
  void a_removed_line_is_found_wherever_it_was() {
    for (int gone : List.of(1, 3, 5)) {
      map.list("", null, 200).forEach(entry -> map.delete(entry.key()));
      var fresh = new AuditLog(map, KEY, ports.clock());
      for (int i = 0; i < 5; i++) {
        fresh.append("acme", "ann", "a", "b" + i, "asked");
      }
      map.delete(key(gone));
      assertThat(verify().intact()).as("line " + gone).isFalse();
    }
  }

  @Test
  void an_inserted_line_is_found_wherever_it_is() {
    append(3);
    map.put(key(4), ((ObjectNode) line(3)).put("number", 4));
    assertThat(verify().intact()).isFalse();

    map.delete(key(4));
    assertThat(verify().intact()).isTrue();
    map.put("audit/acme/000000000000002x", line(2));
    assertThat(verify().intact()).isFalse();
  }

  @Test
  void the_newest_lines_and_their_record_cannot_go_together_unnoticed() {
    append(5);
    map.delete(key(5));
    map.delete("audit-end/acme");
    assertThat(verify().intact()).isFalse();

    map.put("audit-end/acme", new AuditLog.End(4, line(4).get("mark").asString(), "forged"));
    assertThat(verify().intact()).isFalse();
  }

  @Test
  void a_crash_between_a_line_and_the_record_of_the_last_one_does_no_harm() {
    append(1);
    map.delete("audit-end/acme");
    assertThat(verify().intact()).isTrue();

    new AuditLog(map, KEY, ports.clock()).append("acme", "ann", "a", "b", "asked");
    assertThat(verify().intact()).isTrue();
    assertThat(verify().lines()).isEqualTo(2);
  }
}
