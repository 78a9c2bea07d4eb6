package dev.hapax.flows.connection;

import java.net.SocketAddress;
import java.security.PublicKey;
import java.util.Set;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.jspecify.annotations.Nullable;

/**
 * The pinned keys of one machine. Nothing else makes a machine known: no file of known hosts, no
 * certificate, no first use.
 */
final class HostKeys {
  /** Where a session keeps the keys that it expects. */
  private static final AttributeRepository.AttributeKey<HostKeys> EXPECTED =
      new AttributeRepository.AttributeKey<>();

  private final Set<String> pinned;
  private volatile @Nullable String refused;

  HostKeys(Set<String> pinned) {
    this.pinned = pinned;
  }

  /** Returns the verifier of all sessions; a session without expected keys is refused. */
  static ServerKeyVerifier verifier() {
    return HostKeys::verify;
  }

  private static boolean verify(ClientSession session, SocketAddress from, PublicKey key) {
    AttributeRepository context = session.getConnectionContext();
    HostKeys expected = context == null ? null : context.getAttribute(EXPECTED);
    return expected != null && expected.accepts(key);
  }

  private boolean accepts(PublicKey key) {
    String shown = KeyUtils.getFingerPrint(BuiltinDigests.sha256, key);
    if (!(key instanceof OpenSshCertificate) && pinned.contains(shown)) {
      return true;
    }
    refused = "%s (%s)".formatted(shown, KeyUtils.getKeyType(key));
    return false;
  }

  /** Returns the context of a session that expects these keys. */
  AttributeRepository context() {
    return AttributeRepository.ofKeyValuePair(EXPECTED, this);
  }

  /** Returns the key that was refused; null if none was. */
  @Nullable String refused() {
    return refused;
  }
}
