package dev.hapax.json;

import java.io.IOException;
import java.io.Writer;

/** Collects text up to a limit, and refuses the first part that does not fit. */
final class BoundedText extends Writer {
  private final StringBuilder text = new StringBuilder();
  private final int most;
  private boolean full;

  BoundedText(int mostCharacters) {
    this.most = mostCharacters;
  }

  private static final class Full extends IOException {
    private static final long serialVersionUID = 1L;

    Full() {
      super("the text is full");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  @Override
  public void write(char[] buffer, int from, int length) throws IOException {
    int fits = Math.min(length, most - text.length());
    text.append(buffer, from, fits);
    if (fits < length) {
      full = true;
      throw new Full();
    }
  }

  boolean isFull() {
    return full;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public String toString() {
    return text.toString();
  }
}
