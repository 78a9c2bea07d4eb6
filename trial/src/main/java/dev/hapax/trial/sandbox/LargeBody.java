package dev.hapax.trial.sandbox;

import java.util.Arrays;

/** A body of so many bytes, which is made only when it is read. */
public record LargeBody(int size) {
  byte[] content() {
    byte[] content = new byte[size];
    Arrays.fill(content, (byte) 'x');
    return content;
  }
}
