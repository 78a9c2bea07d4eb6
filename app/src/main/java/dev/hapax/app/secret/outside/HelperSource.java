package dev.hapax.app.secret.outside;

import java.time.Duration;

/**
 * A secret in a store that a helper program asks.
 *
 * @param key the name of the secret in that store
 */
record HelperSource(HelperCommand helper, String key) implements SecretSource {
  @Override
  public String kind() {
    return "helper";
  }

  @Override
  public Duration freshFor() {
    return helper.freshFor();
  }

  @Override
  public String read() throws CannotRead {
    return SecretSource.checked(
        helper.get(key), "the answer of helper '%s'".formatted(helper.name()));
  }
}
