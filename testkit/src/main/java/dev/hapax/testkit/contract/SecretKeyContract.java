package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Digest;
import org.junit.jupiter.api.Test;

/** The store's own secret key. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class SecretKeyContract extends StoreContract {
  @Test
  void the_secret_key_is_made_once() {
    byte[] key = Digest.sha256("one");

    assertThat(store.secretKey(key)).isEqualTo(key);
    assertThat(store.secretKey(Digest.sha256("another"))).isEqualTo(key);
    assertThat(store.secretKey()).isEqualTo(key);
  }

  @Test
  void only_a_known_secret_key_is_erased() {
    assertThat(store.secretKey()).isNull();
    byte[] key = Digest.sha256("one");
    store.secretKey(key);

    store.eraseSecretKey(Digest.sha256("another"));
    assertThat(store.secretKey()).isEqualTo(key);

    store.eraseSecretKey(key);
    assertThat(store.secretKey()).isNull();
    store.eraseSecretKey(key);
    assertThat(store.secretKey(Digest.sha256("next"))).isEqualTo(Digest.sha256("next"));
  }
}
