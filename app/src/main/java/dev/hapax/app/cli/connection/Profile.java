package dev.hapax.app.cli.connection;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A server by name.
 *
 * @param ca the path of a PEM file with the authorities of its certificate; null for the system's
 * @param certificate the path of a PEM file with the caller's own certificate and key; null for
 *     none
 */
public record Profile(
    String url, @Nullable String token, @Nullable String ca, @Nullable String certificate) {
  public Profile(String url, @Nullable String token) {
    this(url, token, null, null);
  }

  Trust trust() {
    return new Trust(
        ca == null ? null : Path.of(ca), certificate == null ? null : Path.of(certificate));
  }
}
