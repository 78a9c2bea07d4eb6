package dev.hapax.flows.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose bytes count against the budget of the attempt that uses it. TLS and every protocol
 * read through it, so none of them can read for longer or more than the budget allows.
 */
final class MeteredSocket extends Socket {
  private volatile @Nullable AttemptBudget budget;

  /** Ignores proxies of the environment. */
  MeteredSocket() {
    super(Proxy.NO_PROXY);
  }

  /** Counts for this attempt from now on; null between attempts. */
  void use(@Nullable AttemptBudget next) {
    budget = next;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new Metered(super.getInputStream());
  }

  /** Also ends the attempt that uses it. */
  @Override
  public void close() throws IOException {
    AttemptBudget current = budget;
    if (current != null) {
      current.close();
    }
    super.close();
  }

  private final class Metered extends FilterInputStream {
    Metered(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      AttemptBudget current = budget;
      if (current == null) {
        return in.read(buffer, offset, length);
      }
      current.demandTime();
      int read;
      try {
        read = in.read(buffer, offset, length);
      } catch (IOException e) {
        throw current.explained(e);
      }
      current.received(read);
      return read;
    }
  }
}
