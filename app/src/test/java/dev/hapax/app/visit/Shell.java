package dev.hapax.app.visit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hapax.app.Main;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A shell in an empty folder in which {@code ./hapax} is this build of the program. */
final class Shell implements AutoCloseable {
  private static final String END = "-- that was all of it, exit ";
  private static final String OVERWRITE = "\r\033[K";
  private static final String READY = "Hapax listens on ";

  private static final Pattern REDIRECTED = Pattern.compile("> (\\S+) &$");

  private final Path folder;
  private final Process process;
  private final Writer input;
  private final Scanner output;

  Shell(Path folder) throws IOException {
    this.folder = folder;
    Path program = Files.writeString(folder.resolve("hapax"), program());
    if (!program.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + program + " a program");
    }
    var builder = new ProcessBuilder("sh").directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("HAPAX_"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("NO_COLOR", "1");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("HAPAX_HTTP_PORT", "0"); // the page's port may be in use here
    this.process = builder.start();
    this.input = process.outputWriter(UTF_8);
    this.output = new Scanner(process.getInputStream(), UTF_8).useDelimiter("\n");
  }

  /** As the launcher starts it, for a person who reads. A server's log is not part of the visit. */
  private static String program() {
    return """
    #!/bin/sh
    case "$1 $2" in "serve "*) exec 2>>server.log ;; "dev flows") set -- "$@" --port 0 ;; esac
    exec "%s" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
      --sun-misc-unsafe-memory-access=allow -Dhapax.terminal=true -cp "%s" %s "$@"
    """
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            classPath(),
            Main.class.getName());
  }

  /** The shell is in another folder. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What a command said, up to its end; one in the background up to where it is ready. */
  record Said(int exit, List<String> lines) {}

  Said type(String command) throws IOException {
    Matcher redirected = REDIRECTED.matcher(command);
    boolean isRedirected = redirected.find();
    boolean isServer = command.endsWith("&") && !isRedirected;
    send(command);
    send("echo \"" + END + "$?\"");
    var lines = new ArrayList<String>();
    int exit = -1;
    String address = "";
    while (exit < 0 || (isServer && address.isEmpty())) {
      String line = lastOf(output.next());
      if (line.startsWith(END)) {
        exit = Integer.parseInt(line.substring(END.length()));
      } else {
        lines.add(line);
        address = line.startsWith(READY) ? line.substring(READY.length()) : address;
      }
    }
    if (isRedirected) {
      address = readyIn(folder.resolve(redirected.group(1)));
    }
    if (isServer || isRedirected) {
      send("export HAPAX_URL=" + address);
    }
    return new Said(exit, lines);
  }

  /** Waits until a server that writes to a file says that it listens; returns where. */
  private String readyIn(Path file) throws IOException {
    Process tail =
        new ProcessBuilder("tail", "-n", "+1", "-F", file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var lines = new Scanner(tail.getInputStream(), UTF_8).useDelimiter("\n")) {
      String line = "";
      while (!line.startsWith(READY)) {
        line = lines.next();
      }
      return line.substring(READY.length());
    } finally {
      tail.destroyForcibly();
    }
  }

  private void send(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  /** What is left of a line that was written over itself, as progress is. */
  private static String lastOf(String line) {
    int start = line.lastIndexOf(OVERWRITE);
    return start < 0 ? line : line.substring(start + OVERWRITE.length());
  }

  /**
   * The server too, if it is still there. The shell waits for it, so nothing is written any more.
   */
  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    send("wait; exit");
    process.onExit().join();
  }
}
