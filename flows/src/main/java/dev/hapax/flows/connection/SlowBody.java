package dev.hapax.flows.connection;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads the beginning of a body. What is more than a little waits on disk until the last byte has
 * arrived, so that many destinations that send slowly do not fill the memory. The file disappears
 * with the process.
 */
final class SlowBody {
  private static final int IN_MEMORY = 64 << 10;
  private static final int BUFFER_BYTES = 16 << 10;

  private SlowBody() {}

  /** Returns at most so many bytes; fewer if the body ends before. */
  static byte[] read(InputStream body, int most) throws IOException {
    byte[] first = body.readNBytes(Math.min(most, IN_MEMORY));
    if (first.length < IN_MEMORY || first.length == most) {
      return first;
    }
    try (FileChannel file = open()) {
      int size = copy(body, file, most - first.length);
      byte[] whole = Arrays.copyOf(first, first.length + size);
      var rest = ByteBuffer.wrap(whole, first.length, size);
      while (rest.hasRemaining()) {
        if (file.read(rest, (long) size - rest.remaining()) < 0) {
          throw new EOFException("the file of an answer became shorter while it was read");
        }
      }
      return whole;
    }
  }

  private static FileChannel open() throws IOException {
    return FileChannel.open(
        Files.createTempFile("hapax-answer", ".part"),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static int copy(InputStream body, FileChannel file, int most) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int size = 0;
    while (size < most) {
      int read = body.read(buffer, 0, Math.min(buffer.length, most - size));
      if (read < 0) {
        break;
      }
      var bytes = ByteBuffer.wrap(buffer, 0, read);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      size += read;
    }
    return size;
  }
}
