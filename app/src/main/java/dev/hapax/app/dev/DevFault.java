package dev.hapax.app.dev;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.hapax.flows.expression.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that a developer wants to go wrong.
 *
 * @param target a step, {@code flow/step}, the name of an effect, or a connection
 * @param kind what goes wrong
 * @param times how many more requests it happens to
 * @param delay of a delayed request; null for other kinds
 * @param status of a failed request; null for other kinds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DevFault(
    String target, Kind kind, int times, @Nullable String delay, @Nullable Integer status) {
  private static final int MOST_TIMES = 1_000;
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(10);

  /** The ways in which a request goes wrong. */
  public enum Kind {
    /** It arrives and is done; its answer is lost. */
    LOSE,
    /** It never arrives, and its sender cannot know that. */
    DROP,
    /** It arrives later. */
    DELAY,
    /** It arrives twice. */
    DOUBLE,
    /** It is answered with an error, and not done. */
    FAIL;

    /** Returns the word of the control route. */
    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(@Nullable String word) {
      return Arrays.stream(values())
          .filter(kind -> kind.word().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "fault: expected one of %s, got '%s'"
                          .formatted(Arrays.stream(values()).map(Kind::word).toList(), word)));
    }
  }

  /** Refuses what could not happen. */
  public DevFault {
    if (target.isBlank()) {
      throw new IllegalArgumentException("target: expected a step, an effect or a connection");
    }
    if (times < 1 || times > MOST_TIMES) {
      throw new IllegalArgumentException(
          "times: expected 1 to %,d, got %d".formatted(MOST_TIMES, times));
    }
    if (kind == Kind.DELAY && lengthOf(delay) == null) {
      throw new IllegalArgumentException(
          "delay: expected a duration such as '5s', up to %s, got '%s'"
              .formatted(Durations.text(LONGEST_DELAY), delay));
    }
    if (kind == Kind.FAIL && (status == null || status < 400 || status > 599)) {
      throw new IllegalArgumentException("status: expected 400 to 599, got " + status);
    }
  }

  private static @Nullable Duration lengthOf(@Nullable String delay) {
    Duration length = delay == null ? null : Durations.parse(delay);
    return length == null || length.isZero() || length.compareTo(LONGEST_DELAY) > 0 ? null : length;
  }

  Duration delayed() {
    Duration length = lengthOf(delay);
    return length == null ? Duration.ZERO : length;
  }

  /** Returns null if it does not happen any more. */
  @Nullable DevFault onceLess() {
    return times == 1 ? null : new DevFault(target, kind, times - 1, delay, status);
  }
}
