package dev.hapax.flow;

import dev.hapax.json.Digest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A hash of fixed length for what runs wait for in line: the gate of a flow, or a lock. */
public record Subject(long high, long low) implements Comparable<Subject> {

  public static Subject gate(String tenant, String flow, @Nullable String key) {
    return of(
        key == null
            ? Digest.ofParts("gate", tenant, flow)
            : Digest.ofParts("gate", tenant, flow, key));
  }

  public static Subject lock(String tenant, String key) {
    return of(Digest.ofParts("lock", tenant, key));
  }

  public static Subject of(byte[] bytes) {
    var buffer = ByteBuffer.wrap(bytes);
    return new Subject(buffer.getLong(), buffer.getLong());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
  }

  @Override
  public int compareTo(Subject other) {
    int first = Long.compareUnsigned(high, other.high);
    return first != 0 ? first : Long.compareUnsigned(low, other.low);
  }
}
