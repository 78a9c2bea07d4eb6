package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that is connected and reads no more. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokerWriteTest {
  @Test
  void a_write_to_a_broker_that_reads_no_more_ends_with_its_attempt() throws Exception {
    var redaction = new Redaction();
    var way = new BrokerWay(Egress.system(), Secrets.NONE, redaction);
    try (var broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var socket = new Socket(broker.getInetAddress(), broker.getLocalPort())) {
      assertThatThrownBy(
              () ->
                  way.within(
                      Duration.ofMillis(300),
                      socket,
                      () -> socket.getOutputStream().write(new byte[64 << 20])))
          .isInstanceOf(IOException.class);
    }
  }
}
