package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the form of one kind of connection. */
interface FormReader {
  /** Returns the connection; refuses an unusable form, with what was expected. */
  Connection connection(String name);

  /** Returns the names of the secrets that it uses. */
  Stream<@Nullable String> secrets();

  /** Returns the hosts that it leads to, in lower case. */
  Set<String> hosts();

  /** Returns the hosts in private networks that it wants to reach. */
  @Nullable Set<String> privateHosts();

  /** Connections that were written before may still have such headers. */
  default void refuseHeaders() {}
}
