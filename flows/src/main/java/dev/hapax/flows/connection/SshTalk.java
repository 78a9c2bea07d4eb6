package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;

/** A session with another machine that is logged in. Used by one thread. */
final class SshTalk implements AutoCloseable {
  /** What login shells may say before the launcher speaks. */
  private static final int MOST_CHATTER = 64 << 10;

  private static final int MOST_ERRORS = 2_000;

  /** Outputs above it are not kept at all. */
  static final long MOST_KEPT = 64L << 20;

  private static final String TYPE = "text/plain; charset=utf-8";
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final String name;
  private final ClientSession session;
  private final AttemptBudget budget;

  SshTalk(String name, ClientSession session, AttemptBudget budget) {
    this.name = name;
    this.session = session;
    this.budget = budget;
  }

  /**
   * Sends a script to the machine's shell and reads the launcher's answer.
   *
   * @throws NotApplied if the launcher did not begin
   * @throws IOException if it is unknown how far it came
   */
  RemoteAnswer ask(String script, String token, LargeBodies keeper) throws IOException {
    var errors = new Errors();
    try (ChannelExec channel = session.createExecChannel(Launcher.SHELL)) {
      channel.setErr(errors);
      channel.open().verify(budget.left());
      try (OutputStream in = channel.getInvertedIn()) {
        in.write(script.getBytes(StandardCharsets.UTF_8));
      }
      return read(channel, token, keeper, errors);
    } catch (IOException e) {
      throw budget.explained(e);
    }
  }

  private RemoteAnswer read(ChannelExec channel, String token, LargeBodies keeper, Errors errors)
      throws IOException {
    InputStream out = channel.getInvertedOut();
    var lines = new Lines(out);
    boolean hasBegun = false;
    Launcher.Head head = null;
    while (head == null) {
      String line = lines.next();
      if (line == null) {
        throw brokenOff(channel, hasBegun, errors);
      }
      hasBegun |= line.equals(Launcher.HELLO);
      head = hasBegun ? Launcher.Head.of(line, token) : null;
    }
    if (head.state() == RemoteState.REFUSED) {
      throw new NotApplied(
          "host of connection '%s' could not write the job down: %s"
              .formatted(name, errors.text()));
    }
    return new RemoteAnswer(
        head.state(),
        head.exit(),
        output(out, head.out(), head.sentOut(), keeper),
        output(out, head.err(), head.sentErr(), keeper));
  }

  /** A shell that ended by itself, and never came to the script's last line, has done nothing. */
  private IOException brokenOff(ChannelExec channel, boolean hasBegun, Errors errors) {
    channel.waitFor(Set.of(ClientChannelEvent.EXIT_STATUS, ClientChannelEvent.CLOSED), LAST_WORDS);
    Integer status = channel.getExitStatus();
    if (status != null && !hasBegun) {
      throw new NotApplied(
          "the user of connection '%s' has no shell that runs a script: it ended with exit code %d. %s"
              .formatted(name, status, errors.text()));
    }
    return new EOFException(
        status == null
            ? "the connection was lost before the answer"
            : "the answer broke off with exit code %d. %s".formatted(status, errors.text()));
  }

  private static Object output(InputStream out, long size, long sent, LargeBodies keeper)
      throws IOException {
    if (sent < size) {
      return Map.of(
          "error",
          "it was not kept: it has %,d bytes, and at most %,d are kept".formatted(size, MOST_KEPT),
          "bytes",
          size);
    }
    if (size <= mostOfValue(keeper)) {
      byte[] text = out.readNBytes(Math.toIntExact(size));
      demandAll(text.length, size);
      return new String(text, StandardCharsets.UTF_8);
    }
    var part = new Part(out, size);
    Object kept = keeper.keep(part, TYPE);
    part.drain();
    var instead = new LinkedHashMap<Object, Object>();
    if (kept instanceof Map<?, ?> all) {
      instead.putAll(all);
    }
    return instead;
  }

  /** The two outputs of a step are one value together. */
  private static long mostOfValue(LargeBodies keeper) {
    return keeper.largestValue() / 2;
  }

  private static void demandAll(long read, long size) throws IOException {
    if (read < size) {
      throw new EOFException("the output broke off after %d of %d bytes".formatted(read, size));
    }
  }

  @Override
  public void close() {
    session.close(true);
  }

  /** The lines before the outputs. */
  private static final class Lines {
    private final InputStream in;
    private int read;

    Lines(InputStream in) {
      this.in = in;
    }

    /** Returns null at the end. */
    @Nullable String next() throws IOException {
      var line = new ByteArrayOutputStream();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          return null;
        }
        if (++read > MOST_CHATTER) {
          throw new IOException(
              "the login shell wrote more than %,d bytes by itself".formatted(MOST_CHATTER));
        }
        line.write(next);
      }
      return line.toString(StandardCharsets.UTF_8);
    }
  }

  /** So many bytes of a stream; ending earlier is an error. */
  private static final class Part extends InputStream {
    private final InputStream in;
    private long left;
    private final long size;

    Part(InputStream in, long size) {
      this.in = in;
      this.left = size;
      this.size = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int read = in.read(buffer, offset, (int) Math.min(left, length));
      if (read < 0) {
        demandAll(size - left, size);
      }
      left -= read;
      return read;
    }

    void drain() throws IOException {
      byte[] buffer = new byte[8192];
      while (read(buffer, 0, buffer.length) >= 0) {
        // what could not be kept is still on its way
      }
    }
  }

  /** The beginning of what the machine's shell complains about. */
  private static final class Errors extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by this

    @Override
    public synchronized void write(int one) {
      if (kept.size() < MOST_ERRORS) {
        kept.write(one);
      }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      kept.write(bytes, offset, Math.min(length, MOST_ERRORS - kept.size()));
    }

    synchronized String text() {
      return kept.toString(StandardCharsets.UTF_8).strip();
    }
  }
}
