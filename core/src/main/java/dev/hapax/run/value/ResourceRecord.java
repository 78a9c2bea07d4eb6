package dev.hapax.run.value;

/** A stored value without its bytes. */
public record ResourceRecord(long number, ResourceRef ref, String contentType, int size) {
  /** In bytes: nothing larger is stored. */
  public static final int LARGEST = 64 << 20;
}
