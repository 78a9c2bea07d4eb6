package dev.hapax.bench;

import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A measured value.
 *
 * @param reference gives the bare figure to compare with, from the bare SQLite commits per second;
 *     these are known only at the end, when they have been measured before and after every load
 */
record Figure(
    String name,
    double value,
    String unit,
    @Nullable DoubleUnaryOperator reference,
    @Nullable Goal goal) {

  static Figure of(String name, double value, String unit) {
    return new Figure(name, value, unit, null, null);
  }

  Figure against(DoubleUnaryOperator bare) {
    return new Figure(name, value, unit, bare, goal);
  }

  Figure aims(Goal aim) {
    return new Figure(name, value, unit, reference, aim);
  }
}
