package dev.hapax.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A process of ours that writes and reads lines; it ends at the latest with this one. */
final class Child implements AutoCloseable {
  private final String name;
  private final Process process;
  private final BufferedReader said;
  private final Writer told;

  private Child(String name, Process process) {
    this.name = name;
    this.process = process;
    this.said = process.inputReader();
    this.told = process.outputWriter();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-" + name));
  }

  /**
   * Starts a Java process with the class path of this one.
   *
   * @param arguments a main class and its arguments
   */
  static Child start(String name, List<String> arguments) throws IOException {
    return start(name, System.getProperty("java.class.path", ""), arguments);
  }

  private static Child start(String name, String classPath, List<String> arguments)
      throws IOException {
    List<String> command = java();
    command.addAll(List.of("-cp", classPath));
    command.addAll(arguments);
    return started(name, new ProcessBuilder(command));
  }

  /** Starts one with the program in front of this process's class path. */
  static Child withProgram(String name, List<String> arguments) throws IOException {
    String own = System.getProperty("java.class.path", "");
    return start(name, program().map(jar -> jar + ":" + own).orElse(own), arguments);
  }

  /** Wraps any process; its output is not read unless a method asks for it. */
  static Child started(String name, ProcessBuilder process) throws IOException {
    return new Child(name, process.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Returns the beginning of a Java command line. */
  static List<String> java() {
    return new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
  }

  /** Returns the program's jar, built beside these benchmarks. */
  static Optional<Path> program() {
    Path jar = Workspace.module().resolveSibling("app").resolve("target/hapax.jar");
    return Files.exists(jar) ? Optional.of(jar) : Optional.empty();
  }

  long pid() {
    return process.pid();
  }

  String line() throws IOException {
    String line = said.readLine();
    if (line == null) {
      throw new IllegalStateException(name + " has ended before it said what it was to say");
    }
    return line;
  }

  void expect(String expected) throws IOException {
    String line = line();
    if (!line.equals(expected)) {
      throw new IllegalStateException(
          "expected '%s' from %s, got '%s'".formatted(expected, name, line));
    }
  }

  void tell(String line) throws IOException {
    told.write(line + "\n");
    told.flush();
  }

  /** Ends it and the processes that it has started, by their ids. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(Duration.ofSeconds(5))) {
        process.destroyForcibly().waitFor();
      }
      said.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
