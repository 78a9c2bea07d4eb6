package dev.hapax.app.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The folder for what must survive the three processes, and by which they find one another. */
public record DemoFolder(Path path) {
  /** Returns the folder of the server's data. */
  public Path server() {
    return path.resolve("server");
  }

  /** Returns the file with the token of the server's operator. */
  public Path token() {
    return server().resolve("admin.token");
  }

  /** Returns the file with the server's port, the same at every start. */
  Path port() {
    return path.resolve("server.port");
  }

  Path secrets() {
    return path.resolve("shop-secrets.json");
  }

  Path book() {
    return path.resolve("sandbox-books.jsonl");
  }

  Path batch() {
    return path.resolve("batch.json");
  }

  public Path lockOf(String process) {
    return path.resolve(process + ".lock");
  }

  Path logOf(String process) {
    return path.resolve(process + ".log");
  }

  /** Writes the file whole or not at all, even if the power fails in between. */
  static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (var channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
