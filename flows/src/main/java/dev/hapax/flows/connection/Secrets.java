package dev.hapax.flows.connection;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Secrets by name, stored elsewhere. Only connections use them: expressions cannot name them. */
@FunctionalInterface
public interface Secrets {
  Optional<String> value(String name);

  /**
   * Whether there is a secret of this name. Says yes if its value cannot be had now: that is no
   * proof that it is missing.
   */
  default boolean has(String name) {
    try {
      return value(name).isPresent();
    } catch (NotApplied e) {
      return true;
    }
  }

  /** Begins the hosts that a secret may go to without encryption. */
  String PLAIN = "http://";

  /**
   * Returns the hosts that a secret may go to, in lower case, each alone, with its port, or after
   * {@link #PLAIN}. Null if that is not limited; it still goes nowhere without encryption.
   */
  default @Nullable Set<String> hosts(String name) {
    return null;
  }

  /** Returns the value, for a request that is about to be sent; it is hidden from now on. */
  default String use(String name, SecretRecipient to, Redaction redaction) {
    Optional<String> found;
    try {
      refuseUnless(name, to, hosts(name));
      found = value(name);
    } catch (NoAnswer e) {
      throw new NotApplied(
          "secret '%s' could not be read: nothing was sent. The step tries again.".formatted(name),
          e);
    }
    String value =
        found.orElseThrow(
            () ->
                new NotApplied(
                    "secret '%s' is not set: nothing was sent. Set it, and the step continues."
                        .formatted(name)));
    redaction.hide(value);
    return value;
  }

  private static void refuseUnless(String name, SecretRecipient to, @Nullable Set<String> hosts) {
    if (hosts != null && !to.isAmong(hosts)) {
      throw new Rejected(
          "secret-refused",
          "secret '%s' may go to %s, and not to %s: nothing was sent. Correct the connection, or write the secret again with this host."
              .formatted(name, hosts.stream().sorted().toList(), to));
    }
    if (!to.isSafe() && (hosts == null || !to.isPlainAmong(hosts))) {
      throw new Rejected(
          "secret-refused",
          "secret '%s' would go to %s without encryption: nothing was sent. Use TLS (https), or let the operator write the secret with the host '%s%s'."
              .formatted(name, to, PLAIN, to.host()));
    }
  }

  /** For flows that need none. */
  Secrets NONE = _ -> Optional.empty();
}
