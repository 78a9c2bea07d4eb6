package dev.hapax.app.demo;

import dev.hapax.app.demo.LocalServer.Reply;
import dev.hapax.app.demo.LocalServer.Request;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The outside world, as its own process: payment and warehouse remove duplicates by
 * Idempotency-Key, accounting can look up an invoice, mail knows nothing. All of them are
 * unreliable in the way of {@link Trouble}.
 */
final class Sandbox {
  static final String ACCOUNTING = "/accounting";
  static final String PAYMENT = "/payment";
  static final String WAREHOUSE = "/warehouse";

  private static final String BOOK = "/book";
  private static final String TOTALS = "/totals";

  private static final Duration SLOW = Duration.ofMillis(250);

  /** Past the 800 ms of the flow files, and well within the time after which "not found" counts. */
  private static final Duration TOO_LATE = Duration.ofMillis(1_200);

  private final Book book;
  private final long seed;
  private final ConcurrentMap<String, Integer> requests = new ConcurrentHashMap<>();

  private Sandbox(Book book, long seed) {
    this.book = book;
    this.seed = seed;
  }

  /** The request to a system; accounting and payment also get the amount. */
  private record Task(String order, @Nullable Long total) {}

  /** All events. */
  record Contents(List<Book.Entry> entries) {
    static String path() {
      return BOOK;
    }
  }

  /** The number of events by kind, of orders whose id begins with the given prefix. */
  record Totals(Map<Happening, Integer> counts) {
    static String path(String prefix) {
      return TOTALS + "?" + prefix;
    }

    int of(Happening kind) {
      return counts.getOrDefault(kind, 0);
    }
  }

  public static void main(String[] args) throws IOException {
    var folder = new DemoFolder(Path.of(args[0]));
    long seed = Long.parseLong(args[1]);
    try (var _ = FileHold.take(folder.lockOf("sandbox"));
        var book = new Book(folder.book())) {
      var sandbox = new Sandbox(book, seed);
      try (var web = sandbox.web().start();
          var mail = new MailDoor(sandbox::mail)) {
        ParentProcess.tellReady(URI.create(web.address() + "?mail=" + mail.port()));
        ParentProcess.awaitGone();
      }
    }
    System.exit(0);
  }

  private LocalServer web() throws IOException {
    return new LocalServer()
        .on(ACCOUNTING + "/customers", _ -> new Reply(200, "{}"))
        .on(
            ACCOUNTING + "/invoices",
            request ->
                request.method().equals("GET")
                    ? invoices(request)
                    : perform(request, Happening.INVOICE))
        .on(PAYMENT + "/charges", request -> perform(request, Happening.CHARGE))
        .on(PAYMENT + "/points", request -> perform(request, Happening.POINTS))
        .on(WAREHOUSE + "/reservations", this::reservation)
        .on(WAREHOUSE + "/parcels", this::parcel)
        .on(TOTALS, request -> new Reply(200, Json.write(totals(request.query()))))
        .on(BOOK, _ -> new Reply(200, Json.write(new Contents(book.entries()))));
  }

  private Reply invoices(Request request) {
    String order = request.query().substring("order=".length());
    return new Reply(200, Json.write(book.find(Happening.INVOICE, order)));
  }

  /** A PUT or a DELETE of the same thing changes nothing the second time. */
  private @Nullable Reply reservation(Request request) throws IOException, InterruptedException {
    String order = request.path().substring(request.path().lastIndexOf('/') + 1);
    var kind = request.method().equals("DELETE") ? Happening.GIVEN_BACK : Happening.RESERVATION;
    return perform(kind, order, kind + "/" + order);
  }

  private @Nullable Reply parcel(Request request) throws IOException, InterruptedException {
    String order = Json.read(request.body(), Task.class).order();
    return Trouble.isOutOfStock(seed, order)
        ? new Reply(422, Json.write(Map.of("error", "out of stock")))
        : perform(request, Happening.PARCEL);
  }

  private @Nullable Reply perform(Request request, Happening kind)
      throws IOException, InterruptedException {
    String order = Json.read(request.body(), Task.class).order();
    String key = kind.isOncePerKey() ? request.idempotencyKey() : order; // others ignore it
    return key == null ? new Reply(400, "{}") : perform(kind, order, key);
  }

  private @Nullable Reply perform(Happening kind, String order, String key)
      throws IOException, InterruptedException {
    return switch (trouble(kind, order)) {
      case NONE -> done(write(kind, order, key));
      case SLOW -> {
        Thread.sleep(SLOW);
        yield done(write(kind, order, key));
      }
      case BUSY -> new Reply(429, "{}");
      case FAILS_BEFORE -> new Reply(503, "{}");
      case FAILS_AFTER -> {
        write(kind, order, key);
        yield new Reply(503, "{}");
      }
      case LOSES_REQUEST -> null;
      case LOSES_ANSWER -> {
        write(kind, order, key);
        yield null;
      }
      case TOO_LATE -> {
        Thread.sleep(TOO_LATE);
        yield done(write(kind, order, key));
      }
    };
  }

  /** Takes a mail, or refuses it, without a check whether it was there before. */
  private MailDoor.Outcome mail(String order, String messageId)
      throws IOException, InterruptedException {
    return switch (trouble(Happening.MAIL, order)) {
      case BUSY -> MailDoor.Outcome.BUSY;
      case LOSES_REQUEST -> MailDoor.Outcome.SILENCE;
      case LOSES_ANSWER -> {
        write(Happening.MAIL, order, messageId);
        yield MailDoor.Outcome.SILENCE;
      }
      case SLOW -> {
        Thread.sleep(SLOW);
        write(Happening.MAIL, order, messageId);
        yield MailDoor.Outcome.TAKEN;
      }
      default -> {
        write(Happening.MAIL, order, messageId);
        yield MailDoor.Outcome.TAKEN;
      }
    };
  }

  private Trouble trouble(Happening kind, String order) {
    int nth = requests.merge(kind + "/" + order, 1, Integer::sum);
    return Trouble.of(seed, kind, order, nth);
  }

  private Book.Entry write(Happening kind, String order, String key) throws IOException {
    return kind.isOncePerKey() ? book.writeOnce(kind, order, key) : book.write(kind, order, key);
  }

  private static Reply done(Book.Entry entry) {
    return new Reply(201, Json.write(entry));
  }

  private Totals totals(String prefix) {
    return new Totals(book.count(prefix));
  }
}
