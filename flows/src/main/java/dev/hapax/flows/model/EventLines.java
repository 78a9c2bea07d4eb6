package dev.hapax.flows.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events, of which only the data counts. Lines, events and the whole stream are
 * bounded. Reads no byte behind the event that it returns: a provider may keep the connection open.
 */
final class EventLines {
  private static final int LONGEST_EVENT = 1 << 20;

  private final InputStream in;
  private long left;
  private boolean isAfterReturn;

  EventLines(InputStream in, long mostBytes) {
    this.in = in;
    this.left = mostBytes;
  }

  /** Returns the data of the next event; null at the end of the stream. */
  @Nullable String next() throws IOException {
    StringBuilder data = null;
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        if (data != null) {
          return data.toString();
        }
      } else if (line.startsWith("data:")) {
        String part = line.substring(line.startsWith("data: ") ? 6 : 5);
        data = data == null ? new StringBuilder() : data.append('\n');
        if (data.length() + part.length() > LONGEST_EVENT) {
          throw tooLong();
        }
        data.append(part);
      }
    }
    return null; // an event without the empty line behind it is not a whole one
  }

  private @Nullable String line() throws IOException {
    var bytes = new ByteArrayOutputStream(256);
    for (int next = read(); ; next = read()) {
      if (next == '\n' && isAfterReturn) {
        isAfterReturn = false; // the second half of a line end
        continue;
      }
      isAfterReturn = next == '\r';
      if (next < 0) {
        return bytes.size() == 0 ? null : bytes.toString(StandardCharsets.UTF_8);
      }
      if (next == '\n' || next == '\r') {
        return bytes.toString(StandardCharsets.UTF_8);
      }
      if (bytes.size() >= LONGEST_EVENT) {
        throw tooLong();
      }
      bytes.write(next);
    }
  }

  private int read() throws IOException {
    if (--left < 0) {
      throw BadAnswer.tooLarge("the stream of the answer is too long");
    }
    return in.read();
  }

  private static BadAnswer tooLong() {
    return BadAnswer.of("an event of the answer is longer than %,d bytes".formatted(LONGEST_EVENT));
  }
}
