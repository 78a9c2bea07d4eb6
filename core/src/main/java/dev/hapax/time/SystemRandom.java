package dev.hapax.time;

import java.security.SecureRandom;

/** The machine's own randomness, fit for identities. */
final class SystemRandom implements RandomSource {
  private final SecureRandom random = new SecureRandom();

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public double nextDouble() {
    return random.nextDouble();
  }
}
