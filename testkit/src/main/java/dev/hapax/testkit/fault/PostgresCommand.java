package dev.hapax.testkit.fault;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends one command to a server that trusts us, in its own protocol: this module has no driver, and
 * not every set of binaries has a client.
 */
final class PostgresCommand {
  private static final int PROTOCOL_3 = 3 << 16;

  private PostgresCommand() {}

  static void run(int port, String user, String command) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var out = new DataOutputStream(socket.getOutputStream());
      var in = new DataInputStream(socket.getInputStream());
      byte[] who = texts("user", user, "database", "postgres", "");
      out.writeInt(2 * Integer.BYTES + who.length);
      out.writeInt(PROTOCOL_3);
      out.write(who);
      awaitReady(in);
      byte[] what = texts(command);
      out.writeByte('Q');
      out.writeInt(Integer.BYTES + what.length);
      out.write(what);
      awaitReady(in);
    }
  }

  private static byte[] texts(String... texts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (String text : texts) {
      bytes.write(text.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    return bytes.toByteArray();
  }

  private static void awaitReady(DataInputStream in) throws IOException {
    while (true) {
      int type = in.readUnsignedByte();
      byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
      if (type == 'E') {
        throw new IOException("the server refuses: " + new String(body, StandardCharsets.UTF_8));
      }
      if (type == 'Z') {
        return;
      }
    }
  }
}
