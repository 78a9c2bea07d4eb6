package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.RunId;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A hash that identifies a row. Ordered as databases order bytes. */
public final class Key implements Comparable<Key> {
  private final byte[] bytes;

  Key(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Key of(RunId id) {
    return new Key(id.bytes());
  }

  public static Key of(byte[] hash) {
    return new Key(hash);
  }

  public static Key of(EffectKey key) {
    return new Key(key.hash());
  }

  /** The key of a row that begins with an effect key's tenant, name, key and additive run. */
  public static Key ofEffect(Row row) throws SQLException {
    return of(EffectMapping.key(row));
  }

  public byte[] bytes() {
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
