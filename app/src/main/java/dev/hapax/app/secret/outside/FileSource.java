package dev.hapax.app.secret.outside;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A file that holds one secret, as Kubernetes, Docker and systemd mount them. It is read again
 * after a second: Kubernetes replaces a link above it when the secret changes. One line end at its
 * end is not part of the secret.
 */
record FileSource(Path file) implements SecretSource {
  @Override
  public String kind() {
    return "file";
  }

  @Override
  public Duration freshFor() {
    return Duration.ofSeconds(1);
  }

  @Override
  public String read() throws CannotRead {
    if (Files.exists(file)
        && !Files.isRegularFile(file)) { // a pipe would block, a device never end
      throw new CannotRead(file + " is no regular file");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(LONGEST_VALUE * 4 + 2);
    } catch (NoSuchFileException e) {
      throw new CannotRead(file + " is missing");
    } catch (IOException e) {
      throw new CannotRead("%s cannot be read: %s".formatted(file, e.getClass().getSimpleName()));
    }
    return SecretSource.checked(withoutLineEnd(text(bytes)), file.toString());
  }

  private String text(byte[] bytes) throws CannotRead {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new CannotRead(file + " is no text in UTF-8");
    }
  }

  private static String withoutLineEnd(String text) {
    String line = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return line.length() < text.length() && line.endsWith("\r")
        ? line.substring(0, line.length() - 1)
        : line;
  }
}
