package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Every jar lists what it needs, needs no more than it uses, and nothing that is known to be bad.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SupplyChainTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
  private static final Path JAR = BASE.resolve("target/hapax.jar");
  private static final Path LIST = BASE.resolve("../.ci/vulnerable-versions.txt").normalize();
  private static final String PROGRAM = "hapax-app";

  /** Parts that each jar needs, by its name; of the program a few. */
  private static final Map<String, List<String>> NEEDED =
      Map.of(
          PROGRAM,
          List.of("dev.hapax:hapax-core", "io.javalin:javalin", "org.xerial:sqlite-jdbc"),
          "hapax-core",
          List.of("org.slf4j:slf4j-api", "tools.jackson.core:jackson-databind"),
          "hapax-store",
          List.of("dev.hapax:hapax-core", "org.xerial:sqlite-jdbc", "org.postgresql:postgresql"),
          "hapax-flows",
          List.of("dev.hapax:hapax-core", "dev.cel:runtime", "org.snakeyaml:snakeyaml-engine"),
          "hapax-testkit",
          List.of("dev.hapax:hapax-core", "org.assertj:assertj-core"),
          "hapax-connector-kafka",
          List.of("org.apache.kafka:kafka-clients", "com.github.luben:zstd-jni"),
          "hapax-connector-rabbitmq",
          List.of("com.rabbitmq:amqp-client"),
          "hapax-trial",
          List.of("dev.hapax:hapax-core", "dev.hapax:hapax-flows", "dev.hapax:hapax-testkit"));

  private static final Pattern UNUSED_JETTY =
      Pattern.compile(
          "websocket|jndi|webapp|cdi|jetty-(plus|xml|annotations|ee10-plus|ee10-annotations|client)");
  private static final Pattern UNUSED_MAIL =
      Pattern.compile("org.eclipse.angus:(angus-mail|jakarta.mail|imap|pop3|smtp)$");

  /** The jars of all modules that others use, by their names. */
  private static Map<String, Path> jars() throws IOException {
    var jars = new TreeMap<String, Path>();
    for (String name : NEEDED.keySet()) {
      jars.put(name, name.equals(PROGRAM) ? JAR : library(name));
    }
    return jars;
  }

  private static Path library(String name) throws IOException {
    String module = name.substring("hapax-".length()).replace("connector-", "connectors/");
    Path folder = BASE.resolve("../" + module + "/target").normalize();
    Pattern file = Pattern.compile(name + "-[0-9.]+(-SNAPSHOT)?\\.jar");
    List<Path> found = List.of();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        found = files.filter(one -> file.matcher(one.getFileName().toString()).matches()).toList();
      }
    }
    assumeTrue(
        !found.isEmpty(),
        () -> "could not run: %s has no jar of %s; 'mvn verify' makes it".formatted(folder, name));
    assertThat(found).as("jars of " + name).hasSize(1);
    return found.getFirst();
  }

  private static String placeOf(String name) {
    return "META-INF/sbom/%s.cdx.json".formatted(name);
  }

  /** The lists in all jars; each has one, unless all were built offline. */
  private static Map<String, JsonNode> sboms() throws IOException {
    assumeTrue(
        Files.exists(JAR), () -> "could not run: there is no " + JAR + "; 'mvn verify' makes it");
    var lists = new TreeMap<String, JsonNode>();
    for (var jar : jars().entrySet()) {
      try (var opened = new JarFile(jar.getValue().toFile())) {
        ZipEntry entry = opened.getEntry(placeOf(jar.getKey()));
        if (entry != null) {
          byte[] text = opened.getInputStream(entry).readAllBytes();
          lists.put(jar.getKey(), Json.tree(new String(text, StandardCharsets.UTF_8)));
        }
      }
    }
    assumeTrue(
        !lists.isEmpty(),
        "could not run: the jars were built with 'mvn -o', and CycloneDX lists nothing offline");
    assertThat(lists.keySet()).as("jars with a list").isEqualTo(NEEDED.keySet());
    return lists;
  }

  /** The versions of all components, by group and name. */
  private static Map<String, String> components(JsonNode sbom) {
    var versions = new TreeMap<String, String>();
    for (JsonNode one : sbom.path("components")) {
      versions.put(
          one.path("group").asString() + ":" + one.path("name").asString(),
          one.path("version").asString());
    }
    return versions;
  }

  @Test
  @Tag("server") // when the jars are there
  void every_jar_lists_its_parts_and_is_the_same_in_every_build() throws IOException {
    sboms()
        .forEach(
            (name, sbom) -> {
              assertThat(sbom.path("bomFormat").asString()).isEqualTo("CycloneDX");
              assertThat(sbom.at("/metadata/component/name").asString()).isEqualTo(name);
              assertThat(sbom.has("serialNumber")).as("random").isFalse();
              assertThat(sbom.at("/metadata/timestamp").asString())
                  .as("the time of the build")
                  .isIn("", "2026-11-15T00:00:00Z");
              assertThat(sbom.toString())
                  .as("a path of this machine")
                  .doesNotContain(BASE.resolve("..").normalize().toString());
              assertThat(components(sbom))
                  .containsKeys(NEEDED.getOrDefault(name, List.of()).toArray(String[]::new));
              for (JsonNode component : sbom.path("components")) {
                assertThat(component.path("hashes").size()).as(component.toString()).isNotZero();
              }
            });
  }

  /** Also a build without the network, which makes no list. */
  @Test
  @Tag("server")
  void no_manifest_names_a_list_that_is_not_there() throws IOException {
    assumeTrue(
        Files.exists(JAR), () -> "could not run: there is no " + JAR + "; 'mvn verify' makes it");
    for (var jar : jars().entrySet()) {
      try (var opened = new JarFile(jar.getValue().toFile())) {
        String named = opened.getManifest().getMainAttributes().getValue("Sbom-Location");
        assertThat(named == null || opened.getEntry(named) != null)
            .as("%s names %s", jar.getKey(), named)
            .isTrue();
      }
    }
  }

  @Test
  @Tag("server")
  void the_jar_has_no_parts_of_jetty_and_mail_that_nothing_uses() throws IOException {
    JsonNode program = Objects.requireNonNull(sboms().get(PROGRAM));
    assertThat(components(program).keySet())
        .noneMatch(UNUSED_JETTY.asPredicate())
        .noneMatch(UNUSED_MAIL.asPredicate());
    try (var jar = new JarFile(JAR.toFile());
        Stream<String> names = jar.stream().map(entry -> entry.getName())) {
      assertThat(names.filter(name -> name.endsWith(".class")))
          .noneMatch(name -> name.contains("/websocket/") && name.startsWith("org/eclipse/jetty/"))
          .noneMatch(name -> name.startsWith("org/eclipse/angus/mail/imap"))
          .noneMatch(name -> name.startsWith("org/eclipse/angus/mail/pop3"));
    }
  }

  @Test
  @Tag("server")
  void no_part_is_known_to_be_vulnerable() throws IOException {
    assumeTrue(Files.exists(LIST), () -> "could not run: there is no " + LIST);
    VulnerableVersions list = VulnerableVersions.read(Files.readString(LIST));
    var components = new TreeMap<String, String>(); // all versions of each
    sboms()
        .values()
        .forEach(
            sbom ->
                components(sbom)
                    .forEach((name, version) -> components.put(name + " " + version, version)));
    List<String> found = new ArrayList<>();
    components.forEach(
        (part, version) ->
            list.about(part.substring(0, part.indexOf(' ')), version)
                .forEach(bad -> found.add(part + ": " + bad.advisory())));

    assertThat(found).isEmpty();
    System.out.printf(
        "%d parts of all jars compared with %d known vulnerabilities as of %s; later ones are not"
            + " known here%n",
        components.size(), list.entries().size(), list.asOf());
  }

  @Test
  void a_bad_version_is_found_by_its_numbers() throws IOException {
    VulnerableVersions list = VulnerableVersions.read(Files.readString(LIST));

    assertThat(list.about("org.xerial:sqlite-jdbc", "3.41.2.1")).hasSize(1);
    assertThat(list.about("org.xerial:sqlite-jdbc", "3.41.2.2")).isEmpty();
    assertThat(list.about("org.xerial:sqlite-jdbc", "3.5.0")).isEmpty();
    assertThat(list.about("org.xerial:another", "3.41.2.1")).isEmpty();
    assertThat(list.about("org.postgresql:postgresql", "42.7.4"))
        .extracting(VulnerableVersions.Entry::advisory)
        .containsExactly("CVE-2025-49146", "CVE-2026-42198");
    assertThat(list.about("com.google.guava:guava", "31.1-jre")).hasSize(1);
    assertThat(VulnerableVersions.compare("1.10", "1.9")).isPositive();
    assertThat(VulnerableVersions.compare("2.0", "2")).isZero();
    assertThatThrownBy(() -> VulnerableVersions.read("as of 2026-01-01\na:b | 1.0 | X"))
        .hasMessageContaining("got 'a:b | 1.0 | X'");
    assertThatThrownBy(() -> VulnerableVersions.read("a:b | <1.0 | X"))
        .hasMessageContaining("as of");
  }
}
