package dev.hapax.app.demo;

import java.nio.file.Path;

/** The options of {@code hapax demo}. */
public record DemoOptions(int orders, long seed, Path data) {
  public static final Path USUAL_FOLDER = Path.of("hapax-demo");
  public static final int MOST_ORDERS = 100_000;
}
