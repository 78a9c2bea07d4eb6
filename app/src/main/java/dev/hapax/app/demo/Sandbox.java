package dev.hapax.app.demo;

import dev.hapax.app.demo.LocalServer.Reply;
import dev.hapax.app.demo.LocalServer.Request;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The outside world, as a process of its own: payment removes duplicates by Idempotency-Key,
 * accounting can be asked whether it has an invoice, mail knows nothing. All of them are unreliable
 * in the way of {@link Trouble}.
 */
final class Sandbox {
  static final String CHARGE = "charge";
  static final String INVOICE = "invoice";
  static final String MAIL = "mail";

  static final String CHARGES = "/payment/charges";
  static final String INVOICES = "/accounting/invoices";
  static final String MAILS = "/mail/messages";
  static final String BOOK = "/book";
  static final String TOTALS = "/totals";

  private static final Duration SLOW = Duration.ofMillis(250);

  /** Past the worker's timeout, and well inside the time after which "not found" counts. */
  static final Duration TOO_LATE = OrderFlow.PATIENCE.plusMillis(400);

  private final Book book;
  private final long seed;
  private final ConcurrentMap<String, Integer> requests = new ConcurrentHashMap<>();

  private Sandbox(Book book, long seed) {
    this.book = book;
    this.seed = seed;
  }

  /** What the systems are asked to do. */
  record Task(String order, long cents, String email) {}

  /** Everything that has happened. */
  record Contents(List<Book.Entry> entries) {}

  /** How often what has happened, to orders whose id begins with what was asked for. */
  record Totals(int charges, int invoices, int mails) {}

  public static void main(String[] args) throws IOException {
    var folder = new DataFolder(Path.of(args[0]));
    long seed = Long.parseLong(args[1]);
    try (var _ = FileHold.take(folder.lockOf("sandbox"));
        var book = new Book(folder.book());
        var server = new Sandbox(book, seed).server().start()) {
      DataFolder.replace(folder.sandboxAddress(), server.address().toString());
      ParentProcess.tellReady(server.address());
      ParentProcess.awaitGone();
    }
    System.exit(0);
  }

  private LocalServer server() throws IOException {
    return new LocalServer()
        .on(CHARGES, request -> perform(request, CHARGE))
        .on(
            INVOICES,
            request -> request.method().equals("GET") ? find(request) : perform(request, INVOICE))
        .on(MAILS, request -> perform(request, MAIL))
        .on(TOTALS, request -> new Reply(200, Json.write(totals(request.query()))))
        .on(BOOK, _ -> new Reply(200, Json.write(new Contents(book.entries()))));
  }

  private @Nullable Reply perform(Request request, String kind)
      throws IOException, InterruptedException {
    Task task = Json.read(request.body(), Task.class);
    String key = request.idempotencyKey();
    if (key == null) {
      return new Reply(400, "");
    }
    int nth = requests.merge(kind + "/" + task.order, 1, Integer::sum);
    return switch (Trouble.of(seed, kind, task.order, nth)) {
      case NONE -> done(write(kind, task, key));
      case SLOW -> {
        Thread.sleep(SLOW);
        yield done(write(kind, task, key));
      }
      case BUSY -> new Reply(429, "");
      case FAILS_BEFORE -> new Reply(503, "");
      case FAILS_AFTER -> {
        write(kind, task, key);
        yield new Reply(503, "");
      }
      case LOSES_REQUEST -> null;
      case LOSES_ANSWER -> {
        write(kind, task, key);
        yield null;
      }
      case TOO_LATE -> {
        Thread.sleep(TOO_LATE);
        yield done(write(kind, task, key));
      }
    };
  }

  private Book.Entry write(String kind, Task task, String key) throws IOException {
    return kind.equals(CHARGE)
        ? book.writeOnce(kind, task.order, key)
        : book.write(kind, task.order, key);
  }

  private static Reply done(Book.Entry entry) {
    return new Reply(201, Json.write(entry));
  }

  private Reply find(Request request) {
    String order = request.query().substring("order=".length());
    return book.find(INVOICE, order)
        .map(invoice -> new Reply(200, Json.write(invoice)))
        .orElse(new Reply(404, ""));
  }

  private Totals totals(String prefix) {
    return new Totals(
        book.count(CHARGE, prefix), book.count(INVOICE, prefix), book.count(MAIL, prefix));
  }
}
