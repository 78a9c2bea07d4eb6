package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** GitHub's: a hash of the body alone, with no time in it. */
record GitHubSignature() implements SignatureScheme {
  private static final HmacSignature FORM =
      new HmacSignature("X-Hub-Signature-256", "sha256=", HmacSignature.Digits.HEX, null);

  @Override
  public Verdict verify(Delivery delivery, List<String> secrets, Instant now) {
    return FORM.verify(delivery, secrets, now);
  }

  @Override
  public @Nullable String eventIdOf(Delivery delivery) {
    return delivery.header("X-GitHub-Delivery");
  }
}
