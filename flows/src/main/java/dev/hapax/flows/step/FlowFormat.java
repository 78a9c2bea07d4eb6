package dev.hapax.flows.step;

import org.jspecify.annotations.Nullable;

/**
 * How a release renders its requests. A release keeps the format of the version that made it: with
 * another one, the requests of its effects could differ from those that were sent before.
 */
public enum FlowFormat {
  /** Values stand in a path as they are. */
  RAW_PATHS(1),
  /** Values in a path are encoded, each as a part of one segment or of a query value. */
  ENCODED_PATHS(2);

  /** The format of new releases. */
  public static final FlowFormat NEWEST = ENCODED_PATHS;

  private final int number;

  FlowFormat(int number) {
    this.number = number;
  }

  /** Returns the number that is stored with a release. */
  public int number() {
    return number;
  }

  /**
   * Returns the format of a release.
   *
   * @param number null for a release without one, which is older than the numbers
   */
  public static FlowFormat of(@Nullable Integer number) {
    if (number == null) {
      return RAW_PATHS;
    }
    if (number < 1 || number > values().length) {
      throw new IllegalArgumentException(
          "the release has format %d, which this version does not know. Use the version of Hapax that made it, or a newer one."
              .formatted(number));
    }
    return values()[number - 1];
  }
}
