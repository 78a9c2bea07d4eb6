package dev.hapax.app.access;

import dev.hapax.Hapax;

/**
 * Signs statements of this server with the key of the audit checkpoints, so that a person who has
 * kept a checkpoint can check them.
 */
public final class DocumentSigner {
  private final CheckpointSigner signer;
  private final AuditLog log;
  private final Hapax opened;

  DocumentSigner(CheckpointSigner signer, AuditLog log, Hapax opened) {
    this.signer = signer;
    this.log = log;
    this.opened = opened;
  }

  /** Returns the public key, Ed25519 in X.509 and base64. */
  public String key() {
    return signer.key();
  }

  /**
   * Returns the signature, in base64.
   *
   * @param content must begin with its kind, so that it is never taken for another statement
   */
  public String sign(byte[] content) {
    return signer.sign(content);
  }

  /** Returns a signed statement about the end of the tenant's audit log. */
  public AuditCheckpoint checkpoint(String tenant) {
    AuditLog.End end = log.end(tenant);
    return signer.sign(store(), tenant, end.number(), end.mark());
  }

  /** Returns the id of the store. */
  public String store() {
    return Long.toString(opened.storeId(), Character.MAX_RADIX);
  }
}
