package dev.hapax.app.http;

import dev.hapax.app.tls.PemStores;
import dev.hapax.app.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's certificate. New files are used for new connections; those that are open keep
 * theirs. Files that cannot be used leave the certificate as it was, with a warning.
 */
final class Tls {
  private static final Logger log = LoggerFactory.getLogger(Tls.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofDays(14);

  private final TlsFiles files;
  private final SslContextFactory.Server factory = new SslContextFactory.Server();
  private String used;
  private String refused = "";

  private Tls(TlsFiles files, TlsFiles.Content content) {
    this.files = files;
    this.used = content.mark();
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setIncludeCipherSuites(
        "TLS_(AES|CHACHA20)_.*", "TLS_ECDHE_(ECDSA|RSA)_WITH_(AES_\\d+_GCM|CHACHA20_POLY1305)_.*");
    factory.setRenegotiationAllowed(false);
    factory.setKeyStorePassword(PemStores.PASSWORD);
    if (files.clientCa() != null) {
      factory.setNeedClientAuth(files.clientsRequired());
      factory.setWantClientAuth(!files.clientsRequired());
    }
    use(factory, content);
  }

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if they are unusable: a server does not start without them
   */
  static Tls open(TlsFiles files) {
    try {
      return new Tls(files, files.read());
    } catch (IOException e) {
      throw new IllegalArgumentException("http.tls: " + reason(e), e);
    }
  }

  private static void use(SslContextFactory factory, TlsFiles.Content content) {
    factory.setKeyStore(content.identity());
    factory.setTrustStore(content.clients());
    warnIfOld(content);
  }

  private static void warnIfOld(TlsFiles.Content content) {
    try {
      if (content.identity().getCertificate("hapax") instanceof X509Certificate certificate
          && certificate.getNotAfter().toInstant().isBefore(Instant.now().plus(SOON))) {
        log.warn(
            "the certificate of this server ends on {}: renew it",
            certificate.getNotAfter().toInstant());
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key store in memory can be read", e);
    }
  }

  /** Returns the protocol in front of HTTP. */
  SslConnectionFactory before(HttpConnectionFactory plain) {
    HttpConfiguration http = plain.getHttpConfiguration();
    if (http.getCustomizer(SecureRequestCustomizer.class) == null) {
      // The host is our own check. A health check by address asks for no name of the certificate.
      http.addCustomizer(new SecureRequestCustomizer(false));
    }
    return new SslConnectionFactory(factory, plain.getProtocol());
  }

  /** Looks for new files from now on. */
  void follow(Scheduler scheduler) {
    scheduler.schedule(
        () -> {
          look();
          if (scheduler.isRunning()) {
            follow(scheduler);
          }
        },
        LOOK_EVERY.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Warns at the second look only: one file may be replaced a moment before the other. */
  void look() { // if new files are wrong in any way, the server goes on with the old ones
    String found = "";
    try {
      found = files.mark();
      if (found.equals(used)) {
        return;
      }
      TlsFiles.Content content = files.read();
      factory.reload(changed -> use(changed, content));
      used = content.mark();
      refused = "";
      log.info("new connections get the certificate in {}", files.certificate());
    } catch (Exception e) {
      if (refused.equals(found)) {
        log.warn("the new certificate is not used, the old one stays: {}", reason(e));
        refused = found + " warned";
      } else if (!refused.equals(found + " warned")) {
        refused = found;
      }
    }
  }

  private static String reason(Exception e) {
    return e instanceof NoSuchFileException
        ? "%s does not exist".formatted(e.getMessage())
        : String.valueOf(e.getMessage());
  }
}
