package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./hapax} in a checkout whose Maven and JDK are scripts that write down what they were
 * asked for: it builds when it must, once, and passes everything on.
 */
@Timeout(180)
class LauncherTest {
  private static final List<String> MODULES =
      List.of("core", "store", "testkit", "flows", "trial", "ui", "app");

  @TempDir private Path folder;
  private Path checkout = Path.of("unset");
  private Path tools = Path.of("unset");
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void checkOut() throws IOException {
    checkout = Files.createDirectories(folder.resolve("a checkout"));
    tools = Files.createDirectories(folder.resolve("tools"));
    Files.copy(launcher(), checkout.resolve("hapax"));
    assertThat(checkout.resolve("hapax").toFile().setExecutable(true)).isTrue();
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    for (String module : MODULES) {
      Files.createDirectories(checkout.resolve(module).resolve("src/main"));
      Files.writeString(checkout.resolve(module).resolve("pom.xml"), "<project/>");
      Files.writeString(checkout.resolve(module).resolve("src/main/Some.java"), "class Some {}");
    }
    age(checkout);
    script(
        "mvn",
        """
        echo build >>"%1$s/builds"
        echo "[INFO] Building hapax-core 0.1.0-SNAPSHOT                            [2/8]"
        [ ! -e "%1$s/break" ] || { rm "%1$s/break"; exit 1; }
        [ ! -e "%1$s/slow" ] || sleep 1
        mkdir -p app/target && echo jar >app/target/hapax.jar.new && mv app/target/hapax.jar.new app/target/hapax.jar
        """
            .formatted(tools));
    makeJdk(tools.resolve("jdk"));
    environment.put("PATH", tools + ":" + System.getenv("PATH"));
    environment.put("HAPAX_JAVA_HOME", tools.resolve("jdk").toString());
  }

  @Test
  void it_builds_on_first_use_and_not_again() throws Exception {
    Ran first = hapax("version");
    Ran second = hapax("version");

    assertThat(first.exit()).isZero();
    assertThat(first.err()).contains("hapax: building hapax-core (2/8)");
    assertThat(second.err()).isEmpty();
    assertThat(count("builds")).isEqualTo(1);
  }

  @Test
  void arguments_with_spaces_and_quotes_arrive_as_they_are() throws Exception {
    Ran ran = hapax("run", "a flow", "--input", "{\"a\": \"it's\"}", "");

    assertThat(ran.out()).endsWith("[run]\n[a flow]\n[--input]\n[{\"a\": \"it's\"}]\n[]\n");
  }

