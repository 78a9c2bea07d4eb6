package dev.hapax.flows.connection;

import dev.hapax.json.Json;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Removes the secrets that were used from everything that is written or shown: in plain form, in
 * base64, as in an address and as in JSON. Safe for many threads.
 */
public final class Redaction {
  private static final String HIDDEN = "[redacted]";

  /** A shorter secret would be found everywhere. */
  private static final int SHORTEST = 4;

  /** The characters that forms, paths, JavaScript and RFC 3986 leave unescaped. */
  private static final List<String> KEPT_IN_ADDRESSES =
      List.of(".-*_", "-._~!$&'()*+,;=:@/", "-_.!~*'()", "-._~");

  private final Set<String> forms = ConcurrentHashMap.newKeySet();
  private volatile List<String> longestFirst = List.of();

  /** Hides this value from now on. */
  public void hide(String secret) {
    if (secret.length() < SHORTEST || !forms.add(secret)) {
      return;
    }
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    add(Base64.getEncoder().encodeToString(bytes));
    add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    add(Base64.getUrlEncoder().encodeToString(bytes));
    add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    insideBase64(bytes).forEach(this::add);
    inAddresses(bytes).forEach(this::add);
    inJson(secret).forEach(this::add);
    longestFirst =
        forms.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  private void add(String form) {
    if (form.length() >= SHORTEST) {
      forms.add(form);
    }
  }

  /** Inside a longer text, such as {@code user:secret}, base64 has two other forms. */
  private static List<String> insideBase64(byte[] secret) {
    var forms = new ArrayList<String>();
    for (int before = 1; before <= 2; before++) {
      byte[] padded = new byte[before + secret.length];
      System.arraycopy(secret, 0, padded, before, secret.length);
      int whole = (padded.length / 3) * 4; // the last letters depend on what follows
      if (whole > 4) { // the first ones on what comes before
        forms.add(Base64.getEncoder().encodeToString(padded).substring(4, whole));
        forms.add(Base64.getUrlEncoder().encodeToString(padded).substring(4, whole));
      }
    }
    return forms.stream().filter(form -> form.length() >= 8).toList();
  }

  /** Programs differ in the characters that they leave unescaped, and in the case of digits. */
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
    }
    return forms;
  }

  private static String ascii(String text, String escape) {
    return text.chars()
        .mapToObj(c -> c < 128 ? Character.toString(c) : escape.formatted(c))
        .collect(Collectors.joining());
  }

  public String redact(String text) {
    String redacted = text;
    for (String form : longestFirst) {
      if (redacted.contains(form)) {
        redacted = redacted.replace(form, HIDDEN);
      }
    }
    return redacted;
  }

  /** Redacts bytes on their way, which are text in UTF-8 or no text at all. */
  public InputStream redact(InputStream bytes) {
    List<String> hidden = longestFirst;
    return hidden.isEmpty() ? bytes : new RedactedStream(bytes, hidden, HIDDEN);
  }

  /** Redacts a JSON value of any shape. */
  public @Nullable Object redact(@Nullable Object value) {
    if (longestFirst.isEmpty()) {
      return value;
    }
    return switch (value) {
      case String text -> redact(text);
      case Map<?, ?> map -> {
        var redacted = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((key, inner) -> redacted.put(redact(String.valueOf(key)), redact(inner)));
        yield redacted;
      }
      case List<?> list -> {
        var redacted = new ArrayList<@Nullable Object>();
        list.forEach(inner -> redacted.add(redact(inner)));
        yield redacted;
      }
      case null, default -> value;
    };
  }
}
