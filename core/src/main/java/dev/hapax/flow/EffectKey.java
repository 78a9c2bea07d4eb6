package dev.hapax.flow;

import dev.hapax.json.Digest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of an effect: tenant, effect name and business key, across all runs and flows. It
 * never contains an attempt, an epoch, a time or a random value; it contains a run only for {@code
 * additive}, where one repeat per run is wanted.
 *
 * @param additiveRun the run, for {@code additive} alone
 */
public record EffectKey(String tenant, String name, String key, @Nullable RunId additiveRun) {
  /**
   * An erased key: the hash of the key that was erased, and its last wire key. No key of a flow
   * begins so.
   */
  private static final String ERASED = "hapax/erased/";

  private static final int KEY_BYTES = 16;
  private static final int NAME_BYTES = 8;
  private static final int WIRE_BYTES = 20;

  /**
   * The ledger's index: 16 bytes of (tenant, key), then 8 of (tenant, name, key). The effects that
   * a run sends under one business key are therefore neighbours in the index and share a page. The
   * cost of an insert is a random page.
   */
  public byte[] hash() {
    if (isErased()) {
      return HexFormat.of().parseHex(erasedPart(0));
    }
    byte[] byKey =
        additiveRun == null
            ? Digest.ofParts("key", tenant, key)
            : Digest.ofParts("key", tenant, key, run());
    byte[] byName = Digest.ofParts("effect", tenant, name, key);
    byte[] hash = new byte[KEY_BYTES + NAME_BYTES];
    System.arraycopy(byKey, 0, hash, 0, KEY_BYTES);
    System.arraycopy(byName, 0, hash, KEY_BYTES, NAME_BYTES);
    return hash;
  }

  /**
   * The key that the destination sees: 32 characters that pass every provider's form and differ by
   * revision.
   */
  public String onWire(int revision) {
    String number = Integer.toString(revision);
    if (isErased() && erasedPart(1).equals(number)) {
      return erasedPart(2);
    }
    byte[] hash =
        additiveRun == null
            ? Digest.ofParts(tenant, name, key, number)
            : Digest.ofParts(tenant, name, key, number, run());
    return Digest.base32(hash, WIRE_BYTES);
  }

  /** Whether the business key was erased. The index finds the effect by its hash. */
  public boolean isErased() {
    return key.startsWith(ERASED);
  }

  /** The same effect without its business key. */
  public EffectKey erased(int revision) {
    if (isErased()) {
      return this;
    }
    String rest = HexFormat.of().formatHex(hash()) + "/" + revision + "/" + onWire(revision);
    return new EffectKey(tenant, name, ERASED + rest, additiveRun);
  }

  private String erasedPart(int index) {
    return key.substring(ERASED.length()).split("/", -1)[index];
  }

  /** Checks the business key of an effect, as a flow gives it. */
  public static String checked(String what, String key) {
    Names.key(what, key);
    if (key.startsWith(ERASED)) {
      throw new IllegalArgumentException(
          "key of %s: '%s…' is reserved for keys that were erased. Use another key"
              .formatted(what, ERASED));
    }
    return key;
  }

  private String run() {
    return String.valueOf(additiveRun);
  }

  /** The business key for people. */
  public String shown() {
    return isErased() ? Erased.TEXT : key;
  }

  @Override
  public String toString() {
    return "'" + name + "' '" + shown() + "'";
  }
}
