package dev.hapax.app.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that requests may ask for. Refuses DNS rebinding: a page of another site whose name was
 * made to lead here still sends that name. A browser that was given an address sends the address,
 * which no DNS entry redirects, so addresses are harmless on a server that other machines reach.
 *
 * @param names in lower case; {@code *.example.com} for all names below, {@code *} for all
 * @param takesAddresses whether any IP address, or no host at all, is taken, as health checks send
 */
public record HostRule(Set<String> names, boolean takesAddresses) {
  /** Takes every host; for servers that another program carries. */
  public static final HostRule ANY = new HostRule(Set.of("*"), true);

  private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final Pattern PORT = Pattern.compile(":\\d{0,5}$");
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+(%[0-9a-z]+)?]");

  public HostRule {
    names = Set.copyOf(names);
  }

  /**
   * The rule of a server that listens on this host.
   *
   * @param others that requests may ask for, too
   */
  public static HostRule of(String listening, List<String> others) {
    Set<String> names = new HashSet<>(LOCAL);
    names.add(bracketed(listening));
    others.forEach(name -> names.add(bracketed(name)));
    return new HostRule(names, !isLocal(listening));
  }

  private static boolean isLocal(String listening) {
    return LOCAL.contains(bracketed(listening));
  }

  private static String bracketed(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name;
  }

  /** Returns whether the content of a Host header is taken; null if there was none. */
  public boolean takes(@Nullable String header) {
    if (names.contains("*")) {
      return true;
    }
    if (header == null || header.isEmpty()) {
      return takesAddresses; // only HTTP/1.0 has none, which no browser sends
    }
    String host = nameIn(header);
    return names.contains(host)
        || (takesAddresses && ADDRESS.matcher(host).matches())
        || isBelowOne(host);
  }

  private boolean isBelowOne(String host) {
    return names.stream()
        .filter(name -> name.startsWith("*."))
        .anyMatch(name -> host.endsWith(name.substring(1)) && host.length() >= name.length());
  }

  /** Returns the host without its port. */
  static String nameIn(String header) {
    return PORT.matcher(header).replaceFirst("").toLowerCase(Locale.ROOT);
  }
}
