package dev.hapax.app.secret;

import dev.hapax.app.secret.Envelope.CannotOpen;
import dev.hapax.json.Digest;
import dev.hapax.time.Ports;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The key that seals the sessions of browsers. The vault has it, so all nodes share it and a copy
 * of the database without the master key opens and forges none. Made when the first browser logs
 * in.
 */
public final class SessionKey {
  private static final String NAME = "session-key";
  private static final String SESSION = "session of a browser";

  private final Vault vault;
  private final Ports ports;
  private final byte[] purpose;

  public SessionKey(Vault vault, Ports ports) {
    this(vault, ports, SESSION);
  }

  private SessionKey(Vault vault, Ports ports, String purpose) {
    this.vault = vault;
    this.ports = ports;
    this.purpose = SealedBytes.bound(purpose);
  }

  /** Returns the key for what a browser keeps while it logs in. It opens no session. */
  public SessionKey ofLogins() {
    return new SessionKey(vault, ports, "login of a browser");
  }

  private byte[] bytes() {
    return Base64.getDecoder()
        .decode(
            vault.ownSecret(
                NAME, () -> Base64.getEncoder().encodeToString(Keyring.bytes(ports.random()))));
  }

  private static SecretKey part(byte[] key, String use) {
    return new SecretKeySpec(mac(new SecretKeySpec(key, "HmacSHA256"), use), "AES");
  }

  private static byte[] mac(SecretKey key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HmacSHA256", e);
    }
  }

  /** Returns the text encrypted, in letters that a cookie may hold. */
  public String seal(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            SealedBytes.encrypt(
                part(bytes(), "seal"),
                text.getBytes(StandardCharsets.UTF_8),
                ports.random(),
                purpose));
  }

  /** Returns null if the text was not sealed by this server. */
  public @Nullable String open(String sealed) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(sealed);
      return new String(
          SealedBytes.decrypt(part(bytes(), "seal"), bytes, purpose), StandardCharsets.UTF_8);
    } catch (CannotOpen | IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns a text that only this server can compute from the sealed one. */
  public String proof(String sealed) {
    byte[] proof = mac(part(bytes(), "proof"), sealed);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(proof, 18));
  }

  /** Returns a name that differs from that of other servers, which may be on the same host. */
  public String shortName() {
    byte[] hash = Digest.sha256(Base64.getEncoder().encodeToString(mac(part(bytes(), "name"), "")));
    return HexFormat.of().formatHex(hash, 0, 4);
  }
}
