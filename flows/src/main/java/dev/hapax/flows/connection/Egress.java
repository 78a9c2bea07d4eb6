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
  private static final Duration LONGEST_LOOKUP = Duration.ofSeconds(10);

  private static final Egress SYSTEM =
      new Egress(new NameLookup(), Egress::dial, null, Egress::timed);

  private final AddressRule.Resolver resolver;
  private final Dialer dialer;
  private final @Nullable SSLSocketFactory tls;
  private final Budgets budgets;

  private Egress(
      AddressRule.Resolver resolver,
      Dialer dialer,
      @Nullable SSLSocketFactory tls,
      Budgets budgets) {
    this.resolver = resolver;
    this.dialer = dialer;
    this.tls = tls;
    this.budgets = budgets;
  }

  /** Connects to a permitted address. */
  @FunctionalInterface
  public interface Dialer {
    Socket dial(InetSocketAddress address, Duration timeout) throws IOException;
  }

  /** Begins the budget of an attempt. */
  @FunctionalInterface
  private interface Budgets {
    AttemptBudget begin(Duration timeout, long mostBytes);
  }

  public static Egress system() {
    return SYSTEM;
  }

  static Egress with(AddressRule.Resolver resolver) {
    return new Egress(resolver, Egress::dial, null, Egress::timed);
  }

  /** Returns a network for tests, where every name has this address, and with its own time. */
  public static Egress over(InetAddress address, Dialer dialer) {
    return new Egress(
        (_, _) -> new InetAddress[] {address},
        dialer,
        null,
        (timeout, _) -> AttemptBudget.untimed(timeout));
  }

  /** Uses another trust, for tests with their own certificates. */
  public Egress trusting(SSLSocketFactory factory) {
    return new Egress(resolver, dialer, factory, budgets);
  }

  private static AttemptBudget timed(Duration timeout, long mostBytes) {
    return AttemptBudget.begin(timeout, mostBytes);
  }

  /** Begins an attempt, which may take this long and read this much. */
  AttemptBudget begin(Duration timeout, long mostBytes) {
    return budgets.begin(timeout, mostBytes);
  }

  /**
   * Returns the addresses of a host.
   *
   * @throws Refused if one of them may not be reached
   * @throws NotApplied if the name is not known
   */
  List<InetAddress> addresses(String host, Set<String> privateHosts, AttemptBudget budget) {
    if (AddressRule.isAmbiguous(host)) {
      throw new Refused(
          "host '%s' is an IPv4 address with leading zeros, which flows may not reach: programs read it as different addresses. Write it without them."
              .formatted(host));
    }
    InetAddress[] all;
    try {
      all = resolver.resolve(bare(host), budget.leftToConnect(LONGEST_LOOKUP));
    } catch (UnknownHostException e) {
      throw new NotApplied("the address of host '%s' was not found".formatted(host), e);
    }
    if (!privateHosts.contains(bare(host))) {
      for (InetAddress address : all) {
        String reason = AddressRule.closed(address);
        if (reason != null) {
          throw new Refused(
              "host '%s' has the address %s, which flows may not reach: %s. To allow it, add the host to privateHosts of the connection."
                  .formatted(host, address.getHostAddress(), reason));
        }
      }
    }
    return Arrays.asList(all);
  }

  /**
   * Connects; after any failure here, it is certain that nothing was applied.
   *
   * @param timeout of the connection alone; the budget may leave less
   */
  Socket connect(
      String host, int port, Duration timeout, Set<String> privateHosts, AttemptBudget budget) {
    IOException last = null;
    for (InetAddress address : addresses(host, privateHosts, budget)) {
      try {
        Socket socket =
            dialer.dial(new InetSocketAddress(address, port), budget.leftToConnect(timeout));
        use(socket, budget);
        return socket;
      } catch (IOException e) {
        last = e;
      }
    }
    throw new NotApplied(
        "no connection to %s:%d: %s".formatted(host, port, last == null ? "" : last.getMessage()),
        last);
  }

  /** From now on the socket serves the attempt of this budget. */
  static void use(Socket socket, AttemptBudget budget) {
    if (socket instanceof MeteredSocket metered) {
      metered.use(budget);
    }
    budget.watch(socket);
  }

  /** The socket is kept, and serves no attempt until it is used again. */
  static void rest(Socket socket) {
    if (socket instanceof MeteredSocket metered) {
      metered.use(null);
    }
  }

  private static Socket dial(InetSocketAddress address, Duration timeout) throws IOException {
    Socket socket = new MeteredSocket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.max(1, Math.toIntExact(timeout.toMillis())));
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  /** Encrypts; the certificate must match the name, not the address. */
  Socket encrypt(Socket plain, String host, int port, AttemptBudget budget) {
    SSLSocketFactory factory = tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls;
    return encrypt(plain, host, port, factory, budget, "HTTPS");
  }

  /** Encrypts without a look at the certificate. */
  Socket encryptUnverified(Socket plain, String host, int port, AttemptBudget budget) {
    return encrypt(plain, host, port, UncheckedTrust.factory(), budget, "");
  }

  private static Socket encrypt(
      Socket plain,
      String host,
      int port,
      SSLSocketFactory factory,
      AttemptBudget budget,
      String verification) {
    try {
      SSLSocket socket = (SSLSocket) factory.createSocket(plain, bare(host), port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm(verification);
      if (!isAddress(host)) {
        parameters.setServerNames(List.of(new SNIHostName(host)));
      }
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      close(plain);
      String late = budget.whyIfOver();
      String how = e instanceof SSLException ? "no TLS with" : "the TLS handshake broke off with";
      throw new NotApplied(
          "%s %s:%d: %s".formatted(how, host, port, late == null ? e.getMessage() : late), e);
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
