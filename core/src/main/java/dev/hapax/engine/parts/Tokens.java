package dev.hapax.engine.parts;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.TokenKeys;
import dev.hapax.json.Digest;
import dev.hapax.run.wait.Wait;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tokens of callbacks and approval links. A token is computed from the identity of its
 * wait with a secret key, so that it is the same on every retry and cannot be guessed. Safe for
 * many threads.
 */
public final class Tokens {
  private final TokenKeys keys;

  public Tokens(TokenKeys keys) {
    this.keys = keys;
  }

  /** Returns the version of the key for new waits. */
  public int currentKey() {
    return keys.current();
  }

  /**
   * Returns the token of a callback.
   *
   * @param version of the key that its wait has; if that key was revoked, the token is one that no
   *     wait has, and answers as unknown like every other token of that key
   */
  public String of(RunPort.Identity run, Step step, int version) {
    byte[] key = keys.find(version);
    String item = step.item();
    byte[] token =
        Digest.hmac(
            key == null ? current() : key,
            run.tenant(),
            run.id().toString(),
            step.name(),
            item == null ? "" : item,
            Integer.toString(step.roundNumber()));
    return Digest.base32(token, token.length);
  }

  /**
   * Returns the token of a link to the approval of this step. It is the same on every retry, and
   * another one in each round and for each approver.
   *
   * @param version as for a callback
   */
  public String ofLink(
      RunPort.Identity run, Step approval, @Nullable String approver, int version) {
    byte[] key = keys.find(version);
    String item = approval.item();
    byte[] token =
        Digest.hmac(
            key == null ? current() : key,
            "approval-link",
            run.tenant(),
            run.id().toString(),
            approval.name(),
            item == null ? "" : item,
            Integer.toString(approval.roundNumber()),
            approver == null ? "anyone" : "for " + approver);
    return Digest.base32(token, token.length);
  }

  private byte[] current() {
    int version = keys.current();
    byte[] key = keys.find(version);
    if (key == null) {
      throw new StoreUnavailable("the token key %d is missing".formatted(version), null);
    }
    return key;
  }

  /** Returns whether the tokens of this wait were revoked. */
  public boolean isRevoked(Wait wait) {
    return keys.find(wait.keyVersion()) == null;
  }

  /**
   * Returns the token of the link that decides an approval without another credential. If the key
   * of its wait was revoked, the link names the version of the current key.
   */
  public String ofApproval(Wait wait) {
    byte[] key = keys.find(wait.keyVersion());
    return key != null ? ofApproval(wait, key) : keys.current() + "." + ofApproval(wait, current());
  }

  private static String ofApproval(Wait wait, byte[] key) {
    byte[] token = Digest.hmac(key, "approval", wait.tenant(), wait.id());
    return Digest.base32(token, token.length);
  }

  /** Returns whether a link to this approval may have this token. */
  public boolean isOfApproval(Wait wait, String token) {
    int end = token.indexOf('.');
    Integer version = end < 0 ? Integer.valueOf(wait.keyVersion()) : version(token, end);
    byte[] key = version == null ? null : keys.find(version);
    return key != null
        && MessageDigest.isEqual(
            ofApproval(wait, key).getBytes(StandardCharsets.UTF_8),
            token.substring(end + 1).getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable Integer version(String token, int end) {
    try {
      return Integer.valueOf(token.substring(0, end));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the hash by which the store finds a token. */
  public static Fingerprint hash(String token) {
    return Fingerprint.of(Digest.sha256(token));
  }
}
