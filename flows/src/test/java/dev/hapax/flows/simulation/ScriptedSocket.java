package dev.hapax.flows.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A socket that leads nowhere: it answers what was written when it is read from. */
abstract class ScriptedSocket extends Socket {
  final ByteArrayOutputStream written = new ByteArrayOutputStream();

  /** Returns the rest of the answer to what was written. */
  abstract InputStream answered() throws IOException;

  @Override
  public final OutputStream getOutputStream() {
    return written;
  }

  @Override
  public final InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return answered().read();
      }

      @Override
      public int read(byte[] to, int from, int length) throws IOException {
        return answered().read(to, from, length);
      }
    };
  }

  @Override
  public final void setSoTimeout(int timeout) {}

  @Override
  public final void close() {}
}
