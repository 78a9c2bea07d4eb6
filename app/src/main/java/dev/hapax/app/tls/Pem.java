package dev.hapax.app.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file.
 *
 * @param label for example {@code CERTIFICATE}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Pem(String label, byte[] content) {
  private static final long LARGEST_FILE = 1 << 20;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([^-]*?)\\s*-----END \\1-----");

  /** Reads all blocks of a file, in their order. Text between them is a comment. */
  static List<Pem> in(Path file) throws IOException {
    if (Files.size(file) > LARGEST_FILE) {
      throw new IOException("%s is too large for a PEM file".formatted(file));
    }
    List<Pem> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(file));
    while (block.find()) {
      blocks.add(new Pem(block.group(1), decoded(file, block.group(2))));
    }
    if (blocks.isEmpty()) {
      throw new IOException("%s has no '-----BEGIN …-----' block".formatted(file));
    }
    return blocks;
  }

  private static byte[] decoded(Path file, String text) throws IOException {
    try {
      return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: a block is not base64".formatted(file), e);
    }
  }

  @Override
  public String toString() {
    return label; // never a key
  }
}
