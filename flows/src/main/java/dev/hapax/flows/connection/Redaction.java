package dev.hapax.flows.connection;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the secrets that were used out of everything that is written or shown: as they are, in
 * base64 and as in an address. Safe for many threads.
 */
public final class Redaction {
  private static final String HIDDEN = "[redacted]";

  /** What is shorter would be found everywhere. */
  private static final int SHORTEST = 4;

  private final Set<String> forms = ConcurrentHashMap.newKeySet();
  private volatile List<String> longestFirst = List.of();

  /** From now on this value is hidden. */
  public void hide(String secret) {
    if (secret.length() < SHORTEST || !forms.add(secret)) {
      return;
    }
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    add(Base64.getEncoder().encodeToString(bytes));
    add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    add(Base64.getUrlEncoder().encodeToString(bytes));
    add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
    add(URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20"));
    for (String inside : insideBase64(bytes)) {
      add(inside);
    }
    longestFirst =
        forms.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  private void add(String form) {
    if (form.length() >= SHORTEST) {
      forms.add(form);
    }
  }

  /** As a part of something longer, as in {@code user:secret}, base64 has two other forms. */
  private static List<String> insideBase64(byte[] secret) {
    var forms = new ArrayList<String>();
    for (int before = 1; before <= 2; before++) {
      byte[] padded = new byte[before + secret.length];
      System.arraycopy(secret, 0, padded, before, secret.length);
      String text = Base64.getEncoder().withoutPadding().encodeToString(padded);
      int whole = (padded.length / 3) * 4; // the last letters depend on what follows
      if (whole > 4) {
        forms.add(text.substring(4, whole)); // the first ones on what is before
      }
    }
    return forms.stream().filter(form -> form.length() >= 8).toList();
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

  /** The same for bytes on their way, which hold text in UTF-8 or nothing that is text. */
  public InputStream redact(InputStream bytes) {
    List<String> hidden = longestFirst;
    return hidden.isEmpty() ? bytes : new RedactedStream(bytes, hidden, HIDDEN);
  }

  /** The same for a value of JSON, whatever its shape. */
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
