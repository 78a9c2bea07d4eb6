package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A folder of five blueprints, tested, proven and deployed; and four bad changes to it. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AuthoredFolderTest {
  private static final Path BLUEPRINTS =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples/blueprints");
  private static final List<String> FLOWS =
      List.of("book-journey", "charge-order", "invoice-day", "make-video", "sync-customer");
  private static final List<String> SERVICES =
      List.of(
          "accounting",
          "airline",
          "crm",
          "hotel",
          "mailer",
          "news",
          "payments",
          "rental",
          "shop",
          "site",
          "studio");

  @TempDir static Path data;
  private static TestServer server;
  private static int tenants;

  @TempDir Path home;
  private ServedDesk desk;

  @BeforeAll
  static void start() throws IOException {
    server = new TestServer(data);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Each test has a tenant of its own. */
  @BeforeEach
  void copy() throws IOException {
    desk = new ServedDesk(home, server);
    desk.as(server.tokenOf("author-" + ++tenants));
    for (String flow : FLOWS) {
      for (String file : List.of(flow + ".yaml", flow + ".test.yaml")) {
        put(file, Files.readString(BLUEPRINTS.resolve(flow + "/flows/" + file)));
      }
    }
    for (String name : SERVICES) {
      put(
          "connections/%s.yaml".formatted(name),
          "http: {base: https://%s.example}\n".formatted(name));
    }
    desk.pipe("only-of-this-test");
    assertThat(desk.hapax("secrets", "put", "shop-signing").exit()).isZero();
  }

  private void put(String name, String text) throws IOException {
    Path file = home.resolve("shop").resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private void change(String from, String to) throws IOException {
    String text = Files.readString(home.resolve("shop/charge-order.yaml"));
    assertThat(text).contains(from);
    put("charge-order.yaml", text.replace(from, to));
  }

  /** Prints how long it took: a busy machine may take several times as long as a quiet one. */
  private Said timed(String... command) {
    long begun = System.nanoTime();
    Said said = desk.hapax(command);
    System.out.printf("hapax %s: %d ms%n", command[0], (System.nanoTime() - begun) / 1_000_000);
    return said;
  }

  @Test
  void it_is_tested_proven_and_deployed_once() {
    assertThat(timed("test", "shop").exit()).isZero();
    Said proven = timed("prove", "shop", "--within", "5m");
    Said first = desk.hapax("deploy", "shop", "--yes");
    Said second = desk.hapax("deploy", "shop", "--yes");

    assertThat(proven.exit()).isZero();
    assertThat(proven.data().path("proofs"))
        .hasSizeGreaterThanOrEqualTo(5)
        .allSatisfy(
            proof -> {
              assertThat(proof.path("holds").booleanValue()).as("%s", proof).isTrue();
              assertThat(proof.path("untried")).as("%s", proof).isEmpty();
            });
    assertThat(proven.document().toString())
        .contains("sync-customer", "make-video", "invoice-day", "book-journey", "charge-order")
        .contains("a change reaches the CRM"); // an event starts it
    assertThat(first.exit()).as("%s", first.document()).isZero();
    assertThat(first.data().at("/deployment/flows")).hasSize(5);
    assertThat(second.data().at("/plan/changes").asBoolean(true)).isFalse();
    assertThat(second.data().has("deployment")).isFalse();
  }

  @Test
  void a_word_that_is_none_is_refused_by_check() throws IOException {
    change("guard: none}", "guard: nome}");

    Said said = desk.hapax("check", "shop/charge-order.yaml");

    assertThat(said.exit()).isEqualTo(3);
    assertThat(said.document().toString()).contains("did you mean 'none'");
  }

  @Test
  void another_amount_is_refused_by_test() throws IOException {
    change("cents: \"${input.cents}\"}}", "cents: \"${input.cents + 1}\"}}");

    Said said = desk.hapax("test", "shop");

    assertThat(desk.hapax("check", "shop/charge-order.yaml").exit()).isZero();
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.at("/error/code")).isEqualTo("cases-failed");
  }

  @Test
  void a_mail_that_may_be_sent_twice_is_refused_by_prove() throws IOException {
    change("guard: none}", "guard: {none: {onDoubt: repeat}}}");

    Said said = desk.hapax("prove", "shop/charge-order.yaml");

    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.at("/error/code")).isEqualTo("not-proven");
    assertThat(said.document().toString()).contains("charge-order/receipt", "applied 2 times");
  }

  @Test
  void a_connection_that_is_missing_is_refused_by_deploy() throws IOException {
    Files.delete(home.resolve("shop/connections/mailer.yaml"));

    Said said = desk.hapax("deploy", "shop", "--yes");

    assertThat(said.exit()).isEqualTo(3);
    assertThat(said.document().toString()).contains("unknown-connection", "mailer");
    assertThat(desk.hapax("flows").data().path("items")).isEmpty();
  }
}
