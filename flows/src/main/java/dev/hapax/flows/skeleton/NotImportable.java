package dev.hapax.flows.skeleton;

/** A file that is not what the import reads; the message says what was expected. */
public final class NotImportable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotImportable(String message) {
    super(message);
  }

  public String message() {
    return String.valueOf(getMessage());
  }
}
