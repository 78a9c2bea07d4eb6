package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.tls.PemStores;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * What TLS needs beside the system's own authorities.
 *
 * @param ca a PEM file with the authorities of the server's certificate; null for the system's
 * @param certificate a PEM file with a certificate and its key for servers that ask for one; null
 *     for none
 */
public record Trust(@Nullable Path ca, @Nullable Path certificate) {
  static final Trust SYSTEM = new Trust(null, null);

  void applyTo(HttpURLConnection connection) {
    if (connection instanceof HttpsURLConnection encrypted && !equals(SYSTEM)) {
      try {
        Path own = certificate;
        encrypted.setSSLSocketFactory(
            PemStores.client(ca, own == null ? null : PemStores.identity(own, own))
                .getSocketFactory());
      } catch (IOException e) {
        String reason =
            e instanceof NoSuchFileException
                ? "'%s' does not exist".formatted(e.getMessage())
                : String.valueOf(e.getMessage());
        throw Refusal.of(Exit.REFUSED, "file-unreadable", "TLS: " + reason)
            .hint("check --ca and --certificate, HAPAX_CA and HAPAX_CERTIFICATE, or the profile");
      }
    }
  }
}
