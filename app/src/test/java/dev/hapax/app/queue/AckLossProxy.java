package dev.hapax.app.queue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes AMQP between clients and a broker; on demand it loses the acknowledgements of clients. */
final class AckLossProxy implements AutoCloseable {
  private static final int PROTOCOL_HEADER = 8;
  private static final int METHOD = 1;
  private static final int BASIC = 60;
  private static final int ACK = 80;

  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean loses;

  AckLossProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void loses(boolean now) {
    loses = now;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> back(server, client));
      } catch (IOException e) {
        // The broker is away, or this is closed.
      }
    }
  }

  private void pass(Socket client, Socket server) {
    try (client;
        server) {
      var in = new DataInputStream(client.getInputStream());
      var out = new DataOutputStream(server.getOutputStream());
      out.write(in.readNBytes(PROTOCOL_HEADER));
      while (true) {
        int type = in.readUnsignedByte();
        int channel = in.readUnsignedShort();
        byte[] payload = new byte[in.readInt()];
        in.readFully(payload);
        int end = in.readUnsignedByte();
        if (!loses || !isAck(type, payload)) {
          out.writeByte(type);
          out.writeShort(channel);
          out.writeInt(payload.length);
          out.write(payload);
          out.writeByte(end);
          out.flush();
        }
      }
    } catch (IOException e) {
      // One side has gone.
    }
  }

  private static boolean isAck(int type, byte[] payload) {
    return type == METHOD && payload[1] == BASIC && payload[3] == ACK;
  }

  private static void back(Socket server, Socket client) {
    try (server;
        client) {
      InputStream in = server.getInputStream();
      in.transferTo(client.getOutputStream());
    } catch (IOException e) {
      // One side has gone.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
