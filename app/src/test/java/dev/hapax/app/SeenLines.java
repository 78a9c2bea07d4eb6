package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A terminal whose lines a test can wait for. Safe for many threads. */
final class SeenLines extends OutputStream {
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final List<String> lines = new ArrayList<>();
  private final Set<Integer> returned = new HashSet<>();

  PrintStream stream() {
    return new PrintStream(this, true, UTF_8);
  }

  @Override
  public synchronized void write(int one) {
    if (one == '\n') {
      lines.add(line.toString(UTF_8));
      line.reset();
      notifyAll();
    } else {
      line.write(one);
    }
  }

  /** Returns the first line with this text that was not returned before. */
  synchronized String await(String part) throws InterruptedException {
    while (true) {
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains(part) && returned.add(i)) {
          return lines.get(i);
        }
      }
      wait();
    }
  }

  synchronized List<String> all() {
    return List.copyOf(lines);
  }
}
