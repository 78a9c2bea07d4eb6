package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The only way out. It resolves a name once, checks every address of the name, and connects the
 * socket to one of exactly these, so that a name cannot change its address in between. It ignores
 * proxies of the environment.
 */
public final class Egress {
  private final AddressRule.Resolver resolver;
  private final Dialer dialer;
  private final @Nullable SSLSocketFactory tls;

  private Egress(AddressRule.Resolver resolver, Dialer dialer, @Nullable SSLSocketFactory tls) {
    this.resolver = resolver;
    this.dialer = dialer;
    this.tls = tls;
  }

  /** Connects to a permitted address. */
  @FunctionalInterface
  public interface Dialer {
    Socket dial(InetSocketAddress address, Duration timeout) throws IOException;
  }

  public static Egress system() {
    return with(InetAddress::getAllByName);
  }

  static Egress with(AddressRule.Resolver resolver) {
    return new Egress(resolver, Egress::dial, null);
  }

  /** Returns a network for tests, where every name has this address. */
  public static Egress over(InetAddress address, Dialer dialer) {
    return new Egress(_ -> new InetAddress[] {address}, dialer, null);
  }

  /** Uses another trust, for tests with their own certificates. */
  public Egress trusting(SSLSocketFactory factory) {
    return new Egress(resolver, dialer, factory);
  }

  /**
   * Returns the addresses of a host.
   *
   * @throws Refused if one of them may not be reached
   * @throws NotApplied if the name is not known
   */
  List<InetAddress> addresses(String host, Set<String> privateHosts) {
    InetAddress[] all;
    try {
      all = resolver.resolve(bare(host));
    } catch (UnknownHostException e) {
      throw new NotApplied("host '%s' is not known".formatted(host), e);
    }
    if (!privateHosts.contains(bare(host))) {
      for (InetAddress address : all) {
        String reason = AddressRule.closed(address);
        if (reason != null) {
          throw new Refused(
              "host '%s' has the address %s, which flows may not reach: %s. If that is meant, name the host under privateHosts of the connection."
                  .formatted(host, address.getHostAddress(), reason));
        }
      }
    }
    return Arrays.asList(all);
  }

  /** Connects; after any failure here, it is certain that nothing was applied. */
  Socket connect(String host, int port, Duration timeout, Set<String> privateHosts) {
    IOException last = null;
    for (InetAddress address : addresses(host, privateHosts)) {
      try {
        return dialer.dial(new InetSocketAddress(address, port), timeout);
      } catch (IOException e) {
        last = e;
      }
    }
    throw new NotApplied(
        "no connection to %s:%d: %s".formatted(host, port, last == null ? "" : last.getMessage()),
        last);
  }

  private static Socket dial(InetSocketAddress address, Duration timeout) throws IOException {
    Socket socket = new Socket(java.net.Proxy.NO_PROXY);
    try {
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.toIntExact(timeout.toMillis()));
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  /** Encrypts; the certificate must match the name, whatever the address was. */
  Socket encrypt(Socket plain, String host, int port, Duration timeout) {
    try {
      plain.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      SSLSocketFactory factory =
          tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls;
      SSLSocket socket = (SSLSocket) factory.createSocket(plain, bare(host), port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      if (!isAddress(host)) {
        parameters.setServerNames(List.of(new SNIHostName(host)));
      }
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (SSLException e) {
      close(plain);
      throw new NotApplied("no TLS with %s:%d: %s".formatted(host, port, e.getMessage()), e);
    } catch (IOException e) {
      close(plain);
      throw new NotApplied(
          "the TLS handshake with %s:%d broke off: %s".formatted(host, port, e.getMessage()), e);
    }
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.matches("[0-9.]+");
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // the socket is abandoned anyway
    }
  }
}
