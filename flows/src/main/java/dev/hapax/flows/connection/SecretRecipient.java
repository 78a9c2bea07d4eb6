package dev.hapax.flows.connection;

import java.net.Socket;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The destination that a secret is about to be sent to.
 *
 * @param isSafe whether no one on the way can read it: it is encrypted, or stays on this machine
 */
record SecretRecipient(String host, int port, boolean isSafe) {
  static SecretRecipient over(Socket plain, String host, int port, boolean isEncrypted) {
    return new SecretRecipient(host, port, isEncrypted || isLocal(plain));
  }

  private static boolean isLocal(Socket socket) {
    return socket.getInetAddress() != null && socket.getInetAddress().isLoopbackAddress();
  }

  /** Whether one of these is its host, or its host and port. */
  boolean isAmong(Set<String> hosts) {
    return names("").anyMatch(hosts::contains) || isPlainAmong(hosts);
  }

  /** Whether one of these allows it without encryption, too. */
  boolean isPlainAmong(Set<String> hosts) {
    return names(Secrets.PLAIN).anyMatch(hosts::contains);
  }

  private Stream<String> names(String prefix) {
    String name = prefix + host.toLowerCase(Locale.ROOT);
    return Stream.of(name, name + ":" + port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
