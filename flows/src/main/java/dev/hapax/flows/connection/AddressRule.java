package dev.hapax.flows.connection;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Says which addresses a flow may reach. Private, local and reserved networks are closed, also in
 * the forms in which IPv6 carries an IPv4 address; {@code InetAddress} itself misses many of them.
 */
final class AddressRule {
  private AddressRule() {}

  /** Returns why the address is closed; null if it is open. */
  static @Nullable String closed(InetAddress address) {
    return switch (address) {
      case Inet4Address four -> closed(four.getAddress());
      case Inet6Address six -> closedSix(six.getAddress());
      default -> "it is of no known family";
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
      return "it is no address of a host (0/8)";
    }
    if (a == 192 && b == 0 && (c == 0 || c == 2)) {
      return "it is reserved (192.0.%d/24)".formatted(c);
    }
    if ((a == 198 && (b == 18 || b == 19)) || (a == 198 && b == 51 && c == 100)) {
      return "it is for benchmarks and examples (198.18/15, 198.51.100/24)";
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
    if (startsWith(address, 0x20, 0x01, 0, 0)) {
      return "it is Teredo (2001::/32)";
    }
    if (startsWith(address, 0x20, 0x01, 0x0d, 0xb8)) {
      return "it is for examples (2001:db8::/32)";
    }
    int first = address[0] & 0xff;
    int second = address[1] & 0xff;
    if ((first & 0xfe) == 0xfc) {
      return "it is a private network (fc00::/7)";
    }
    if (first == 0xfe && (second & 0xc0) >= 0x80) {
      return "it is link-local or site-local (fe80::/9)";
    }
    if (startsWith(address, 0x01, 0)) {
      return "it is discard-only (100::/64)";
    }
    return first == 0xff ? "it is multicast (ff00::/8)" : null;
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
    InetAddress[] resolve(String host) throws UnknownHostException;
  }
}
