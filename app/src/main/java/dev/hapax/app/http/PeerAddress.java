package dev.hapax.app.http;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The owner of a peer's address, for limits per address. */
public final class PeerAddress {
  private PeerAddress() {}

  /** An owner of one IPv6 address has at least all that begin with the same 64 bits. */
  public static String owner(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.ofLiteral(address.replaceFirst("%.*", "")).getAddress();
      return bytes.length == 16 ? Long.toHexString(ByteBuffer.wrap(bytes).getLong()) : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }
}
