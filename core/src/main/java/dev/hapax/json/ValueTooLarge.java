package dev.hapax.json;

import org.jspecify.annotations.Nullable;

/** Thrown before a value is built that would be larger than its budget. */
public final class ValueTooLarge extends NotSerializable {
  public static final String CODE = "value-too-large";

  private static final long serialVersionUID = 1L;

  public ValueTooLarge(String message) {
    super(message);
  }

  /** Finds it behind the exceptions of a library; null if it is not the reason. */
  public static @Nullable ValueTooLarge behind(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof ValueTooLarge large) {
        return large;
      }
    }
    return null;
  }

  @Override
  public String code() {
    return CODE;
  }
}
