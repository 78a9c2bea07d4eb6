package dev.hapax.app.demo;

import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plays the demo: orders arrive several times, the outside world is unreliable, the server is
 * killed in the middle, and at the end the books are compared. Everything that must survive this
 * process is in the data folder.
 */
public final class Demo implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(150);
  private static final Duration STALLED_AFTER = Duration.ofMinutes(2);

  private static final int USUAL_PORT = 8899;

  private final FileHold hold;
  private final DemoFolder folder;
  private final OrderBatch batch;
  private final Screen screen;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final DemoProcess sandbox;
  private final DemoProcess server;
  private final ServerDoor door;
  private final DemoSetup stage;
  private final Shop shop;
  private @Nullable Instant killedAt;

  private Demo(
      FileHold hold, DemoOptions options, DemoFolder folder, Class<?> serverClass, Screen screen)
      throws IOException {
    this.hold = hold;
    this.folder = folder;
    this.screen = screen;
    this.batch = OrderBatch.open(folder, options);
    var narrator = new Narrator();
    var seed = List.of(Long.toString(batch.seed()));
    this.sandbox = new DemoProcess("sandbox", Sandbox.class, folder, seed, narrator);
    this.server = new DemoProcess("server", serverClass, folder, List.of(port(folder)), narrator);
    this.door = new ServerDoor(server, folder, client);
    WebhookSecrets secrets = WebhookSecrets.open(folder);
    this.stage = new DemoSetup(door, secrets);
    this.shop = new Shop(batch.deliveries(), door, secrets);
    introduce(options);
  }

  /** Another demo is at work in the same folder. */
  public static final class InUse extends IllegalStateException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Continues the batch of the folder, or begins a new one.
   *
   * @param serverClass whose main method runs a server on the folder and the port that it is given
   * @param out where it prints what happens
   * @param terminal whether a person reads that
   */
  public static Demo open(
      DemoOptions options, Class<?> serverClass, PrintStream out, boolean terminal)
      throws IOException {
    var folder = new DemoFolder(options.data());
    OwnerOnly.folder(folder.path());
    FileHold hold = FileHold.tryTake(folder.lockOf("demo"));
    if (hold == null) {
      throw new InUse();
    }
    return new Demo(hold, options, folder, serverClass, new Screen(out, terminal));
  }

  /** Takes the usual port if it is free, and keeps it from then on. */
  private static String port(DemoFolder folder) throws IOException {
    if (!Files.exists(folder.port())) {
      DemoFolder.replace(folder.port(), Integer.toString(freePort()));
    }
    return Files.readString(folder.port());
  }

  private static int freePort() throws IOException {
    try (var usual = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
      return usual.getLocalPort();
    } catch (BindException taken) {
      try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return any.getLocalPort();
      }
    }
  }

  private void introduce(DemoOptions options) {
    screen.print(
        "Hapax demo, batch %d: %d orders are paid, invoiced, mailed and shipped; everything is in %s (seed %d)"
            .formatted(batch.number(), batch.size(), folder.path(), batch.seed()));
    if (batch.size() != options.orders() || batch.seed() != options.seed()) {
      screen.print(
          "This batch was not finished and continues; --orders and --seed apply to the next one.");
    }
  }

  /** Plays it to its end; the processes stay until {@link #close}. */
  public DemoReport play() throws IOException, InterruptedException {
    sandbox.start();
    server.start();
    DemoReport report = new Scene().untilSettled();
    if (report.agrees()) {
      batch.finish(folder);
    }
    screen.settle();
    return report;
  }

  /** Returns where the server listens now; null while it is down. */
  public @Nullable URI address() {
    return server.address();
  }

  /** Returns where the story can be followed in the web UI; null while the server is down. */
  public @Nullable DemoTour tour() throws InterruptedException {
    URI address = server.address();
    Instant kill = killedAt;
    return address == null
        ? null
        : new DemoTour(address, kill == null ? null : new KillWitness(door).pageOf(kill));
  }

  /** Returns the file that has the token of the server's operator. */
  public Path tokenFile() {
    return folder.token();
  }

  @Override
  public void close() throws IOException {
    try (hold;
        client;
        sandbox;
        server) {
      client.shutdownNow();
    }
  }

  /** Prints what happens to the processes. */
  private final class Narrator implements DemoProcess.Watcher {
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
    private final Peer outside = new Peer(sandbox, client);
    private @Nullable URI connected;
    private boolean isSet;
    private boolean killed;
    private String last = "";
    private long lastChangeAt = System.nanoTime();

    DemoReport untilSettled() throws IOException, InterruptedException {
      while (true) {
        Thread.sleep(LOOK_EVERY);
        server.refuseIfGivenUp();
        setStage();
        shop.refuseIfRefused();
        Shop.Count count = shop.count();
        show(count);
        killInTheMiddle(count);
        boolean stalled = isStalled();
        if (stalled || (count.isAll() && isQuiet())) {
          DemoReport report = compareBooks(count);
          if (report != null && (stalled || report.balance().batch().open() == 0)) {
            return report;
          }
        }
      }
    }

    /** Prepares the server, and connects it again when the outside systems restart elsewhere. */
    private void setStage() throws IOException, InterruptedException {
      URI there = sandbox.address();
      if (there == null || there.equals(connected)) {
        return;
      }
      if (isSet ? stage.connect(there) : stage.set(there)) {
        connected = there;
        if (!isSet) {
          isSet = true;
          screen.tell("four flows are live; the shop opens");
          new Clerk(door).sitDown();
          shop.open();
        }
      }
    }

    private void show(Shop.Count count) throws InterruptedException {
      var totals = outside.ask(Sandbox.Totals.path(batch.prefix()), Sandbox.Totals.class);
      if (totals != null) {
        String figures =
            "%,d/%,d deliveries · %d charges · %d invoices · %d mails · %d parcels%s"
                .formatted(
                    count.acknowledged(),
                    count.planned(),
                    totals.of(Happening.CHARGE),
                    totals.of(Happening.INVOICE),
                    totals.of(Happening.MAIL),
                    totals.of(Happening.PARCEL),
                    server.address() == null ? " · server down" : "");
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
        screen.tell("half of the deliveries are in: the server gets a kill -9");
        killedAt = Instant.now();
        server.kill();
      }
    }

    /** A hint only: a run may move between two of these looks. The ledger decides. */
    private boolean isQuiet() throws InterruptedException {
      if (!startPoints()) {
        return false;
      }
      for (String status : List.of("queued", "running", "waiting", "compensating")) {
        ServerDoor.Heard heard = door.get("/api/runs?limit=1&status=" + status);
        if (heard == null || !heard.isGood() || !heard.read(Any.class).items().isEmpty()) {
          return false;
        }
      }
      return true;
    }

    /** The last act: points for every order, in one run. Started at every look, begun once. */
    private boolean startPoints() throws InterruptedException {
      var orders = batch.orders().stream().map(Order::orderId).toList();
      ServerDoor.Heard heard =
          door.post(
              "/api/flows/give-points/runs", Map.of("batch", batch.prefix(), "orders", orders));
      return heard != null && heard.isGood();
    }

    private boolean isStalled() {
      return System.nanoTime() - lastChangeAt > STALLED_AFTER.toNanos();
    }

    private @Nullable DemoReport compareBooks(Shop.Count count) throws InterruptedException {
      Ledger ledger = Ledger.read(door, batch);
      var book = outside.ask(Sandbox.Contents.path(), Sandbox.Contents.class);
      return ledger == null || book == null
          ? null
          : new DemoReport(
              batch,
              folder,
              count,
              Balance.of(batch, ledger, book.entries()),
              ledger.stops(),
              screen.seconds());
    }
  }

  /** A list; the demo only checks whether it is empty. */
  private record Any(List<Object> items) {}
}
