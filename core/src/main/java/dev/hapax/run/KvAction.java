package dev.hapax.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The requests to the durable map. The words are stored: a released one never changes. */
public enum KvAction {
  GET,
  PUT,
  PUT_IF_ABSENT,
  COMPARE_AND_SET,
  DELETE;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether the request carries a value. */
  public boolean brings() {
    return this != GET && this != DELETE;
  }

  /** Whether it writes only if the entry is as the caller expects. */
  public boolean isConditional() {
    return this == PUT_IF_ABSENT || this == COMPARE_AND_SET;
  }

  @JsonValue
  public String word() {
    return word;
  }

  @JsonCreator
  static KvAction of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
