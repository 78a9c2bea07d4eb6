package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The requests to the durable map. The words are stored: a released one never changes. */
public enum KvAction {
  GET,
  PUT,
  PUT_IF_ABSENT,
  COMPARE_AND_SET,
  TRANSITION,
  ADD,
  DELETE;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Whether the request carries a value. */
  public boolean brings() {
    return this != GET && this != DELETE;
  }

  /** Whether the write depends on the entry that it finds, so that it is not repeated. */
  public boolean isConditional() {
    return switch (this) {
      case PUT_IF_ABSENT, COMPARE_AND_SET, TRANSITION, ADD -> true;
      case GET, PUT, DELETE -> false;
    };
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
