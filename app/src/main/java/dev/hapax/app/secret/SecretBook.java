package dev.hapax.app.secret;

import dev.hapax.app.secret.outside.OutsideSecrets;
import dev.hapax.flows.connection.Secrets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The secrets of all tenants for their connections and webhooks: from outside, or in the vault. */
public final class SecretBook {
  private final Vault vault;
  private final OutsideSecrets outside;
  private final OutsideSecrets.Use use;
  private final SecretHosts hosts;

  public SecretBook(
      Vault vault, OutsideSecrets outside, OutsideSecrets.Use use, SecretHosts hosts) {
    this.hosts = hosts;
    this.vault = vault;
    this.outside = outside;
    this.use = use;
  }

  /** Returns the secrets of one tenant. */
  public Secrets of(String tenant) {
    Secrets stored = vault.of(tenant);
    return new Secrets() {
      @Override
      public Optional<String> value(String name) {
        return outside.kindOf(tenant, name) == null
            ? stored.value(name)
            : Optional.of(outside.value(tenant, name, use));
      }

      @Override
      public boolean has(String name) {
        // A source outside is not asked: it may be away, and then the secret still exists.
        return outside.kindOf(tenant, name) != null || vault.has(tenant, name);
      }

      @Override
      public @Nullable Set<String> hosts(String name) {
        return hosts.of(tenant, name);
      }
    };
  }
}
