package dev.hapax.app.http;

import java.net.URI;

/** Brings requests to routes: our own server, or another program's. */
public sealed interface Carrier extends AutoCloseable permits Server, Mount {
  /** Returns the address of the routes. */
  URI address();

  /** Takes no new requests, and waits for those that are being answered. */
  @Override
  void close();
}
