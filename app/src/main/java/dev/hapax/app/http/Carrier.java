package dev.hapax.app.http;

import java.net.URI;

/** What brings requests to routes: a server of our own, or another program's. */
public sealed interface Carrier extends AutoCloseable permits Server, Mount {
  /** Where the routes are reached. */
  URI address();

  /** Takes no new requests, and waits for those that are being answered. */
  @Override
  void close();
}
