package dev.hapax.app.secret;

import dev.hapax.app.secret.outside.OutsideSecrets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A secret as people see it: never its value, and never its place outside.
 *
 * @param source vault, file, environment or helper
 * @param revision how often it was written; null if it is not in the vault
 * @param hosts that it may go to; null if no connection has used it yet
 */
record SecretView(
    String name,
    String source,
    @Nullable Long revision,
    @Nullable Instant changedAt,
    @Nullable String changedBy,
    @Nullable List<String> hosts) {
  private static final String VAULT = "vault";

  /** Returns the secrets of a tenant by name. One from outside hides one of the vault. */
  static List<SecretView> list(
      Vault vault,
      OutsideSecrets outside,
      SecretBindings bindings,
      String tenant,
      @Nullable String after,
      int limit) {
    Stream<SecretView> stored =
        vault.list(tenant, after, limit + outside.of(tenant).size()).stream()
            .filter(secret -> outside.kindOf(tenant, secret.name()) == null)
            .map(
                secret ->
                    new SecretView(
                        secret.name(),
                        VAULT,
                        secret.revision(),
                        secret.changedAt(),
                        secret.changedBy(),
                        null));
    Stream<SecretView> others =
        outside.of(tenant).entrySet().stream()
            .filter(secret -> after == null || secret.getKey().compareTo(after) > 0)
            .map(
                secret ->
                    new SecretView(secret.getKey(), secret.getValue(), null, null, null, null));
    return Stream.concat(stored, others)
        .sorted(Comparator.comparing(SecretView::name))
        .limit(limit)
        .map(secret -> secret.at(bindings.hostsOf(tenant, secret.name())))
        .toList();
  }

  private SecretView at(@Nullable Set<String> names) {
    List<String> sorted = names == null ? null : names.stream().sorted().toList();
    return new SecretView(name, source, revision, changedAt, changedBy, sorted);
  }
}
