package dev.hapax.store.sqlite;

import dev.hapax.run.EffectKey;
import dev.hapax.run.RunId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A hash by which a row is found. Ordered as SQLite orders blobs. */
final class Key implements Comparable<Key> {
  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  static Key of(RunId id) {
    return new Key(id.bytes());
  }

  static Key of(byte[] hash) {
    return new Key(hash);
  }

  static Key of(EffectKey key) {
    return new Key(key.hash());
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key key && Arrays.equals(bytes, key.bytes);
  }

  /** Any four bytes of a hash are as good as all of them. */
  @Override
  public int hashCode() {
    return bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
  }
}
