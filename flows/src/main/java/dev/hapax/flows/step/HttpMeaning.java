package dev.hapax.flows.step;

import dev.hapax.flow.Ambiguous;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.Idempotency.Stores;
import dev.hapax.flows.connection.StatusMeanings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps an HTTP answer to its meaning for an effect: done, not applied, rejected or ambiguous. */
final class HttpMeaning {
  private HttpMeaning() {}

  /**
   * Returns if the request was done; throws NotApplied, Rejected or Ambiguous if not.
   *
   * @param keys how the destination removes duplicates; null if our key was not sent along
   * @param shown the answer's text, without secrets
   */
  static void demandDone(
      String method,
      HttpAnswer answer,
      StatusMeanings meanings,
      @Nullable Idempotency keys,
      String shown,
      Instant now) {
    int status = answer.status();
    Duration retryAfter = retryAfter(answer, now);
    if (keys != null && status >= 500 && isReplayed(answer, keys)) {
      throw new Ambiguous(
          "the destination repeats its first answer, which does not say whether the effect"
              + " happened: "
              + said(status, shown),
          retryAfter,
          false);
    }
    if (meanings.notApplied().contains(status)) {
      throw new NotApplied(said(status, shown), retryAfter, null);
    }
    if (meanings.alreadyDone().contains(status)) {
      return;
    }
    if (keys != null && keys.keyReused().contains(status)) {
      throw new Ambiguous(
          "the destination says that the key was used with another request: " + said(status, shown),
          retryAfter,
          false);
    }
    if (meanings.inFlight().contains(status)
        || (keys != null && keys.inFlight().contains(status))) {
      throw new Ambiguous(
          "the destination is still working on it: " + said(status, shown), retryAfter, true);
    }
    if (status >= 200 && status < 300) {
      return;
    }
    if (method.equals("DELETE") && (status == 404 || status == 410)) {
      return;
    }
    if (status == 429 || status == 425) {
      throw new NotApplied(said(status, shown), retryAfter, null);
    }
    if (status >= 400 && status < 500 && status != 408 && status != 409) {
      throw keys != null && keys.isStoredRefusal(status, isReplayed(answer, keys))
          ? Rejected.stored("http-" + status, said(status, shown))
          : new Rejected("http-" + status, said(status, shown));
    }
    boolean isForgotten = keys != null && status >= 500 && keys.stores() == Stores.SUCCESS;
    throw new Ambiguous(
        "the answer does not say whether the effect happened"
            + (isForgotten ? ", and the destination does not keep the key after it: " : ": ")
            + said(status, shown),
        retryAfter,
        !isForgotten);
  }

  private static boolean isReplayed(HttpAnswer answer, Idempotency keys) {
    String header = keys.replayHeader();
    String value = header == null ? "" : answer.header(header.toLowerCase(Locale.ROOT), "");
    return !value.isEmpty() && !value.equalsIgnoreCase("false");
  }

  /** For reads: says which answers are worth a retry, and which are final. */
  static void demandRead(int status, HttpAnswer answer, String shown, Instant now)
      throws IOException {
    if (status >= 200 && status < 300) {
      return;
    }
    if (status == 429 || status == 425 || status == 503) {
      throw new NotApplied(said(status, shown), retryAfter(answer, now), null);
    }
    if (status < 500 && status != 408) {
      throw new Rejected("http-" + status, said(status, shown));
    }
    throw new IOException(said(status, shown));
  }

  private static String said(int status, String shown) {
    return "HTTP %d%s".formatted(status, shown.isEmpty() ? "" : ": " + shown);
  }

  static @Nullable Duration retryAfter(HttpAnswer answer, Instant now) {
    String text = answer.header("retry-after", "").strip();
    if (text.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return at.isAfter(now) ? Duration.between(now, at) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
