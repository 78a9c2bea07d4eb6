package dev.hapax.resource;

import dev.hapax.json.Digest;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Keeps a streamed value on disk until its last byte has arrived: its parts are stored under a hash
 * of all bytes, which is known only then. The file has no name, so it disappears with the process.
 */
final class Spool implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final FileChannel file;
  private final ResourceRef ref;
  private final int size;

  private Spool(FileChannel file, ResourceRef ref, int size) {
    this.file = file;
    this.ref = ref;
    this.size = size;
  }

  /** Reads the whole stream. */
  static Spool of(InputStream content) throws IOException {
    Path path = Files.createTempFile("hapax-resource", ".part");
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      MessageDigest digest = Digest.sha256();
      int size = copy(content, file, digest);
      return new Spool(file, new ResourceRef(HexFormat.of().formatHex(digest.digest())), size);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static int copy(InputStream content, FileChannel file, MessageDigest digest)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int size = 0;
    for (int read; (read = content.read(buffer)) >= 0; size += read) {
      if (size + read > ResourceRecord.LARGEST) {
        throw new NotSerializable(
            "a value of more than %,d bytes is too large to be stored. Store it elsewhere and pass a reference."
                .formatted(ResourceRecord.LARGEST));
      }
      digest.update(buffer, 0, read);
      var bytes = ByteBuffer.wrap(buffer, 0, read);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
    return size;
  }

  ResourceRef ref() {
    return ref;
  }

  int size() {
    return size;
  }

  /** Returns the bytes of the part with this index. */
  byte[] part(int index) throws IOException {
    long from = (long) index * ResourcePart.LARGEST;
    var bytes = ByteBuffer.allocate((int) Math.min(ResourcePart.LARGEST, size - from));
    while (bytes.hasRemaining()) {
      if (file.read(bytes, from + bytes.position()) < 0) {
        throw new EOFException("the file of a value became shorter while it was stored");
      }
    }
    return bytes.array();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
