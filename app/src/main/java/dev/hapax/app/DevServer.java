package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.app.access.TenantBook;
import dev.hapax.app.cli.connection.Address;
import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.Target;
import dev.hapax.app.config.SettingsReader;
import dev.hapax.app.dev.DevAllowList;
import dev.hapax.app.dev.DevClock;
import dev.hapax.app.dev.DevDoor;
import dev.hapax.app.dev.DevFaults;
import dev.hapax.app.dev.DevMails;
import dev.hapax.app.dev.DevOutside;
import dev.hapax.app.dev.DevPlace;
import dev.hapax.app.dev.DevReload;
import dev.hapax.app.dev.DevRoutes;
import dev.hapax.app.dev.DevScreen;
import dev.hapax.app.dev.DevWatch;
import dev.hapax.app.dev.DevWayOut;
import dev.hapax.app.http.Route;
import dev.hapax.app.release.Flows;
import dev.hapax.app.webhook.SavedEvents;
import dev.hapax.flow.Interceptor;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.json.Json;
import dev.hapax.time.Ports;
import dev.hapax.trial.cases.StandIn;
import dev.hapax.trial.recording.RecordedBook;
import dev.hapax.trial.recording.Recorder;
import dev.hapax.trial.recording.Recordings;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The server of {@code hapax dev}: the real one, on a store in the folder of the flows, reachable
 * from this machine only. It reads no settings file and no environment, so that it cannot open the
 * store or the secrets of another server by accident.
 */
final class DevServer implements AutoCloseable, Companion {
  private static final String HOST = "127.0.0.1";

  private final DevPlace place;
  private final DevClock clock;
  private final DevAllowList allowed;
  private final DevFaults faults;
  private final DevMails mails;
  private final TrialSandbox sandbox;
  private final Application application;
  private final DevWatch watch;
  private final DevScreen screen;
  private final Recordings recordings;
  private final boolean isRecording;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile @Nullable Flows flows;
  private volatile @Nullable DevReload reload;

  /**
   * What to serve.
   *
   * @param port 0 for one that is free
   * @param isFresh whether to begin with an empty store
   * @param allow the hosts that are really reached
   * @param isRecording whether their answers are written down
   */
  record Wish(Path folder, int port, boolean isFresh, DevAllowList allow, boolean isRecording) {}

  private DevServer(Wish wish, DevPlace place, DevScreen screen) throws IOException {
    this.place = place;
    this.allowed = wish.allow();
    this.screen = screen;
    this.recordings = new Recordings(wish.folder());
    this.isRecording = wish.isRecording();
    Ports system = Ports.system();
    this.clock = DevClock.open(system.clock(), place.clock());
    var ports = new Ports(clock, system.random(), system.threads(), system.process());
    var standIn = new StandIn(new RecordedBook(recordings, screen::say), screen::say);
    this.faults = new DevFaults(system.threads(), screen, standIn);
    this.mails = new DevMails(clock, screen);
    this.sandbox = new TrialSandbox(clock, this::fileOf, faults);
    sandbox.onSend(faults);
    var settings =
        new SettingsReader()
            .flag("folder", "data", place.folder().toString())
            .flag("host", "http.host", HOST)
            .flag("--port", "http.port", Integer.toString(wish.port()))
            .read();
    this.application = Application.start(settings, Extras.with(this::files, ports, this));
    try {
      place.announce(application.address());
      String token = Files.readString(place.folder().resolve("admin.token")).strip();
      var door =
          new DevDoor(
              new ServerClient(new Target(Address.of(application.address().toString()), token)));
      var folder =
          DevReload.of(
              wish.folder(), place, door, new DevOutside(allowed, standIn), screen, ports.random());
      this.watch = DevWatch.begin(wish.folder(), folder, ports.threads());
      this.reload = folder;
      tellRecording();
    } catch (IOException | RuntimeException e) {
      application.close();
      throw e;
    }
  }

  /**
   * Starts the server; the flows of the folder are live when this returns.
   *
   * @throws DevPlace.InUse if another one serves this folder
   * @throws BindException if another program listens on the port; the store is not opened then
   */
  static DevServer start(Wish wish, DevScreen screen) throws IOException {
    refuseTaken(wish.port());
    DevPlace place = DevPlace.take(wish.folder(), wish.isFresh());
    try {
      return new DevServer(wish, place, screen);
    } catch (IOException | RuntimeException e) {
      place.close();
      throw e;
    }
  }

  private void tellRecording() {
    recordings.problems().forEach(screen::say);
    if (isRecording) {
      screen.say(
          allowed.all().isEmpty()
              ? "nothing is recorded, because no host is listed: add --allow HOST, or 'allow: [HOST]' in dev.yaml"
              : "recorded into %s/: the answers of %s"
                  .formatted(Recordings.FOLDER, String.join(", ", allowed.all())));
    }
  }

  private static void refuseTaken(int port) throws IOException {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(HOST), port));
    }
  }

  private FlowFiles.Builder files(FlowFiles.Builder builder) {
    return builder
        .wayOutAround(
            (network, redaction) ->
                new DevWayOut(
                    network,
                    sandbox,
                    allowed,
                    mails,
                    isRecording ? new Recorder(recordings, redaction, clock, screen::say) : null))
        .handlers(sandbox::handler);
  }

  private @Nullable FlowFile fileOf(String flow) {
    Flows live = flows;
    LoadedFlow found = live == null ? null : live.find(TenantBook.OPERATOR, flow);
    return found == null ? null : found.file();
  }

  @Override
  public Interceptor interceptor() {
    return sandbox;
  }

  @Override
  public void opened(Hapax hapax, Flows live) {
    flows = live;
    sandbox.inputs(
        run -> Json.read(hapax.tenant(TenantBook.OPERATOR).run(run).input(), Object.class));
  }

  @Override
  public List<Route> routes(SavedEvents events) {
    return new DevRoutes(clock, faults, mails, sandbox, () -> reload).routes(events);
  }

  URI address() {
    return application.address();
  }

  /** Returns its data folder. */
  Path data() {
    return place.folder();
  }

  /** Stops watching, answers the requests that have arrived, and writes runs out. */
  @Override
  public void close() throws IOException {
    if (isClosed.getAndSet(true)) {
      return;
    }
    watch.close();
    application.close();
    place.close();
  }
}
