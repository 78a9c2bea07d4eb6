package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flows.connection.Connection;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages are signed after Standard Webhooks and delivered until they arrive, under one id. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishTest {
  @Test
  void a_message_is_signed_and_delivered_with_retries_under_one_id() throws Exception {
    byte[] key = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    String secret = "whsec_" + Base64.getEncoder().encodeToString(key);
    var status = new AtomicInteger(500);
    try (var server = new TestServer(_ -> TestServer.Answer.json(status.getAndSet(204), ""));
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(
                    name ->
                        Optional.of(
                            new Connection.Webhook(
                                name,
                                URI.create(server.base() + "/hook"),
                                "signing",
                                Set.of("127.0.0.1"))))
                .secrets(_ -> Optional.of(secret))
                .open()) {
      LoadedFlow flow =
          files.load(
              "tell.yaml",
              """
              flow: tells
              key: ${input.id}
              steps:
                - id: tell
                  publish: {connection: shop, type: order.done, data: {id: "${input.id}"}}
              output: ${steps.tell.output.id}
              """,
              1);
      try (FlowTest test = FlowTest.of()) {
        files.register(test.hapax(), flow);
        RunHandle<Object> run = flow.start(test.hapax(), Map.of("id", "A"));
        Object id = run.await();
        test.move(Duration.ofSeconds(1));
        test.move(Duration.ofMinutes(5));

        assertThat(server.requests()).hasSize(2);
        for (TestServer.Request request : server.requests()) {
          assertThat(request.body()).isEqualTo("{\"type\":\"order.done\",\"data\":{\"id\":\"A\"}}");
          assertThat(request.header("webhook-id")).isEqualTo(id);
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(new SecretKeySpec(key, "HmacSHA256"));
          String signed =
              request.header("webhook-id")
                  + "."
                  + request.header("webhook-timestamp")
                  + "."
                  + request.body();
          assertThat(request.header("webhook-signature"))
              .isEqualTo(
                  "v1,"
                      + Base64.getEncoder()
                          .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
        }
      }
    }
  }
}
