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

  /** Returns {@code res://} and the SHA-256 of the bytes: equal values have equal references. */
  public String ref() {
    return ref;
  }

  public String contentType() {
    return contentType;
  }

  /** Returns the bytes themselves, not a copy. Do not change them. */
  public byte[] bytes() {
    return bytes;
  }

  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Reads a value that was stored as JSON. */
  public <T> T json(Class<T> type) {
    return Json.read(text(), type);
  }

  @Override
  public String toString() {
    return ref + " (" + contentType + ", " + bytes.length + " bytes)";
  }
}
