package dev.hapax.app.api;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import java.time.Duration;
import java.util.Locale;

/** {@code Prefer: wait=30} of RFC 7240. */
public final class Preference {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private Preference() {}

  /** Returns how long the caller wants to wait for the end of a run; zero for not at all. */
  static Duration wait(Call call) {
    return waitOr(call, Duration.ZERO);
  }

  /** As above; a caller that does not say so waits this long. */
  public static Duration waitOr(Call call, Duration usual) {
    String prefer = call.header("Prefer");
    if (prefer == null) {
      return usual;
    }
    for (String part : prefer.split("[,;]", -1)) {
      String word = part.strip().toLowerCase(Locale.ROOT);
      if (word.startsWith("wait")) {
        return seconds(word.substring("wait".length()).strip());
      }
    }
    return usual;
  }

  private static Duration seconds(String value) {
    if (value.isEmpty()) {
      return Duration.ofSeconds(30);
    }
    try {
      String number = value.substring(value.indexOf('=') + 1).strip().replace("\"", "");
      Duration wanted = Duration.ofSeconds(Long.parseLong(number));
      if (value.startsWith("=") && !wanted.isNegative()) {
        return wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw Problem.invalidInput("Prefer: expected wait=SECONDS, got 'wait%s'".formatted(value));
  }
}
