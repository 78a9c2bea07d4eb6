package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.flow.TokenKeys;
import dev.hapax.json.Digest;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sealed keys of tokens, and the way of the old key into the vault. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TokenKeyBookTest {
  private static final byte[] OLD = Digest.sha256("the key of an older version");

  private final Ports ports = Ports.system();
  private final MemoryStore store = new MemoryStore();
  private final Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT.closeWithin(Duration.ZERO));
  private final Kv map = ServerMap.of(hapax);
  private final Keyring keys = Keyring.of(List.of(Digest.sha256("master")));

  /** The process dies when it erases the key. */
  private static final class DiesWhileErasing extends ForwardingStore {
    private final Store to;

    DiesWhileErasing(Store to) {
      this.to = to;
    }

    @Override
    protected Store to() {
      return to;
    }

    @Override
    public void eraseSecretKey(byte[] known) {
      throw new IllegalStateException("power cut");
    }
  }

  @AfterEach
  void close() {
    hapax.close();
  }

  private TokenKeyBook open() {
    return TokenKeyBook.open(map, store, Vault.open(map, keys, ports), ports);
  }

  @Test
  void a_new_server_has_a_sealed_key_and_the_store_has_none() {
    TokenKeyBook book = open();

    assertThat(book.current()).isEqualTo(1);
    assertThat(book.find(1)).hasSize(32).isEqualTo(open().find(1));
    assertThat(book.find(TokenKeys.OF_STORE)).isNull();
    assertThat(store.secretKey()).isNull();
  }

  @Test
  void the_old_key_moves_into_the_vault_and_stays_valid() {
    store.secretKey(OLD);

    TokenKeyBook book = open();

    assertThat(store.secretKey()).isNull();
    assertThat(book.current()).isEqualTo(1);
    assertThat(book.find(TokenKeys.OF_STORE)).isEqualTo(OLD);
    assertThat(open().find(TokenKeys.OF_STORE)).isEqualTo(OLD);
  }

  @Test
  void a_crash_in_the_middle_of_the_move_loses_nothing() {
    store.secretKey(OLD);
    assertThatThrownBy(
            () ->
                TokenKeyBook.open(
                    map, new DiesWhileErasing(store), Vault.open(map, keys, ports), ports))
        .hasMessage("power cut");
    assertThat(store.secretKey()).isEqualTo(OLD);

    TokenKeyBook book = open();

    assertThat(store.secretKey()).isNull();
    assertThat(book.find(TokenKeys.OF_STORE)).isEqualTo(OLD);
  }

  @Test
  void two_nodes_that_upgrade_at_once_seal_the_same_key() throws InterruptedException {
    store.secretKey(OLD);
    Vault vault = Vault.open(map, keys, ports);
    var books = new TokenKeyBook[2];
    Thread first =
        Thread.ofVirtual().start(() -> books[0] = TokenKeyBook.open(map, store, vault, ports));
    books[1] = open();
    first.join();

    assertThat(books[0].find(TokenKeys.OF_STORE)).isEqualTo(OLD);
    assertThat(books[1].find(TokenKeys.OF_STORE)).isEqualTo(OLD);
    assertThat(books[0].find(1)).isEqualTo(books[1].find(1));
    assertThat(store.secretKey()).isNull();
  }

  @Test
  void a_wrong_master_key_moves_nothing() {
    Vault.open(map, keys, ports);
    store.secretKey(OLD);
    var wrong = Keyring.of(List.of(Digest.sha256("another")));

    assertThatThrownBy(() -> TokenKeyBook.open(map, store, Vault.open(map, wrong, ports), ports))
        .hasMessageContaining("the master key does not open the secrets of this store");

    assertThat(store.secretKey()).isEqualTo(OLD);
  }

  @Test
  void a_key_that_an_older_node_makes_later_is_erased_and_not_used() {
    open();
    store.secretKey(OLD);

    TokenKeyBook book = open();

    assertThat(store.secretKey()).isNull();
    assertThat(book.find(TokenKeys.OF_STORE)).isNull();
    assertThat(book.current()).isEqualTo(1);
  }

  @Test
  void a_rotation_keeps_the_other_keys_unless_they_are_revoked() {
    store.secretKey(OLD);
    TokenKeyBook book = open();
    byte[] first = book.find(1);

    TokenKeyBook.Rotated rotated = book.rotate(false);

    assertThat(rotated.version()).isEqualTo(2);
    assertThat(rotated.valid()).containsExactly(0, 1, 2);
    assertThat(book.current()).isEqualTo(2);
    assertThat(book.find(1)).isEqualTo(first).isNotEqualTo(book.find(2));
    assertThat(book.rotate(true).revoked()).containsExactly(0, 1, 2);
    assertThat(book.current()).isEqualTo(3);
    assertThat(book.find(0)).isNull();
    assertThat(book.find(1)).isNull();
    assertThat(book.find(2)).isNull();
    assertThat(open().find(3)).isEqualTo(book.find(3)).isNotNull();
  }
}
