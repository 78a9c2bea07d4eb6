package dev.hapax.engine;

import dev.hapax.effect.RunPort;
import dev.hapax.json.Digest;
import dev.hapax.run.Fingerprint;
import dev.hapax.run.Step;
import dev.hapax.run.Wait;
import dev.hapax.store.Store;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoreUnavailable;
import dev.hapax.store.UnknownCommit;
import dev.hapax.time.RandomSource;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tokens of callbacks. A token is computed from the run's identity with the store's
 * secret key, so that it is the same on every retry and cannot be guessed. Safe for many threads.
 */
final class Tokens {
  private static final int KEY_BYTES = 32;

  private final Store store;
  private final RandomSource random;
  // Read at the first token: most engines never need it. Two threads that read it at once get the
  // same one.
  private final AtomicReference<byte @Nullable []> key = new AtomicReference<>();

  Tokens(Store store, RandomSource random) {
    this.store = store;
    this.random = random;
  }

  String of(RunPort.Identity run, Step step) {
    String item = step.item();
    byte[] token =
        Digest.hmac(
            key(),
            run.tenant(),
            run.id().toString(),
            step.name(),
            item == null ? "" : item,
            Integer.toString(step.roundNumber()));
    return Digest.base32(token, token.length);
  }

  /** Returns the token of the link that decides an approval without another credential. */
  String ofApproval(Wait wait) {
    byte[] token = Digest.hmac(key(), "approval", wait.tenant(), wait.id());
    return Digest.base32(token, token.length);
  }

  /** Returns the hash by which the store finds a token. */
  static Fingerprint hash(String token) {
    return Fingerprint.of(Digest.sha256(token));
  }

  private byte[] key() {
    byte[] known = key.get();
    if (known == null) {
      known = readKey();
      key.set(known);
    }
    return known;
  }

  /** If it is unknown whether the key was written, the next read finds out. */
  private byte[] readKey() {
    try {
      return store.secretKey(fresh());
    } catch (UnknownCommit | StoreFull e) {
      throw new StoreUnavailable("the store's key could not be read: " + e.getMessage(), e);
    }
  }

  private byte[] fresh() {
    var bytes = ByteBuffer.allocate(KEY_BYTES);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.array();
  }
}
