package dev.hapax.app.secret.outside;

import java.time.Duration;

/**
 * A place outside the store that has the value of one secret. This is the port for secret stores;
 * {@link HelperSource} connects any of them by a program.
 */
interface SecretSource {
  /** The most characters of a value, as in the vault. */
  int LONGEST_VALUE = 64 << 10;

  /** The kind of the source in a word; shown to the secret's tenant, unlike its place. */
  String kind();

  /** Returns how long a value may be used before it is read again. */
  Duration freshFor();

  /** Reads the value, which is neither empty nor too long. */
  String read() throws CannotRead;

  /** Returns the value if it can be a secret. */
  static String checked(String value, String what) throws CannotRead {
    if (value.isEmpty()) {
      throw new CannotRead(what + " is empty");
    }
    if (value.length() > LONGEST_VALUE) {
      throw new CannotRead("%s has more than %,d characters".formatted(what, LONGEST_VALUE));
    }
    return value;
  }

  /** The value cannot be had now. The message goes to the server's log, never to a tenant. */
  final class CannotRead extends Exception {
    private static final long serialVersionUID = 1L;

    CannotRead(String message) {
      super(message);
    }
  }
}
