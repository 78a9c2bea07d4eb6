package dev.hapax.testkit.fault;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses that a server must not be led to: private, local and reserved networks and the metadata
 * services of clouds, in the spellings with which attackers hide them.
 */
public final class ClosedAddresses {
  /** One of each kind, as in a URL. */
  public static final List<String> KINDS =
      List.of(
          "127.0.0.1",
          "10.0.0.1",
          "192.168.7.7",
          "169.254.169.254",
          "100.64.0.1",
          "0.0.0.0",
          "2130706433", // 127.0.0.1 as one number
          "[::1]",
          "[fe80::1]",
          "[fd00::1]",
          "[::ffff:10.0.0.1]",
          "[64:ff9b::a00:1]",
          "[2002:a00:1::]");

  private static final List<String> FOUR =
      List.of(
          "127.0.0.1",
          "127.8.8.8",
          "127.255.255.254",
          "10.1.2.3",
          "10.255.255.255",
          "172.16.0.1",
          "172.31.255.255",
          "192.168.0.1",
          "192.168.255.255",
          "169.254.0.1",
          "169.254.169.254", // metadata of AWS, Google, Azure and others
          "169.254.170.2", // credentials of containers in AWS
          "168.63.129.16", // the host in Azure
          "100.64.0.1",
          "100.100.100.200", // metadata of Alibaba
          "100.127.255.255",
          "192.0.0.8",
          "192.0.0.192", // metadata of Oracle
          "192.0.2.1",
          "192.88.99.1",
          "198.18.0.1",
          "198.19.9.9",
          "198.51.100.7",
          "203.0.113.7",
          "0.0.0.0",
          "0.1.2.3",
          "224.0.0.1",
          "239.1.1.1",
          "240.0.0.1",
          "255.255.255.255");

  private static final List<String> SIX =
      List.of(
          "::1",
          "::",
          "0:0:0:0:0:0:0:1",
          "0000:0000:0000:0000:0000:0000:0000:0001",
          "fc00::1",
          "fd00:ec2::254", // metadata of AWS
          "fd12:3456::1",
          "fe80::1",
          "fe80::a9fe:a9fe",
          "febf::1",
          "fec0::1",
          "feff::1",
          "100::1",
          "100:0:0:1::1",
          "2001::1",
          "2001:0:4136:e378::",
          "2001:2::1",
          "2001:10::1",
          "2001:20::1",
          "2001:db8::1",
          "3fff::1",
          "5f00::1",
          "4000::1",
          "ff02::1",
          "ff0e::1");

  private ClosedAddresses() {}

  /** Returns addresses as a resolver answers them, IPv4 and IPv6. */
  public static List<String> literals() {
    var all = new ArrayList<>(FOUR);
    all.addAll(SIX);
    for (String address : hidden()) {
      all.addAll(inSix(address));
    }
    return List.copyOf(all);
  }

  /** Returns hosts as in a URL: all literals, and IPv4 addresses in every spelling. */
  public static List<String> hosts() {
    var all = new ArrayList<String>();
    literals().forEach(one -> all.add(one.contains(":") ? "[" + one + "]" : one));
    hidden().forEach(one -> all.addAll(spellings(one)));
    for (String zone : List.of("%lo", "%25lo", "%1", "%251", "%0", "%nowhere")) {
      all.add("[fe80::1" + zone + "]");
      all.add("[::1" + zone + "]");
    }
    return List.copyOf(all);
  }

  /** Returns names, each with addresses of which at least one is closed. */
  public static Map<String, List<String>> names() {
    var names = new LinkedHashMap<String, List<String>>();
    names.put("localhost", List.of("127.0.0.1", "::1"));
    names.put("ip6-localhost", List.of("::1"));
    names.put("localhost.localdomain", List.of("127.0.0.1"));
    names.put("metadata.google.internal", List.of("169.254.169.254"));
    names.put("kubernetes.default.svc", List.of("10.96.0.1"));
    names.put("mixed.attack.example", List.of("2f00::1", "10.0.0.1"));
    names.put("mixed-six.attack.example", List.of("2f00::1", "fd00::1"));
    int number = 0;
    for (String literal : literals()) {
      names.put("name-%d.attack.example".formatted(number++), List.of(literal));
    }
    return names;
  }

  private static List<String> hidden() {
    return List.of("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1");
  }

  private static int[] parts(String address) {
    String[] texts = address.split("\\.", -1);
    int[] parts = new int[texts.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Integer.parseInt(texts[i]);
    }
    return parts;
  }

  private static List<String> inSix(String address) {
    int[] p = parts(address);
    String high = Integer.toHexString((p[0] << 8) | p[1]);
    String low = Integer.toHexString((p[2] << 8) | p[3]);
    String not =
        Integer.toHexString(~((p[0] << 8) | p[1]) & 0xffff)
            + ":"
            + Integer.toHexString(~((p[2] << 8) | p[3]) & 0xffff);
    return List.of(
        "::" + address,
        "::ffff:" + address,
        "::ffff:" + high + ":" + low,
        "0:0:0:0:0:ffff:" + high + ":" + low,
        "::ffff:0:" + high + ":" + low,
        "64:ff9b::" + high + ":" + low,
        "64:ff9b:1::" + high + ":" + low,
        "2002:" + high + ":" + low + "::",
        "2002:" + high + ":" + low + "::1",
        "2001:0:0:0:0:0:" + not,
        "fe80::5efe:" + high + ":" + low);
  }

  private static List<String> spellings(String address) {
    int[] p = parts(address);
    long number = ((long) p[0] << 24) | (p[1] << 16) | (p[2] << 8) | p[3];
    return List.of(
        Long.toString(number),
        "0x" + Long.toHexString(number),
        "0X%08X".formatted(number),
        "0" + Long.toOctalString(number),
        "%d.%d".formatted(p[0], number & 0xffffff),
        "%d.%d.%d".formatted(p[0], p[1], number & 0xffff),
        "0x%x.0x%x.0x%x.0x%x".formatted(p[0], p[1], p[2], p[3]),
        "0x%x.%d.%d.%d".formatted(p[0], p[1], p[2], p[3]),
        "0%o.0%o.0%o.0%o".formatted(p[0], p[1], p[2], p[3]),
        "0%o.%d.%d.%d".formatted(p[0], p[1], p[2], p[3]),
        "%03d.%03d.%03d.%03d".formatted(p[0], p[1], p[2], p[3]),
        "%d.0x%x".formatted(p[0], number & 0xffffff),
        address.replace(".", "%2e"),
        address.replace('.', '\u3002'),
        fullWidth(address));
  }

  private static String fullWidth(String address) {
    var text = new StringBuilder();
    address.chars().forEach(c -> text.append(c == '.' ? '.' : (char) (c - '0' + '\uff10')));
    return text.toString();
  }
}
