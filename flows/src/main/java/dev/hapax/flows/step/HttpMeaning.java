package dev.hapax.flows.step;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.StatusMeanings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** What an answer of HTTP means: section 4 of the design, line for line. */
final class HttpMeaning {
  private HttpMeaning() {}

  /**
   * Returns if it was done; throws NotApplied, Rejected, or something else if nobody knows.
   *
   * @param shown what the answer said, without secrets
   */
  static void demandDone(
      String method, HttpAnswer answer, StatusMeanings meanings, String shown, Instant now)
      throws IOException {
    int status = answer.status();
    if (meanings.notApplied().contains(status)) {
      throw new NotApplied(said(status, shown), retryAfter(answer, now), null);
    }
    if (meanings.alreadyDone().contains(status)) {
      return;
    }
    if (meanings.inFlight().contains(status)) {
      throw new IOException("it is still being done: " + said(status, shown));
    }
    if (status >= 200 && status < 300) {
      return;
    }
    if (method.equals("DELETE") && (status == 404 || status == 410)) {
      return;
    }
    if (status == 429 || status == 425) {
      throw new NotApplied(said(status, shown), retryAfter(answer, now), null);
    }
    if (status >= 400 && status < 500 && status != 408 && status != 409) {
      throw new Rejected("http-" + status, said(status, shown));
    }
    throw new IOException("the answer does not tell whether it happened: " + said(status, shown));
  }

  /** For reads: what is worth another try, and what is final. */
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

  private static @Nullable Duration retryAfter(HttpAnswer answer, Instant now) {
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
