package dev.hapax.app.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the key stores that Java's TLS needs from PEM files. */
public final class PemStores {
  /** A key store in memory needs a password, which protects nothing. */
  public static final String PASSWORD = "in-memory";

  private PemStores() {}

  /**
   * Returns a store with the certificate, its chain and its key.
   *
   * @throws IOException if a file is unusable, or the key belongs to another certificate
   */
  public static KeyStore identity(Path chain, Path key) throws IOException {
    List<X509Certificate> certificates = certificates(chain);
    PrivateKey secret = PrivateKeys.in(key);
    if (!isPair(secret, certificates.getFirst().getPublicKey())) {
      throw new IOException(
          "the key in %s does not belong to the first certificate in %s".formatted(key, chain));
    }
    try {
      KeyStore store = empty();
      store.setKeyEntry(
          "hapax", secret, PASSWORD.toCharArray(), certificates.toArray(Certificate[]::new));
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException("%s: %s".formatted(chain, e.getMessage()), e);
    }
  }

  /** Returns a store that trusts every certificate in a file. */
  public static KeyStore trust(Path authorities) throws IOException {
    try {
      KeyStore store = empty();
      int number = 0;
      for (X509Certificate certificate : certificates(authorities)) {
        store.setCertificateEntry("ca-" + number++, certificate);
      }
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException("%s: %s".formatted(authorities, e.getMessage()), e);
    }
  }

  /**
   * Returns the settings of a client.
   *
   * @param authorities trusts only these; null for those of the system
   * @param identity shows this certificate; null for none
   */
  public static SSLContext client(@Nullable Path authorities, @Nullable KeyStore identity)
      throws IOException {
    try {
      TrustManagerFactory trust = null;
      if (authorities != null) {
        trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trust(authorities));
      }
      KeyManagerFactory keys = null;
      if (identity != null) {
        keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, PASSWORD.toCharArray());
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys == null ? null : keys.getKeyManagers(),
          trust == null ? null : trust.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /** Returns the certificates of a file, in their order. */
  static List<X509Certificate> certificates(Path file) throws IOException {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Pem block : Pem.in(file)) {
        if (block.label().equals("CERTIFICATE")) {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.content())));
        }
      }
    } catch (CertificateException e) {
      throw new IOException("%s: a certificate is unreadable".formatted(file), e);
    }
    if (found.isEmpty()) {
      throw new IOException("%s has no '-----BEGIN CERTIFICATE-----' block".formatted(file));
    }
    return found;
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** A signature of one verifies with the other. */
  private static boolean isPair(PrivateKey secret, PublicKey open) {
    String algorithm =
        switch (secret.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    byte[] text = new byte[32];
    new SecureRandom().nextBytes(text);
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(secret);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(open);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // of different algorithms
    }
  }
}
