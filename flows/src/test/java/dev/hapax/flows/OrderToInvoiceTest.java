package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.flow.Flow;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flows.check.Check;
import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.ProofReport;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The example {@code order-to-invoice.yaml} over real servers: with faults at each commit and each
 * request, an order has one invoice and one mail.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderToInvoiceTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/flows/order-to-invoice.yaml");
  private static final Map<String, Object> ORDER =
      Map.of("orderId", "A-1001", "customerId", "c-7", "email", "ann@example.org", "total", 40);

  private final List<World> worlds = new ArrayList<>();

  /** Accounting and mail; an invoice is made by every request that arrives. */
  private static final class World {
    final Map<String, String> customers = new ConcurrentHashMap<>();
    final List<String> invoices = new CopyOnWriteArrayList<>();
    final TestServer accounting = new TestServer(this::answer);
    final TestMailServer mail = new TestMailServer("-", "");
    final FlowFiles files =
        FlowFiles.with(Ports.system())
            .connections(
                name ->
                    switch (name) {
                      case "accounting" -> Optional.of(accounting.connection(name));
                      case "smtp" -> Optional.of(mail.connection());
                      default -> Optional.empty();
                    })
            .secrets(_ -> Optional.of("mail-password"))
            .open();

    World() throws IOException {}

    private TestServer.Answer answer(TestServer.Request request) {
      return switch (request.method()) {
        case "PUT" -> {
          customers.put(request.target(), request.body());
          yield TestServer.Answer.json(200, "{}");
        }
        case "POST" -> {
          invoices.add(request.body());
          yield TestServer.Answer.json(201, "{\"id\":\"i-" + invoices.size() + "\"}");
        }
        default -> TestServer.Answer.json(200, invoices.isEmpty() ? "[]" : "[{\"id\":\"i-1\"}]");
      };
    }

    Flow<Object, Object> flow() {
      // The proof moves time as far as it takes, so what may expire would expire.
      String patient =
          text()
              .replace(", expires: 3d, onExpire: reject", "")
              .replace("timeout: 7d\n", "")
              .replaceAll("alerts: .*\n", "");
      return files.load("order-to-invoice.yaml", patient, 1).flow();
    }

    void close() throws IOException {
      files.close();
      accounting.close();
      mail.close();
    }
  }

  private static String text() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private World world() {
    try {
      World world = new World();
      worlds.add(world);
      return world;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void closeWorlds() throws IOException {
    for (World world : worlds) {
      world.close();
    }
  }

  @Test
  void it_checks_clean() {
    assertThat(Check.check("order-to-invoice.yaml", text()).findings()).isEmpty();
  }

  @Test
  void an_order_has_one_invoice_and_one_mail_under_every_fault() {
    ProofReport proof =
        EffectProof.<World, Object>of(this::world, World::flow)
            .whenWaiting(OrderToInvoiceTest::approve)
            .check(
                world -> {
                  assertThat(world.customers).hasSize(1);
                  assertThat(world.invoices).containsExactly("{\"order\":\"A-1001\",\"total\":40}");
                  assertThat(world.mail.mails).hasSize(1);
                })
            .prove(ORDER);

    assertThat(proof.runs()).isGreaterThan(10);
  }

  private static void approve(Hapax hapax, String run) {
    var approvals = hapax.approvals();
    try {
      for (var item : approvals.list(approvals.open())) {
        var _ = approvals.decide(item.id(), Verdict.approve("ann").roles("finance"));
      }
    } catch (StoreBroken e) {
      // the process died during the call; the next one is asked again
    }
  }
}
