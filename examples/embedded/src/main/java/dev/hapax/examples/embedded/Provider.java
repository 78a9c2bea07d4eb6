package dev.hapax.examples.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Plays a payment provider and a mail server. What happened there is a line in a file, so that you
 * can count.
 */
final class Provider {
  private final Path log;

  Provider(Path log) {
    this.log = log;
  }

  /**
   * As real ones do it: a key that was seen before gets the first answer, and no card is charged
   * again.
   */
  synchronized Orders.Receipt charge(String key, String order, long cents) throws IOException {
    String line = "charge %s %s %d".formatted(key, order, cents);
    if (!lines().contains(line)) {
      append(line);
    }
    return new Orders.Receipt("receipt-" + key.substring(0, 8), cents);
  }

  synchronized void mail(String key, String to) throws IOException {
    append("mail %s %s".formatted(key, to));
  }

  private List<String> lines() throws IOException {
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  private void append(String line) throws IOException {
    System.out.println(line);
    Files.writeString(
        log,
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        StandardOpenOption.SYNC);
  }
}
