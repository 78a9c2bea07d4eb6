package dev.hapax.app.data;

import dev.hapax.Hapax;
import dev.hapax.Kv;

/** The map of the server's own records: it belongs to a tenant that no credential can name. */
public final class ServerMap {
  /** No name of a tenant has a slash in it, see {@code TenantBook}. */
  public static final String TENANT = "hapax/server";

  private ServerMap() {}

  /**
   * The map of the server itself.
   *
   * @param opened the engine that was opened, not a tenant's part of it
   */
  public static Kv of(Hapax opened) {
    return opened.tenant(TENANT).kv();
  }
}
