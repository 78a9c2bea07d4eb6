package dev.hapax.store.destination;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * The messages of a PostgreSQL server, checked before the driver sees them. The driver believes the
 * lengths that a server claims, and reserves memory for them; here every length must fit its
 * message, and the messages must fit their limits. Notices and notifications are left out: the
 * driver would collect them without end. Used by one thread.
 */
final class PostgresFrames extends InputStream {
  static final int MOST_ROW_BYTES = 16 << 20;
  private static final int MOST_ROWS = 2 * NamedStatement.MOST_ROWS;
  private static final int LARGEST_OTHER = 1 << 20;
  private static final int MOST_OTHERS = 10_000;

  /** Ok, password, MD5 and SCRAM. Others would use tickets of the server's own user. */
  private static final Set<Integer> LOGINS = Set.of(0, 3, 5, 10, 11, 12);

  private final InputStream in;
  private final byte[] raw = new byte[16 * 1024];
  private int rawAt;
  private int rawEnd;

  private final byte[] held = new byte[16]; // checked, and not handed out yet
  private int heldAt;
  private int heldEnd;
  private int passing; // bytes that follow the held ones unchecked
  private int rowLeft; // of the current row, beyond these
  private int fieldsLeft;

  private long rowBytes;
  private int rows;
  private int others;

  PostgresFrames(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (heldAt == heldEnd && passing == 0) {
        if (done > 0 && rawEnd - rawAt < held.length) {
          return done; // the next message may have to be awaited
        }
        if (!advance()) {
          return done == 0 ? -1 : done;
        }
      } else if (heldAt < heldEnd) {
        int part = Math.min(length - done, heldEnd - heldAt);
        System.arraycopy(held, heldAt, buffer, offset + done, part);
        heldAt += part;
        done += part;
      } else {
        if (rawAt == rawEnd && (done > 0 || !refill())) {
          return done == 0 ? -1 : done;
        }
        int part = Math.min(Math.min(length - done, passing), rawEnd - rawAt);
        System.arraycopy(raw, rawAt, buffer, offset + done, part);
        rawAt += part;
        passing -= part;
        done += part;
      }
    }
    return done;
  }

  @Override
  public int available() throws IOException {
    return heldEnd - heldAt + Math.min(passing, rawEnd - rawAt);
  }

  private boolean refill() throws IOException {
    rawAt = 0;
    rawEnd = Math.max(0, in.read(raw));
    return rawEnd > 0;
  }

  /** Moves to the next piece: of the current row, or the next message. False at the end. */
  private boolean advance() throws IOException {
    heldAt = 0;
    heldEnd = 0;
    if (fieldsLeft > 0) {
      nextField();
      return true;
    }
    if (rowLeft > 0) {
      throw malformed("a row is longer than its fields");
    }
    return nextMessage();
  }

  private boolean nextMessage() throws IOException {
    while (rawAt < rawEnd || refill()) {
      hold(5);
      int type = held[0];
      int payload = number(1) - Integer.BYTES;
      if (payload < 0) {
        throw malformed("a message has the length %d".formatted(payload));
      }
      if (type == 'D') {
        beginRow(payload);
        return true;
      }
      if (payload > LARGEST_OTHER || ++others > MOST_OTHERS) {
        throw new TooLarge(
            "the database sent a message of %,d bytes, or too many of them".formatted(payload));
      }
      if (type == 'N' || type == 'A') {
        skip(payload);
        heldEnd = 0;
      } else {
        refuseForeignLogin(type, payload);
        return true;
      }
    }
    return false;
  }

  private void refuseForeignLogin(int type, int payload) throws IOException {
    passing = payload;
    if (type != 'R') {
      return;
    }
    if (payload < Integer.BYTES) {
      throw malformed("a login has no kind");
    }
    hold(Integer.BYTES);
    passing = payload - Integer.BYTES;
    if (!LOGINS.contains(number(5))) {
      throw new IOException(
          "the database asks for a login of kind %d; expected a password".formatted(number(5)));
    }
  }

  private void beginRow(int payload) throws IOException {
    rowBytes += payload;
    if (rowBytes > MOST_ROW_BYTES || ++rows > MOST_ROWS) {
      throw new TooLarge(
          "the statement gives more than %,d bytes or %,d rows: add a LIMIT, or select less"
              .formatted(MOST_ROW_BYTES, NamedStatement.MOST_ROWS));
    }
    if (payload < Short.BYTES) {
      throw malformed("a row has no fields");
    }
    hold(Short.BYTES);
    fieldsLeft = ((held[5] & 0xff) << 8) | (held[6] & 0xff);
    rowLeft = payload - Short.BYTES;
  }

  private void nextField() throws IOException {
    if (rowLeft < Integer.BYTES) {
      throw malformed("a row is shorter than its fields");
    }
    hold(Integer.BYTES);
    int length = number(0);
    rowLeft -= Integer.BYTES;
    if (length < -1 || length > rowLeft) {
      throw malformed("a field has %,d bytes in a row of %,d".formatted(length, rowLeft));
    }
    passing = Math.max(0, length);
    rowLeft -= passing;
    fieldsLeft--;
  }

  /** Reads more bytes of a head, to look at them. */
  private void hold(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      if (rawAt == rawEnd && !refill()) {
        throw malformed("it ended within a message");
      }
      held[heldEnd++] = raw[rawAt++];
    }
  }

  private void skip(int bytes) throws IOException {
    for (int left = bytes; left > 0; ) {
      if (rawAt == rawEnd && !refill()) {
        throw malformed("it ended within a message");
      }
      int part = Math.min(left, rawEnd - rawAt);
      rawAt += part;
      left -= part;
    }
  }

  private int number(int at) {
    return ((held[at] & 0xff) << 24)
        | ((held[at + 1] & 0xff) << 16)
        | ((held[at + 2] & 0xff) << 8)
        | (held[at + 3] & 0xff);
  }

  private static IOException malformed(String how) {
    return new IOException("malformed answer of the database: " + how);
  }

  /** The answer is larger than an attempt reads. A retry would get it again. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(String message) {
      super(message);
    }
  }
}
