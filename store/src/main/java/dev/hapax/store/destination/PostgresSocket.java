package dev.hapax.store.destination;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * A connected socket through which the driver sees only messages that {@link PostgresFrames}
 * passes.
 */
final class PostgresSocket extends Socket {
  private final Socket socket;
  private final InputStream frames;

  PostgresSocket(Socket socket) throws IOException {
    super(Proxy.NO_PROXY);
    this.socket = socket;
    this.frames = new PostgresFrames(socket.getInputStream());
  }

  @Override
  public InputStream getInputStream() {
    return frames;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    throw new SocketException("already connected");
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public void setSoTimeout(int timeout) throws SocketException {
    socket.setSoTimeout(timeout);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    socket.setTcpNoDelay(on);
  }

  @Override
  public void setKeepAlive(boolean on) throws SocketException {
    socket.setKeepAlive(on);
  }

  @Override
  public int getSendBufferSize() throws SocketException {
    return socket.getSendBufferSize();
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return socket.getReceiveBufferSize();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
