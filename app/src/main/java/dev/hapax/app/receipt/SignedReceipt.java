package dev.hapax.app.receipt;

import tools.jackson.databind.JsonNode;

/**
 * A receipt and its signature.
 *
 * @param receipt the content, see {@link dev.hapax.flow.EffectReceipt}
 * @param key the public key, Ed25519 in X.509 and base64; the audit checkpoints of the same server
 *     have it, too
 * @param signature over kind, content and key, in base64
 */
public record SignedReceipt(JsonNode receipt, String key, String signature) {}
