package dev.hapax.flows.connection;

import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The forms that programs give a secret: plain, reversed, in upper and lower case, in base64,
 * base32 and hex, as in an address, in JSON and in HTML. Case is compared by the reader of these
 * forms.
 */
final class SecretForms {
  /** The characters that forms, paths, JavaScript and RFC 3986 leave unescaped. */
  private static final List<String> KEPT_IN_ADDRESSES =
      List.of(".-*_", "-._~!$&'()*+,;=:@/", "-_.!~*'()", "-._~");

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  /** A shorter piece of an encoded secret could appear by chance. */
  private static final int SHORTEST_PIECE = 8;

  private SecretForms() {}

  /** Returns all forms of a secret of eight characters or more. */
  static Set<String> of(String secret) {
    var forms = new LinkedHashSet<String>();
    for (String written :
        List.of(secret, secret.toLowerCase(Locale.ROOT), secret.toUpperCase(Locale.ROOT))) {
      forms.addAll(simple(written));
      byte[] bytes = written.getBytes(StandardCharsets.UTF_8);
      forms.addAll(inHtml(written));
      forms.add(HexFormat.of().formatHex(bytes));
      forms.add(HexFormat.ofDelimiter(":").formatHex(bytes));
      forms.addAll(insideBase32(bytes));
      forms.add(new StringBuilder(written).reverse().toString());
    }
    return forms;
  }

  /** Returns the forms that a shorter secret is hidden in, too. */
  static Set<String> simple(String secret) {
    var forms = new LinkedHashSet<String>();
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    forms.add(secret);
    forms.add(Base64.getEncoder().encodeToString(bytes));
    forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    forms.add(Base64.getUrlEncoder().encodeToString(bytes));
    forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    forms.addAll(insideBase64(bytes));
    forms.addAll(inAddresses(bytes));
    forms.addAll(inJson(secret));
    return forms;
  }

  /**
   * Inside a longer text, such as {@code user:secret}, base64 has three forms, one for each number
   * of bytes that precede the secret in its group. A form has the letters that depend on the secret
   * alone; of its first and last byte, at most five bits are left in the letters beside them.
   */
  private static List<String> insideBase64(byte[] secret) {
    var forms = new ArrayList<String>();
    for (int before = 0; before <= 2; before++) {
      byte[] padded = new byte[before + secret.length];
      System.arraycopy(secret, 0, padded, before, secret.length);
      int from = Math.ceilDiv(before * 8, 6);
      int whole = padded.length * 8 / 6;
      if (whole - from >= SHORTEST_PIECE) {
        forms.add(Base64.getEncoder().encodeToString(padded).substring(from, whole));
        forms.add(Base64.getUrlEncoder().encodeToString(padded).substring(from, whole));
      }
    }
    return forms;
  }

  /** As in base64, for each of the five places in a group of base32. */
  private static List<String> insideBase32(byte[] secret) {
    var forms = new ArrayList<String>();
    for (int before = 0; before <= 4; before++) {
      byte[] padded = new byte[before + secret.length];
      System.arraycopy(secret, 0, padded, before, secret.length);
      String text = base32(padded);
      int from = Math.ceilDiv(before * 8, 5);
      int whole = padded.length * 8 / 5;
      if (before == 0) {
        forms.add(text);
      }
      if (whole - from >= SHORTEST_PIECE) {
        forms.add(text.substring(from, whole));
      }
    }
    return forms;
  }

  private static String base32(byte[] bytes) {
    var text = new StringBuilder();
    long bits = 0;
    int count = 0;
    for (byte one : bytes) {
      bits = (bits << 8) | (one & 0xff);
      count += 8;
      while (count >= 5) {
        count -= 5;
        text.append(BASE32.charAt((int) (bits >> count) & 31));
      }
    }
    if (count > 0) {
      text.append(BASE32.charAt((int) (bits << (5 - count)) & 31));
    }
    return text.toString();
  }

  /** Programs differ in the characters that they leave unescaped. */
  private static Set<String> inAddresses(byte[] secret) {
    var forms = new HashSet<String>();
    for (String kept : KEPT_IN_ADDRESSES) {
      for (String escape : List.of("%%%02X", "%%%02x")) {
        String form = percents(secret, kept, escape);
        forms.add(form);
        forms.add(form.replace("%20", "+"));
      }
    }
    return forms;
  }

  private static String percents(byte[] secret, String kept, String escape) {
    var text = new StringBuilder();
    for (byte one : secret) {
      char c = (char) (one & 0xff);
      boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || kept.indexOf(c) >= 0);
      text.append(isPlain ? String.valueOf(c) : escape.formatted((int) c));
    }
    return text.toString();
  }

  /** The forms in JSON text: some programs escape slashes, some escape all but ASCII. */
  private static Set<String> inJson(String secret) {
    String quoted = Json.write(secret);
    String plain = quoted.substring(1, quoted.length() - 1);
    var forms = new HashSet<String>();
    for (String form : List.of(plain, plain.replace("/", "\\/"))) {
      forms.add(form);
      forms.add(ascii(form, "\\u%04x"));
      forms.add(ascii(form, "\\u%04X"));
      forms.add(
          ascii(form, "\\u%04x")
              .replace("<", "\\u003c")
              .replace(">", "\\u003e")
              .replace("&", "\\u0026"));
    }
    return forms;
  }

  /** Programs differ in which characters they escape, and how they write quotes. */
  private static Set<String> inHtml(String secret) {
    String least = secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    String quoted = least.replace("\"", "&quot;");
    var forms = new HashSet<String>();
    for (String form :
        List.of(
            least,
            quoted,
            least.replace("\"", "&#34;"),
            quoted.replace("'", "&#39;"),
            quoted.replace("'", "&#x27;"),
            quoted.replace("'", "&apos;"),
            least.replace("\"", "&#34;").replace("'", "&#39;"),
            quoted.replace("'", "&#x27;").replace("/", "&#x2F;"),
            quoted.replace("'", "&#39;").replace("/", "&#47;"))) {
      forms.add(form);
      forms.add(ascii(form, "&#%d;"));
      forms.add(ascii(form, "&#x%x;"));
    }
    return forms;
  }

  private static String ascii(String text, String escape) {
    return text.chars()
        .mapToObj(c -> c < 128 ? Character.toString(c) : escape.formatted(c))
        .collect(Collectors.joining());
  }
}
