package dev.hapax.trial.sandbox;

import java.util.Arrays;

/** A body that goes out byte by byte as it is, such as an image or broken JSON. */
public record RawBody(byte[] content) {
  @Override
  public boolean equals(Object other) {
    return other instanceof RawBody raw && Arrays.equals(content, raw.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
