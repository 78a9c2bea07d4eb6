package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The incident of docs/operate/incident.md: an hour of outage, a bad release and three kills; then
 * people put it right, and the books agree.
 */
@Tag("crash")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IncidentTest {
  private static final int ORDERS = 5_000;

  /** Orders that come at the beginning of each part of the hour. */
  private static final int[] COME = {250, 1_750, 250, 1_750, 1_000};

  private static final int CALLERS = 32;

  private static final String ORDER =
      """
      flow: order
      key: ${input.id}
      steps:
        - id: invoice
          call: {handler: accounting, input: {order: "${input.id}", cents: "${input.cents}"}}
          effect:
            kind: create
            key: ${input.id}
            guard: none
            reconcile:
              list: {connection: books, path: /invoices, query: {after: "${page.cursor}"}}
              items: ${response.body.invoices}
              next: ${response.body.next}
              key: ${item.order}
              externalId: ${item.id}
              fields: {cents: "${item.cents == effect.output.body.cents}"}
          retry: {attempts: 10, delay: 10m, maxDelay: 10m, within: 50m}
        - id: mail
          call: {handler: mail, input: "${input.id}"}
          effect: {kind: notify, key: "${input.id}", guard: keyed}
      output: {invoice: "${steps.invoice.output.body.id}"}
      """;

  /** Somebody has removed the amount. */
  private static final String BAD = ORDER.replace(", cents: \"${input.cents}\"", "");

  @TempDir private Path folder;

  @Test
  void after_an_outage_a_bad_release_and_three_kills_people_bring_the_books_in_order()
      throws Exception {
    try (var books = new Bookkeeping();
        var shop =
            new MortalServer(
                folder,
                files ->
                    files
                        .handler("accounting", (input, _) -> books.invoice(input))
                        .handler("mail", books::mail))) {
      connect(shop, books);
      release(shop, ORDER, 1);

      theIncident(shop, books);

      List<String> failed = runs(shop, RunStatus.FAILED);
      assertThat(failed).hasSizeGreaterThan(COME[2]);
      assertThat(books.mailedOrders()).hasSizeLessThan(ORDERS - failed.size());

      replayWhatFailed(shop, failed.size());
      await("the replayed runs", () -> !isBusy(shop));
      Set<String> doubts = effects(shop, EffectState.REVIEW);
      assertThat(doubts).hasSizeGreaterThan(ORDERS / 20);
      int settled = adoptWhatIsInTheBooks(shop);
      settleTheRest(shop, doubts.size() - settled);

      await("all orders done", () -> runs(shop, RunStatus.SUCCEEDED).size() == ORDERS);
      assertThat(books.invoicedOrders()).doesNotHaveDuplicates().hasSize(ORDERS);
      assertThat(books.mailedOrders()).doesNotHaveDuplicates().hasSize(ORDERS);
      assertThat(effects(shop, EffectState.REVIEW)).isEmpty();
      assertThat(effects(shop, EffectState.DOUBT)).isEmpty();
      assertEveryDoubtIsSettledWithEvidence(shop, doubts);
      Reply compared = reconciled(shop, "{\"flow\": \"order\"}");
      assertThat(Json.write(compared.body().path("totals")))
          .isEqualTo(
              "{\"matches\":%d,\"missing\":0,\"differs\":0,\"unknown\":0,\"doubled\":0,\"unchecked\":0}"
                  .formatted(ORDERS));
    }
  }

  // ---- the incident

  /** An hour in which accounting is down; orders come in, twice if they got no answer. */
  private static void theIncident(MortalServer shop, Bookkeeping books) throws IOException {
    books.isDown = true;
    order(shop, 0);
    pass(shop, 24);
    order(shop, 1);
    shop.kill();
    order(shop, 1); // the shop repeats what it is not sure of
    pass(shop, 12);
    release(shop, BAD, 2);
    order(shop, 2);
    pass(shop, 12);
    shop.server.put("/api/flows/order/live", "{\"release\": 1}");
    order(shop, 3);
    shop.kill();
    order(shop, 4);
    pass(shop, 12);
    assertThat(books.mailedOrders()).isEmpty();
    books.isDown = false;
    for (int i = 0; i < 10 && isBusy(shop); i++) {
      pass(shop, 3); // orders whose retries are not over go on by themselves
    }
    assertThat(isBusy(shop)).isFalse();
  }

  private static boolean isBusy(MortalServer shop) {
    int ended =
        runs(shop, RunStatus.FAILED).size()
            + runs(shop, RunStatus.SUCCEEDED).size()
            + runs(shop, RunStatus.REVIEW).size();
    return ended < ORDERS;
  }

  /** All orders of a part of the hour come at once. */
  private static void order(MortalServer shop, int part) {
    int from = Arrays.stream(COME, 0, part).sum();
    var rest = new AtomicInteger(COME[part]);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(
            threads.submit(
                () -> {
                  for (int one = rest.decrementAndGet(); one >= 0; one = rest.decrementAndGet()) {
                    order(shop.server, from + one);
                  }
                }));
      }
      callers.forEach(IncidentTest::get);
    }
  }

  private static void get(Future<?> caller) {
    try {
      caller.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void order(TestServer server, int number) {
    Reply reply =
        server.post(
            "/api/flows/order/runs",
            "{\"id\": \"O-%d\", \"cents\": %d}".formatted(number, 900 + number));
    assertThat(reply.status()).as("%s", reply.body()).isIn(200, 201);
  }

  /** Lets minutes pass one by one, so that every retry happens in its minute. */
  private static void pass(MortalServer shop, int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      shop.clock.move(Duration.ofMinutes(1));
      await("what is due was done", () -> dueNow(shop) == 0);
    }
  }

  private static long dueNow(MortalServer shop) {
    Hapax hapax = shop.server.hapax();
    return hapax.runs(hapax.runs().flow("order").status(RunStatus.RUNNING).limit(1)).size();
  }

  // ---- people put it right

  /** One plan for all failed runs, on the live release; the server dies in the middle of it. */
  private static void replayWhatFailed(MortalServer shop, int failed) throws IOException {
    Reply begun =
        shop.server.post(
            "/api/replays",
            "{\"filter\": {\"flow\": \"order\", \"status\": \"failed\"}, \"release\": \"live\", \"plan\": true}");
    String plan = begun.at("/plan");
    await("the plan", () -> state(shop, plan).equals("planned"));
    Reply planned = shop.server.get("/api/replays/" + plan);
    assertThat(planned.at("/found")).isEqualTo(Integer.toString(failed));
    assertThat(planned.at("/totals/send")).isEqualTo(Integer.toString(2 * failed));
    assertThat(planned.at("/totals/doubt")).isEqualTo("0");

    shop.server.post(
        "/api/replays",
        "{\"apply\": \"%s\", \"rate\": 10000, \"reason\": \"accounting is back\"}".formatted(plan));
    await("half of it", () -> done(shop, plan) > failed / 2);
    shop.kill();
    await("the rest", () -> state(shop, plan).equals("done"));
    assertThat(done(shop, plan)).isEqualTo(failed);
  }

  /** What the list of accounting has did happen. Returns how many doubts that settled. */
  private static int adoptWhatIsInTheBooks(MortalServer shop) {
    Reply found = reconciled(shop, "{\"flow\": \"order\", \"adopt\": true}");
    assertThat(found.body().path("doubled").asInt()).isZero();
    return found.body().path("settled").asInt();
  }

  /** A person has looked: accounting has had no invoice for these since the outage ended. */
  private static void settleTheRest(MortalServer shop, int expected) {
    Reply job =
        shop.server.post(
            "/api/jobs",
            """
            {"kind": "settle", "filter": {"flow": "order", "step": "invoice"}, "decision": "not-happened",
             "reason": "accounting confirms: no such invoice", "rate": 10000}
            """);
    await("the reviews", () -> state(shop, job.at("/id")).equals("done"));
    assertThat(done(shop, job.at("/id"))).isEqualTo(expected);
  }

  private static void assertEveryDoubtIsSettledWithEvidence(MortalServer shop, Set<String> doubts) {
    Hapax hapax = shop.server.hapax();
    for (String id : doubts) {
      EffectRecord effect = hapax.effect(id);
      String run = String.valueOf(hapax.ownerOf(effect));
      assertThat(effect.state()).isEqualTo(EffectState.DONE);
      assertThat(hapax.history(run))
          .as("history of %s", run)
          .anyMatch(
              entry ->
                  entry.type().equals("settled")
                      && (entry.toString().contains("accounting confirms: no such invoice")
                          || entry.toString().contains("reconcil")));
    }
  }

  // ---- the words

  private static void connect(MortalServer shop, Bookkeeping books) {
    Reply put =
        shop.server.put(
            "/api/connections/books",
            "{\"http\": {\"base\": \"%s\", \"privateHosts\": [\"127.0.0.1\"]}}"
                .formatted(books.address()));
    assertThat(put.status()).isLessThan(300);
  }

  private static void release(MortalServer shop, String text, int number) {
    Reply draft =
        shop.server.send(
            shop.server
                .request("/api/flows/order/draft")
                .setHeader("Content-Type", "application/yaml")
                .PUT(BodyPublishers.ofString(text)));
    assertThat(draft.status()).as("%s", draft.body()).isLessThan(300);
    Reply made = shop.server.post("/api/flows/order/releases", "{}");
    assertThat(made.at("/release")).as("%s", made.body()).isEqualTo(Integer.toString(number));
    Reply live = shop.server.put("/api/flows/order/live", "{\"release\": %d}".formatted(number));
    assertThat(live.status()).as("%s", live.body()).isLessThan(300);
  }

  private static List<String> runs(MortalServer shop, RunStatus status) {
    Hapax hapax = shop.server.hapax();
    return hapax.runs(hapax.runs().flow("order").status(status).limit(ORDERS + 1)).stream()
        .map(Run::key)
        .toList();
  }

  private static Set<String> effects(MortalServer shop, EffectState state) {
    Hapax hapax = shop.server.hapax();
    var ids = new HashSet<String>();
    for (EffectRecord effect : hapax.effects(hapax.effects().state(state).limit(ORDERS + 1))) {
      ids.add(effect.id());
    }
    return ids;
  }

  private static Reply reconciled(MortalServer shop, String body) {
    String id = shop.server.post("/api/reconciliations", body).at("/id");
    var seen = new ArrayList<Reply>();
    await(
        "the reconciliation",
        () -> {
          Reply now = shop.server.get("/api/reconciliations/" + id);
          seen.add(now);
          return List.of("succeeded", "failed").contains(now.at("/status"));
        });
    Reply last = seen.getLast();
    assertThat(last.at("/status")).as("%s", last.body()).isEqualTo("succeeded");
    return last;
  }

  private static String state(MortalServer shop, String job) {
    return shop.server.get("/api/jobs/" + job + "?limit=1").at("/state");
  }

  private static int done(MortalServer shop, String job) {
    return Integer.parseInt(shop.server.get("/api/jobs/" + job + "?limit=1").at("/done"));
  }

  private static void await(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(5_000_000); // leaves the processor to those who bring it about
    }
  }
}
