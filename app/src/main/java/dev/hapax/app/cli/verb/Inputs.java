package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;

/** Values that a user gives as text, as a file, or by standard input. */
public final class Inputs {
  private static final String STANDARD_INPUT = "-";

  private Inputs() {}

  /** JSON from its text, from {@code @FILE}, or from {@code -} for standard input. */
  public static String json(String given, Surroundings surroundings) throws IOException {
    boolean elsewhere = given.equals(STANDARD_INPUT) || given.startsWith("@");
    String text = elsewhere ? text(given.replaceFirst("^@", ""), surroundings) : given;
    try {
      Json.tree(text);
      return text;
    } catch (NotSerializable _) {
      throw Refusal.usage("expected JSON, @FILE or -, got '%s'".formatted(given))
          .hint("quote JSON for the shell: '{\"orderId\": \"A-1\"}'");
    }
  }

  /** Text from a file, or from {@code -} for standard input. */
  public static String text(String given, Surroundings surroundings) throws IOException {
    byte[] bytes =
        given.equals(STANDARD_INPUT)
            ? surroundings.in().readAllBytes()
            : bytes(given, surroundings);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw Refusal.of(Exit.REFUSED, "not-utf-8", "'%s' is not UTF-8 text".formatted(given));
    }
  }

  public static byte[] bytes(String file, Surroundings surroundings) {
    try {
      return Files.readAllBytes(surroundings.path(file));
    } catch (NoSuchFileException | InvalidPathException _) {
      throw Refusal.of(
          Exit.NOT_FOUND, "file-not-found", "file '%s' does not exist".formatted(file));
    } catch (IOException e) {
      throw Refusal.of(
          Exit.REFUSED, "file-unreadable", "cannot read '%s': %s".formatted(file, e.getMessage()));
    }
  }
}
