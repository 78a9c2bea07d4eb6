package dev.hapax.app;

import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program itself, as a process of its own on a free port, and its client. */
public final class ServerProcess extends ServerCalls {
  /** It loads and links all that a server does, and then writes the cache. */
  private static final Duration LONGEST_REHEARSAL = Duration.ofMinutes(5);

  private final ChildProcess process;
  private final Path folder;

  /**
   * Starts it and waits until it takes work.
   *
   * @param folder for its data and what it writes
   * @param options of the JVM
   * @param settings as {@code --set} takes them
   */
  public ServerProcess(Path folder, List<String> options, String... settings) throws Exception {
    this(folder, Map.of(), options, settings);
  }

  /** Starts it with these variables beside those of the test's own environment. */
  public ServerProcess(
      Path folder, Map<String, String> environment, List<String> options, String... settings)
      throws Exception {
    this(folder, start(folder, environment, options, settings));
  }

  private ServerProcess(Path folder, ChildProcess process) throws Exception {
    super(addressOf(process), Files.readString(folder.resolve("data/admin.token")).strip());
    this.process = process;
    this.folder = folder;
  }

  /** Known when it takes work; its token is in the file then. */
  private static URI addressOf(ChildProcess process) throws InterruptedException {
    String ready = process.awaitLine(line -> line.startsWith("{"), LONG);
    return URI.create(Json.tree(ready).at("/data/url").asString());
  }

  private static ChildProcess start(
      Path folder, Map<String, String> environment, List<String> options, String... settings)
      throws IOException, InterruptedException {
    rehearse(Files.createDirectories(folder.resolve("rehearsal")));
    Path data = folder.resolve("data");
    List<String> arguments = new ArrayList<>(List.of("serve", "--data", data.toString()));
    if (List.of(settings).stream().noneMatch(setting -> setting.startsWith("http.port="))) {
      arguments.addAll(List.of("--port", "0"));
    }
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    List<String> command =
        new ArrayList<>(ChildProcess.command(folder, ServerProcess.class, options, arguments));
    if (!environment.isEmpty()) {
      environment.forEach((name, value) -> command.addFirst(name + "=" + value));
      command.addFirst("env");
    }
    return ChildProcess.start(folder, command);
  }

  /** The first server of a build makes the start cache, with which the others start faster. */
  private static void rehearse(Path folder) throws IOException, InterruptedException {
    ChildProcess.rehearse(
        folder,
        ServerProcess.class,
        List.of("serve", "--port", "0", "--data", folder.resolve("data").toString()),
        child -> {
          child.awaitLine(line -> line.startsWith("{"), LONGEST_REHEARSAL);
          child.say("stop");
        });
  }

  /** The process. It ends on request, and when its parent has ended. */
  public static void main(String[] arguments) throws Exception {
    ChildProcess.endWithParent(_ -> System.exit(0));
    Main.main(arguments);
  }

  /** All that it has written to standard output and standard error. */
  public String log() throws IOException {
    var log = new StringBuilder(String.join("\n", process.lines()));
    try (var files = Files.newDirectoryStream(folder, "child*.err")) {
      for (Path file : files) {
        log.append(Files.readString(file));
      }
    }
    return log.toString();
  }

  /** Asks it to stop, and waits until it has written everything. */
  public void stop() throws InterruptedException {
    process.say("stop");
    process.awaitExit(LONG);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() throws InterruptedException {
    return !process.hasEndedWithin(Duration.ZERO);
  }

  public void kill() throws InterruptedException {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
    super.close();
  }
}
