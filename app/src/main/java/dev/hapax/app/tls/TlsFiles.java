package dev.hapax.app.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a server.
 *
 * @param certificate its certificate, then those of the authorities between it and the root
 * @param key the private key of the first certificate
 * @param clientCa the authorities whose certificates clients may show; null if clients show none
 * @param clientsRequired whether a client without a certificate is refused
 */
public record TlsFiles(
    Path certificate, Path key, @Nullable Path clientCa, boolean clientsRequired) {

  /**
   * What the files hold.
   *
   * @param mark changes with the content of any of them
   */
  public record Content(KeyStore identity, @Nullable KeyStore clients, String mark) {}

  /**
   * Reads all files.
   *
   * @throws IOException if one is missing or unusable, or the key belongs to another certificate
   */
  public Content read() throws IOException {
    String mark = mark(); // before: what changes meanwhile is read again at the next look
    Path ca = clientCa;
    return new Content(
        PemStores.identity(certificate, key), ca == null ? null : PemStores.trust(ca), mark);
  }

  /** Returns a digest of all files; a missing one counts as empty. */
  public String mark() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, certificate);
      add(digest, key);
      if (clientCa != null) {
        add(digest, clientCa);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, Path file) throws IOException {
    if (Files.isReadable(file)) {
      digest.update(Files.readAllBytes(file));
    }
    digest.update((byte) 0);
  }
}
