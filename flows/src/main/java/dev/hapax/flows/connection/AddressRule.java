package dev.hapax.flows.connection;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says which addresses a flow may reach. Private, local and reserved networks are closed, also in
 * the forms in which IPv6 carries an IPv4 address; {@code InetAddress} itself misses many of them.
 */
final class AddressRule {
  private static final Pattern AMBIGUOUS = Pattern.compile("([0-9]+\\.)*0[0-9]+(\\.[0-9]+)*\\.?");

  private AddressRule() {}

  /**
   * Whether a host is an IPv4 address with leading zeros: some programs read its parts as octal
   * numbers, some as decimal ones, and so they disagree about the address.
   */
  static boolean isAmbiguous(String host) {
    return AMBIGUOUS.matcher(host).matches();
  }

  /** Returns why the address is closed; null if it is open. */
  static @Nullable String closed(InetAddress address) {
    return switch (address) {
      case Inet4Address four -> closed(four.getAddress());
      case Inet6Address six -> closedSix(six.getAddress());
      default -> "its address family is unknown";
    };
  }

  private static @Nullable String closed(byte[] address) {
    int a = address[0] & 0xff;
    int b = address[1] & 0xff;
    int c = address[2] & 0xff;
    if (a == 127) {
      return "it is this machine (127/8)";
    }
    if (a == 10 || (a == 172 && b >= 16 && b <= 31) || (a == 192 && b == 168)) {
      return "it is a private network (RFC 1918)";
    }
    if (a == 169 && b == 254) {
      return "it is link-local (169.254/16), where clouds keep their metadata";
    }
    if (a == 100 && b >= 64 && b <= 127) {
      return "it is shared address space (100.64/10)";
    }
    if (a == 0) {
      return "it is not the address of a host (0/8)";
    }
    if (a == 192 && b == 0 && (c == 0 || c == 2)) {
      return "it is reserved (192.0.%d/24)".formatted(c);
    }
    if ((a == 198 && (b == 18 || b == 19)) || (a == 198 && b == 51 && c == 100)) {
      return "it is for benchmarks and examples (198.18/15, 198.51.100/24)";
    }
    if (a == 192 && b == 88 && c == 99) {
      return "it is a relay of 6to4 (192.88.99/24)";
    }
    if (a == 168 && b == 63 && c == 129 && (address[3] & 0xff) == 16) {
      return "it is the host of a machine in Azure (168.63.129.16)";
    }
    if (a == 203 && b == 0 && c == 113) {
      return "it is for examples (203.0.113/24)";
    }
    return a >= 224 ? "it is multicast or reserved (224/3)" : null;
  }

  private static @Nullable String closedSix(byte[] address) {
    if (startsWith(address, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) {
      return "it is ::1, :: or an IPv4 address in IPv6";
    }
    if (startsWith(address, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)) {
      return "it is an IPv4 address in IPv6 (::ffff:0:0/96)";
    }
    if (startsWith(address, 0, 0x64, 0xff, 0x9b)) {
      return "it is an IPv4 address behind NAT64 (64:ff9b::/96)";
    }
    if (startsWith(address, 0x20, 0x02)) {
      return "it is an IPv4 address in 6to4 (2002::/16)";
    }
    if (startsWith(address, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0)) {
      return "it is a translated IPv4 address (::ffff:0:0:0/96)";
    }
    int first = address[0] & 0xff;
    int second = address[1] & 0xff;
    if ((first & 0xfe) == 0xfc) {
      return "it is a private network (fc00::/7)";
    }
    if (first == 0xfe && (second & 0xc0) >= 0x80) {
      return "it is link-local or site-local (fe80::/9)";
    }
    if (first == 0xff) {
      return "it is multicast (ff00::/8)";
    }
    if ((first & 0xe0) != 0x20) {
      return "it is not a global address (2000::/3)";
    }
    return closedGlobal(address);
  }

  private static @Nullable String closedGlobal(byte[] address) {
    if (startsWith(address, 0x20, 0x01) && (address[2] & 0xfe) == 0) {
      return "it is reserved for protocols such as Teredo (2001::/23)";
    }
    if (startsWith(address, 0x20, 0x01, 0x0d, 0xb8)
        || (startsWith(address, 0x3f, 0xff) && (address[2] & 0xf0) == 0)) {
      return "it is for examples (2001:db8::/32, 3fff::/20)";
    }
    return null;
  }

  private static boolean startsWith(byte[] address, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if ((address[i] & 0xff) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /** Resolves names to addresses; a port, so that tests can change the address of a name. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] resolve(String host, Duration atMost) throws UnknownHostException;
  }
}
