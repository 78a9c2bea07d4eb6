package dev.hapax.bench;

/**
 * The goal of a figure.
 *
 * @param of what is compared: the figure's value or its ratio to the reference
 * @param target must be reached
 * @param goal would be good to reach
 */
record Goal(Of of, Sense sense, double target, double goal) {
  enum Of {
    VALUE,
    RATIO
  }

  enum Sense {
    AT_LEAST(">="),
    AT_MOST("<=");

    final String sign;

    Sense(String sign) {
      this.sign = sign;
    }

    boolean holds(double found, double wanted) {
      return this == AT_LEAST ? found >= wanted : found <= wanted;
    }
  }

  static Goal ratioAtLeast(double target, double goal) {
    return new Goal(Of.RATIO, Sense.AT_LEAST, target, goal);
  }

  static Goal ratioAtMost(double target, double goal) {
    return new Goal(Of.RATIO, Sense.AT_MOST, target, goal);
  }

  static Goal atLeast(double target, double goal) {
    return new Goal(Of.VALUE, Sense.AT_LEAST, target, goal);
  }

  static Goal atMost(double target, double goal) {
    return new Goal(Of.VALUE, Sense.AT_MOST, target, goal);
  }

  /** One word for the table. */
  String verdict(double found) {
    return sense.holds(found, goal) ? "goal" : sense.holds(found, target) ? "target" : "MISSED";
  }

  String text(double wanted) {
    return sense.sign + " " + Report.number(wanted) + (of == Of.RATIO ? " x" : "");
  }
}
