package dev.hapax.flow;

import java.time.Instant;

/**
 * The content of the store is older than before, or is a copy of another store. It is unknown what
 * was done after the copy was taken, so nothing is sent until a person says what the store is.
 *
 * @param lostSince everything that is missing in the store was done after this time
 */
public record Restored(Why why, Instant lostSince) {
  /** How it was noticed. The codes are stored. */
  public enum Why {
    BACKUP(1, "it is a backup"),
    BEHIND(2, "it is older than the store that was here before"),
    MOVED(3, "it was copied or moved here from another place"),
    OTHER(4, "another store was here before");

    private final long code;
    private final String text;

    Why(long code, String text) {
      this.code = code;
      this.text = text;
    }

    public long code() {
      return code;
    }

    public static Why of(long code) {
      for (Why why : values()) {
        if (why.code == code) {
          return why;
        }
      }
      return BEHIND;
    }
  }

  /** What happened, and what to do. */
  public String text() {
    return ("the store was restored or copied (%s, as of %s). It can be read, and sends nothing until a person says"
            + " what it is: 'hapax restore --as production' if it replaces the store that it comes from, 'hapax"
            + " restore --as copy' if that store remains in use")
        .formatted(why.text, lostSince);
  }
}