  @Test
  void the_exit_code_is_the_program_s() throws Exception {
    assertThat(hapax("exit-with-6").exit()).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"core", "store", "testkit", "flows", "trial", "app"})
  void a_changed_source_of_any_module_is_built_anew(String module) throws Exception {
    hapax("version");
    Path source = checkout.resolve(module).resolve("src/main/Some.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));

    hapax("version");

    assertThat(count("builds")).isEqualTo(2);
  }

  @Test
  void a_deleted_source_is_noticed() throws Exception {
    hapax("version");
    Files.delete(checkout.resolve("flows/src/main/Some.java"));
    Files.setLastModifiedTime(
        checkout.resolve("flows/src/main"), FileTime.from(Instant.now().plusSeconds(2)));

    hapax("version");

    assertThat(count("builds")).isEqualTo(2);
  }

  @Test
  void a_build_that_failed_is_reported_in_one_document_and_made_again() throws Exception {
    Files.writeString(tools.resolve("break"), "");

    Ran failed = hapax("version");
    Ran again = hapax("version");

    assertThat(failed.exit()).isEqualTo(2);
    JsonNode document = Json.tree(failed.out());
    assertThat(document.path("ok").booleanValue()).isFalse();
    assertThat(document.path("error").path("code").asString()).isEqualTo("build-failed");
    assertThat(document.path("error").path("details").isObject()).isTrue();
    assertThat(again.exit()).isZero();
  }

  @Test
  void a_build_whose_launcher_was_killed_is_made_again() throws Exception {
    Files.writeString(tools.resolve("slow"), "");
    Process killed = start(folder, checkout.resolve("hapax").toString(), "version");
    while (Files.notExists(tools.resolve("builds"))) {
      LockSupport.parkNanos(2_000_000);
    }
    killed.destroyForcibly().waitFor();

    Ran again = hapax("version");

    assertThat(again.exit()).as("%s", again).isZero();
    assertThat(count("builds")).isEqualTo(2);
  }

  @Test
  void a_jar_that_another_build_left_is_not_trusted() throws Exception {
    hapax("version");
    Files.delete(checkout.resolve("app/target/hapax.jar"));
    Files.writeString(checkout.resolve("app/target/hapax.jar"), "half of one");

    hapax("version");

    assertThat(count("builds")).isEqualTo(2);
  }

  @Test
  void two_at_once_build_once() throws Exception {
    Files.writeString(tools.resolve("slow"), "");

    Process one = start(folder, checkout.resolve("hapax").toString(), "version");
    Process other = start(folder, checkout.resolve("hapax").toString(), "version");

    assertThat(ran(one).exit()).isZero();
    assertThat(ran(other).exit()).isZero();
    assertThat(count("builds")).isEqualTo(1);
  }

  @Test
  void it_works_through_a_link_from_any_folder() throws Exception {
    Path link = Files.createSymbolicLink(tools.resolve("hapax"), checkout.resolve("hapax"));

    Ran ran =
        ran(start(Files.createDirectory(folder.resolve("else where")), link.toString(), "id"));

    assertThat(ran.exit()).isZero();
    assertThat(ran.out()).contains("[-jar]\n[" + checkout.toRealPath() + "/app/target/hapax.jar]");
  }

  @Test
  void without_a_jdk_it_says_so_in_one_document() throws Exception {
    Files.delete(tools.resolve("jdk/release"));

    Ran ran = hapax("version");

    assertThat(ran.exit()).isEqualTo(2);
    assertThat(Json.tree(ran.out()).path("error").path("code").asString()).isEqualTo("no-java");
    assertThat(ran.err()).contains("JDK 25");
  }

  @Test
  void a_build_prepares_the_starts_of_commands_and_servers_once() throws Exception {
    Ran first = hapax("runs");
    Ran second = hapax("runs");
    Ran server = hapax("serve");

    assertThat(count("trainings")).isEqualTo(2);
    assertThat(first.err()).contains("preparing fast starts");
    assertThat(first.out()).contains("-XX:AOTCache=").contains("/aot/command/");
    assertThat(second.out()).contains("-XX:AOTCache=").contains("[-Xlog:all=error:stderr]");
    assertThat(second.err()).isEmpty();
    assertThat(server.out()).contains("/aot/server/");
  }

  @Test
  void a_missing_preparation_is_made_up_for_beside_the_command() throws Exception {
    hapax("runs");
    try (Stream<Path> caches = Files.list(checkout.resolve("app/target/aot/command"))) {
      for (Path cache : caches.toList()) {
        Files.delete(cache);
      }
    }

    Ran without = hapax("runs");
    while (count("trainings") < 3) {
      LockSupport.parkNanos(2_000_000);
    }
    awaitLock();
    Ran with = hapax("runs");

    assertThat(without.out()).doesNotContain("-XX:AOTCache=");
    assertThat(with.out()).contains("-XX:AOTCache=");
    assertThat(count("trainings")).isEqualTo(3);
  }

  /** Until the process that prepares a start has ended. */
  private void awaitLock() throws Exception {
    Path lock = checkout.resolve("target/build.lock");
    assertThat(ran(start(folder, "flock", lock.toString(), "true")).exit()).isZero();
  }

  @Test
  void a_preparation_that_fails_costs_nothing_but_speed() throws Exception {
    Files.writeString(tools.resolve("cannot-train"), "");

    Ran first = hapax("runs");
    hapax("runs");

    assertThat(first.exit()).isZero();
    assertThat(first.out()).doesNotContain("-XX:AOTCache=");
    assertThat(count("trainings")).isEqualTo(2);
  }

  @Test
  void a_server_is_not_tuned_for_a_short_life() throws Exception {
    assertThat(hapax("serve").out()).doesNotContain("TieredStopAtLevel");
    assertThat(hapax("runs").out()).contains("TieredStopAtLevel");
  }

  /** Some JVM options make the JVM write to standard output before the program runs. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseLargePages", "-Xlog:gc", "-XX:SharedArchiveFile=/nowhere"})
  @Tag("server")
  void a_pipe_gets_one_document_also_if_the_jvm_prints_something(String option) throws Exception {
    useRealProgram();
    environment.put("JAVA_TOOL_OPTIONS", option);

    assertIsOneDocument(0, hapax("version"));
    assertIsOneDocument(2, hapax("nonsense"));
    assertIsOneDocument(2, hapax("serve", "--port", "none"));
    assertIsOneDocument(5, hapax("runs", "--url", "http://127.0.0.1:1"));
  }

  private static void assertIsOneDocument(int exit, Ran ran) {
    assertThat(ran.exit()).as("%s", ran).isEqualTo(exit);
    assertThat(ran.out().lines()).as("%s", ran).hasSize(1);
    assertThat(Json.tree(ran.out()).path("ok").booleanValue()).isEqualTo(exit == 0);
  }

  /** The JDK of this test, and a jar that leads to its class path. */
  private void useRealProgram() throws IOException {
    environment.put("HAPAX_JAVA_HOME", System.getProperty("java.home"));
    var manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path jar = tools.resolve("thin.jar");
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
    script("mvn", "mkdir -p app/target && cp \"%s\" app/target/hapax.jar\n".formatted(jar));
  }

  private record Ran(int exit, String out, String err) {}

  private Ran hapax(String... args) throws Exception {
    return ran(
        start(
            folder,
            Stream.concat(Stream.of(checkout.resolve("hapax").toString()), Stream.of(args))
                .toArray(String[]::new)));
  }

  private Process start(Path in, String... command) throws IOException {
    var builder = new ProcessBuilder(command).directory(in.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Ran ran(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), out, err);
  }

  private long count(String what) throws IOException {
    return Files.readAllLines(tools.resolve(what)).size();
  }

  private void makeJdk(Path home) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    script("jdk/bin/javac", "exit 1\n");
    script(
        "jdk/bin/java",
        """
        for arg in "$@"; do
          case $arg in
            -XX:AOTCacheOutput=*)
              echo training >>"%1$s/trainings"
              [ ! -e "%1$s/cannot-train" ] || exit 1
              echo cache >"${arg#*=}"
              exit ;;
            exit-with-6) exit 6 ;;
          esac
        done
        printf '[%%s]\\n' "$@"
        """
            .formatted(tools));
  }

  private void script(String name, String text) throws IOException {
    Path script = tools.resolve(name);
    Files.writeString(script, "#!/bin/sh\n" + text);
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  /** As if it had been checked out a while ago; a build must be seen to be younger. */
  private static void age(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.toList()) {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(60)));
      }
    }
  }

  private static Path launcher() {
    Path module = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
    return module.resolveSibling("hapax");
  }
}
