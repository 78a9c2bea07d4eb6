package dev.hapax.store.postgres;

import java.time.Duration;

/**
 * How long a connection waits for the next bytes of the server. A server whose machine is gone
 * sends nothing, not even the end of the connection, and the operating system would wait for it for
 * a quarter of an hour.
 *
 * @param lookup of a start, which has the readers behind it
 * @param read of a page of rows
 * @param commit which may wait for a standby; a commit that is given up is submitted again
 */
record Patience(Duration lookup, Duration read, Duration commit) {
  static final Patience DEFAULT =
      new Patience(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30));
}
