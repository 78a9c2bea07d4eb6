package dev.hapax.flow;

import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;

/** A large value that is stored once and passed by its reference. */
public final class Resource {
  private final String ref;
  private final String contentType;
  private final byte[] bytes;

  public Resource(String ref, String contentType, byte[] bytes) {
    this.ref = ref;
    this.contentType = contentType;
    this.bytes = bytes;
  }

  /** {@code res://} and the SHA-256 of the bytes: the same for everybody who has the same value. */
  public String ref() {
    return ref;
  }

  public String contentType() {
    return contentType;
  }

  /** The value itself, not a copy: it is not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** A value that was stored as JSON. */
  public <T> T json(Class<T> type) {
    return Json.read(text(), type);
  }

  @Override
  public String toString() {
    return ref + " (" + contentType + ", " + bytes.length + " bytes)";
  }
}
