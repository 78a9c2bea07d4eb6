package dev.hapax.app.access;

import java.time.Instant;

/**
 * A signed statement about the end of a tenant's audit log. Kept outside the database, it shows
 * later that no line up to its number was changed or removed, and that the database was not set
 * back.
 *
 * @param store the id of the store
 * @param number of the last line
 * @param mark of the last line, which depends on all lines before it
 * @param key the public key of the signature, Ed25519 in X.509 and base64
 * @param signature over everything else, in base64
 */
public record AuditCheckpoint(
    String store,
    String tenant,
    long number,
    String mark,
    Instant at,
    String key,
    String signature) {}
