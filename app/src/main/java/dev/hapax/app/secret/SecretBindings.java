package dev.hapax.app.secret;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.app.secret.outside.OutsideSecrets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Keeps secrets and connections together: a connection takes no secret to another host. */
public final class SecretBindings {
  private static final int PAGE = 200;

  private final Vault vault;
  private final OutsideSecrets outside;
  private final ConnectionBook connections;
  private final SecretHosts hosts;

  public SecretBindings(
      Vault vault, OutsideSecrets outside, ConnectionBook connections, SecretHosts hosts) {
    this.vault = vault;
    this.outside = outside;
    this.connections = connections;
    this.hosts = hosts;
  }

  /**
   * Refuses a connection that would take a secret to a host that it does not name. The first
   * connection decides for a secret without hosts; its writer must be allowed to write secrets.
   */
  void refuseUnlessAllowed(Call call, ConnectionReader connection) {
    for (String secret : connection.secrets()) {
      Set<String> allowed = hosts.of(call.actor().tenant(), secret);
      if (allowed == null) {
        if (isThere(call.actor().tenant(), secret) && !call.actor().may(TokenScope.SECRETS_WRITE)) {
          throw Problem.forbidden(
              "secret '%s' names no hosts yet: only a token with %s may give it to a connection. Write the secret with hosts."
                  .formatted(secret, TokenScope.SECRETS_WRITE.word()));
        }
      } else {
        refuseOthers(secret, allowed, connection.hosts());
      }
    }
  }

  private static void refuseOthers(String secret, Set<String> allowed, Set<String> hosts) {
    for (String host : hosts) {
      if (allowed.stream().noneMatch(one -> isHost(one, host))) {
        throw Problem.notPossible(
            "secret '%s' may go to %s, and this connection leads to '%s'. Write the secret again with this host, or use another secret."
                .formatted(secret, new TreeSet<>(allowed), host));
      }
    }
  }

  private static boolean isHost(String allowed, String host) {
    String bare = allowed.replaceFirst("^http://", "");
    return bare.equals(host) || bare.startsWith(host + ":");
  }

  private boolean isThere(String tenant, String secret) {
    return outside.kindOf(tenant, secret) != null || vault.has(tenant, secret);
  }

  /** Gives the connection's host to its secrets that have none. */
  void bind(Call call, ConnectionReader connection) {
    List<String> reached = List.copyOf(connection.hosts());
    for (String secret : connection.secrets()) {
      if (!reached.isEmpty() && isThere(call.actor().tenant(), secret)) {
        hosts.bind(call.actor().tenant(), secret, reached, call.actor().name());
      }
    }
  }

  /** Returns the hosts of the connections that use a secret. */
  private Set<String> usedAt(String tenant, String secret) {
    var found = new TreeSet<String>();
    for (ConnectionReader connection : readers(tenant)) {
      if (connection.secrets().contains(secret)) {
        found.addAll(connection.hosts());
      }
    }
    return found;
  }

  private List<ConnectionReader> readers(String tenant) {
    var readers = new java.util.ArrayList<ConnectionReader>();
    String after = null;
    List<ConnectionBook.Saved> page;
    do {
      page = connections.list(tenant, after, PAGE);
      for (ConnectionBook.Saved saved : page) {
        readers.add(ConnectionBook.reader(saved.form()));
        after = saved.name();
      }
    } while (page.size() == PAGE);
    return readers;
  }

  /** Gives hosts to the secrets of a store that was written before secrets had any. */
  public void bindAll(String tenant) {
    for (ConnectionReader connection : readers(tenant)) {
      for (String secret : connection.secrets()) {
        if (hosts.of(tenant, secret) == null && isThere(tenant, secret)) {
          hosts.bind(tenant, secret, List.copyOf(usedAt(tenant, secret)), "upgrade");
        }
      }
    }
  }

  @Nullable Set<String> hostsOf(String tenant, String secret) {
    return hosts.of(tenant, secret);
  }

  /** After a secret was written: these hosts, or those of its connections if it has none. */
  void written(String tenant, String secret, @Nullable List<String> wanted, String actor) {
    if (wanted != null) {
      hosts.put(tenant, secret, wanted, actor);
      return;
    }
    Set<String> used = usedAt(tenant, secret);
    if (!used.isEmpty()) {
      hosts.bind(tenant, secret, List.copyOf(used), actor);
    }
  }

  void forget(String tenant, String secret) {
    hosts.forget(tenant, secret);
  }
}
