package dev.hapax.app.demo;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/** What the command line of {@code hapax demo} says. */
public record DemoOptions(int orders, long seed, Path data, boolean json) {
  static final Path USUAL_FOLDER = Path.of("hapax-demo");
  private static final int MOST_ORDERS = 100_000;

  public static final String HELP =
      """
      usage: hapax demo [--orders N] [--seed S] [--data DIR] [--json]

        --orders N   how many orders to work off (200)
        --seed S     which faults happen to whom (1)
        --data DIR   where the demo keeps its database and the sandbox its books (./hapax-demo)
        --json       one JSON document at the end on standard output; progress goes to standard error

      Killed at any moment and started again it goes on. Started again after its end it works off a new batch.
      Exit code 0: the books agree; 1: they do not; 2: the command line is wrong; 3: DIR is in use.
      """;

  /** Throws IllegalArgumentException with words for the person who typed it. */
  public static DemoOptions parse(List<String> args) {
    var options = new DemoOptions(200, 1, USUAL_FOLDER, false);
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      options =
          switch (option) {
            case "--orders" ->
                new DemoOptions(
                    orders(valueOf(option, rest)), options.seed, options.data, options.json);
            case "--seed" ->
                new DemoOptions(
                    options.orders,
                    number(option, valueOf(option, rest)),
                    options.data,
                    options.json);
            case "--data" ->
                new DemoOptions(
                    options.orders, options.seed, Path.of(valueOf(option, rest)), options.json);
            case "--json" -> new DemoOptions(options.orders, options.seed, options.data, true);
            default -> throw new IllegalArgumentException("'" + option + "' is no option of it");
          };
    }
    return options;
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static int orders(String text) {
    long orders = number("--orders", text);
    if (orders < 1 || orders > MOST_ORDERS) {
      throw new IllegalArgumentException(
          "--orders: expected 1 to " + MOST_ORDERS + ", got " + text);
    }
    return (int) orders;
  }

  private static long number(String option, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + ": expected a number, got '" + text + "'", e);
    }
  }
}
