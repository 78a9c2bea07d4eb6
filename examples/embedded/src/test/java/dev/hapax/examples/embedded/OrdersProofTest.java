package dev.hapax.examples.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.examples.embedded.Orders.Order;
import dev.hapax.examples.embedded.Orders.Receipt;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.ProofReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The flow in memory: in one test by hand, in the other with everything that can go wrong. */
@Timeout(60)
class OrdersProofTest {
  private static final Order ORDER = new Order("A-1001", "ada@example.com", 4_000);

  @TempDir private Path folder;
  private int logs;

  // doc:flow-test
  @Test
  void a_provider_that_is_busy_and_then_loses_its_answer_charges_once() throws IOException {
    Path log = folder.resolve("provider.log");
    Flow<Order, Receipt> flow = Orders.chargeOrder(new Provider(log));
    try (FlowTest test = FlowTest.of(flow)) {
      test.fail("charge", new NotApplied("busy")).loseAnswer("charge");

      Receipt receipt = test.run(flow, ORDER); // time passes as far as it takes

      assertThat(receipt.cents()).isEqualTo(4_000);
      assertThat(test.sent("charge")).hasSize(3);
      assertThat(Files.readAllLines(log)).hasSize(2); // one charge, one mail
    }
  }

  // doc:end

  // doc:effect-proof
  @Test
  void an_order_is_charged_and_mailed_once_under_every_fault() {
    ProofReport proof =
        EffectProof.of(
                () -> folder.resolve("provider-" + ++logs),
                log -> Orders.chargeOrder(new Provider(log)))
            .check(log -> assertThat(lines(log)).hasSize(2))
            .prove(ORDER);

    System.out.println(proof);
    assertThat(proof.requests()).isEqualTo(2);
  }

  // doc:end

  private static List<String> lines(Path log) {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
