package dev.hapax.app.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The story: orders come in several times, the outside world is unreliable, the worker is killed in
 * the middle, and at the end the books are compared. Everything that must survive this process is
 * in the data folder.
 */
public final class Demo {
  private static final Duration LOOK_EVERY = Duration.ofMillis(150);
  private static final Duration STALLED_AFTER = Duration.ofSeconds(60);

  private final DemoOptions options;
  private final DataFolder folder;
  private final Batch batch;
  private final Screen screen;

  private Demo(DemoOptions options, DataFolder folder, Batch batch, Screen screen) {
    this.options = options;
    this.folder = folder;
    this.batch = batch;
    this.screen = screen;
  }

  /** Another demo is at work in the same folder. */
  public static final class InUse extends IllegalStateException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Plays it to its end.
   *
   * @param out where it tells what happens
   * @param terminal whether a person looks at that
   */
  public static Report run(DemoOptions options, PrintStream out, boolean terminal)
      throws IOException, InterruptedException {
    var folder = new DataFolder(options.data());
    Files.createDirectories(folder.path());
    try (var hold = FileHold.tryTake(folder.lockOf("demo"))) {
      if (hold == null) {
        throw new InUse();
      }
      // What an earlier sandbox left may be the port of a stranger by now.
      Files.deleteIfExists(folder.sandboxAddress());
      return new Demo(options, folder, Batch.open(folder, options), new Screen(out, terminal))
          .play();
    }
  }

  private Report play() throws IOException, InterruptedException {
    introduce();
    Report report;
    try (var client = HttpClient.newHttpClient();
        var sandbox =
            new Child(
                "sandbox",
                Sandbox.class,
                folder,
                List.of(Long.toString(batch.seed())),
                new Narrator());
        var worker = new Child("worker", Worker.class, folder, List.of(), new Narrator())) {
      var shop = new Shop(batch.deliveries(), worker::address);
      var scene =
          new Scene(
              shop, worker.start(), new Peer(worker, client), new Peer(sandbox.start(), client));
      shop.open();
      report = scene.untilSettled();
    }
    if (report.agrees()) {
      batch.finish(folder);
    }
    screen.settle();
    return report;
  }

  private void introduce() {
    screen.print(
        "Hapax demo, batch %d: %d orders are charged, invoiced and mailed, by way of %s (seed %d)"
            .formatted(batch.number(), batch.size(), folder.path(), batch.seed()));
    if (batch.size() != options.orders() || batch.seed() != options.seed()) {
      screen.print(
          "This batch was not finished and goes on; --orders and --seed count for the next one.");
    }
  }

  /** Tells what becomes of the processes. */
  private final class Narrator implements Child.Watcher {
    @Override
    public void ready(String name, long pid) {
      screen.tell("%s up, pid %d".formatted(name, pid));
    }

    @Override
    public void ended(String name, long pid, int exit) {
      String how = exit == 137 ? "was killed with SIGKILL" : "ended with exit code " + exit;
      screen.tell("%s %d %s; it is started again".formatted(name, pid, how));
    }
  }

  /** The processes at work. */
  private final class Scene {
    private final Shop shop;
    private final Child workerProcess;
    private final Peer worker;
    private final Peer sandbox;
    private boolean killed;
    private String last = "";
    private long lastChangeAt = System.nanoTime();

    Scene(Shop shop, Child workerProcess, Peer worker, Peer sandbox) {
      this.shop = shop;
      this.workerProcess = workerProcess;
      this.worker = worker;
      this.sandbox = sandbox;
    }

    Report untilSettled() throws InterruptedException {
      while (true) {
        Thread.sleep(LOOK_EVERY);
        shop.refuseIfRefused();
        Shop.Count count = shop.count();
        Worker.Status status =
            worker.ask(Worker.STATUS + "?" + batch.prefix(), Worker.Status.class);
        show(count, status);
        killInTheMiddle(count);
        boolean stalled = isStalled();
        if (stalled || (count.isAll() && status != null && !status.busy())) {
          Report report = compareBooks(count);
          if (report != null && (stalled || report.balance().batch().open() == 0)) {
            return report;
          }
        }
      }
    }

    private void show(Shop.Count count, Worker.@Nullable Status status)
        throws InterruptedException {
      var totals = sandbox.ask(Sandbox.TOTALS + "?" + batch.prefix(), Sandbox.Totals.class);
      if (totals != null) {
        String figures =
            "%d/%d deliveries · %d charges · %d invoices · %d mails%s"
                .formatted(
                    count.acknowledged(),
                    count.planned(),
                    totals.charges(),
                    totals.invoices(),
                    totals.mails(),
                    status == null
                        ? " · worker down"
                        : " · %d in review".formatted(status.inReview()));
        if (!figures.equals(last)) {
          last = figures;
          lastChangeAt = System.nanoTime();
        }
        screen.show(figures);
      }
    }

    private void killInTheMiddle(Shop.Count count) {
      if (!killed && count.isHalf()) {
        killed = true;
        screen.tell("half of the deliveries are in: the worker gets a kill -9");
        workerProcess.kill();
      }
    }

    private boolean isStalled() {
      return System.nanoTime() - lastChangeAt > STALLED_AFTER.toNanos();
    }

    private @Nullable Report compareBooks(Shop.Count count) throws InterruptedException {
      var ledger = worker.ask(Worker.LEDGER + "?" + batch.prefix(), Ledger.class);
      var book = sandbox.ask(Sandbox.BOOK, Sandbox.Contents.class);
      return ledger == null || book == null
          ? null
          : new Report(
              batch,
              folder,
              count,
              Balance.of(batch, ledger, book.entries()),
              ledger.stops(),
              screen.seconds());
    }
  }
}
