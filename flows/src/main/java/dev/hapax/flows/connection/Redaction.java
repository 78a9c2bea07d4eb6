package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HiddenForms.Hidden;
import dev.hapax.json.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the secrets that were used from everything that is written or shown, in all the forms of
 * {@link SecretForms}. Safe for many threads.
 */
public final class Redaction {
  private static final String HIDDEN = "[redacted]";

  /** A shorter secret would be found everywhere. */
  private static final int SHORTEST = 4;

  /** A secret of this length is hidden in every form and case. */
  private static final int LONG = 8;

  private final Set<String> secrets = new HashSet<>(); // guarded by this
  private final Set<Hidden> forms = new HashSet<>(); // guarded by this
  private volatile HiddenForms inText = HiddenForms.NONE;
  private volatile HiddenForms inBytes = HiddenForms.NONE;
  private volatile Set<String> known = Set.of();

  /** Hides this value from now on. */
  public void hide(String secret) {
    if (secret.length() < SHORTEST || known.contains(secret)) {
      return;
    }
    synchronized (this) {
      if (!secrets.add(secret)) {
        return;
      }
      if (secret.length() < LONG) {
        SecretForms.simple(secret).forEach(form -> forms.add(Hidden.exactly(form)));
      } else {
        SecretForms.of(secret).forEach(form -> forms.add(Hidden.inAnyCase(form)));
      }
      inText = new HiddenForms(forms);
      inBytes = new HiddenForms(forms.stream().map(Redaction::perByte).toList());
      known = Set.copyOf(secrets);
    }
  }

  private static Hidden perByte(Hidden form) {
    return new Hidden(
        new String(form.text().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1),
        form.anyCase());
  }

  /**
   * Returns a failure whose message has no secret: the same one, unless a destination has repeated
   * a secret in it.
   */
  @SuppressWarnings("unchecked") // the same type, or one of its kind
  <E extends Exception> E redacted(E failure) {
    String text = Text.messageOf(failure);
    String shown = redact(text);
    if (shown.equals(text)) {
      return failure;
    }
    return (E)
        switch (failure) {
          case NotApplied busy -> new NotApplied(shown, busy.retryAfter(), null);
          case Rejected refused -> new Rejected(refused.code(), shown);
          case RuntimeException _ -> new IllegalStateException(shown);
          default -> new IOException(shown);
        };
  }

  public String redact(String text) {
    HiddenForms hidden = inText;
    if (hidden.isEmpty()) {
      return text;
    }
    StringBuilder redacted = null;
    int from = 0;
    for (int at = 0; at < text.length(); ) {
      int length = hidden.lengthAt(text, at);
      if (length == 0) {
        at++;
        continue;
      }
      if (redacted == null) {
        redacted = new StringBuilder(text.length());
      }
      redacted.append(text, from, at).append(HIDDEN);
      at += length;
      from = at;
    }
    return redacted == null ? text : redacted.append(text, from, text.length()).toString();
  }

  /** Redacts bytes on their way, which are text in UTF-8 or no text at all. */
  public InputStream redact(InputStream bytes) {
    HiddenForms hidden = inBytes;
    return hidden.isEmpty() ? bytes : new RedactedStream(bytes, hidden, HIDDEN);
  }

  /** Redacts a JSON value of any shape; a number that is a secret becomes text. */
  public @Nullable Object redact(@Nullable Object value) {
    if (inText.isEmpty()) {
      return value;
    }
    return switch (value) {
      case String text -> redact(text);
      case Number number -> {
        String text = number.toString();
        String redacted = redact(text);
        yield redacted.equals(text) ? number : (Object) redacted;
      }
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
