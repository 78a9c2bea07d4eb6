package dev.hapax.trial.sandbox;

/** A body that goes out byte by byte as it is, such as an image or broken JSON. */
public final class RawBody {
  private final byte[] content;

  /** Keeps the bytes, not a copy: do not change them. */
  public RawBody(byte[] content) {
    this.content = content;
  }

  byte[] content() {
    return content;
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
