package dev.hapax.flows.graph;

import org.jspecify.annotations.Nullable;

/** Small signs in front of the text, as paths around the point 0 0. */
final class Signs {
  private static final String CLOCK = "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M0 -3.5V0L2.5 1.5";
  private static final String PERSON =
      "M-2.8 -3.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0M-5.5 6.5C-5.5 0.8 5.5 0.8 5.5 6.5";
  private static final String FORK = "M-6 0H-2L3 -4H6M-2 0L3 4H6";
  private static final String CROSS = "M-4 -4L4 4M4 -4L-4 4";
  private static final String AGAIN = "M4.6 -3A5.5 5.5 0 1 0 5.5 0.5M5.2 -6V-2.6H1.8";

  private Signs() {}

  static @Nullable String of(Drawing.Look look) {
    return switch (look) {
      case WAIT -> CLOCK;
      case ASK -> PERSON;
      case BRANCHES -> FORK;
      case FAIL -> CROSS;
      case LOOP -> AGAIN;
      default -> null;
    };
  }
}
