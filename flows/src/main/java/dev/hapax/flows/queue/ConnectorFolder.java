package dev.hapax.flows.queue;

import dev.hapax.flow.NotApplied;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client libraries of brokers, which are not in the program's jar: in the folder {@code
 * connectors/<kind>} of the distribution, or in the modules of a checkout. Each kind has a class
 * loader of its own, so its libraries cannot disturb others, and cost nothing until they are used.
 */
final class ConnectorFolder {
  /** The kinds that need a library. */
  static final Set<String> KINDS = Set.of("kafka", "rabbitmq");

  /** Says where to look, instead of the places around the program. */
  private static final String PROPERTY = "hapax.connectors";

  private static final Map<String, QueueBroker.Provider> PROVIDERS = new ConcurrentHashMap<>();

  private ConnectorFolder() {}

  /**
   * Returns the provider of a kind; it is loaded once in this process.
   *
   * @throws NotApplied if it is not installed
   */
  static QueueBroker.Provider provider(String kind) {
    return PROVIDERS.computeIfAbsent(kind, ConnectorFolder::load);
  }

  private static QueueBroker.Provider load(String kind) {
    List<Path> places = places();
    List<URL> urls =
        places.stream()
            .map(place -> urls(place.resolve(kind)))
            .filter(found -> !found.isEmpty())
            .findFirst()
            .orElse(List.of());
    if (urls.isEmpty()) {
      throw new NotApplied(
          "this server has no client library for connections of kind %s: folder %s is missing. Copy connectors/%s of the distribution there, or start Java with -D%s=<the folder connectors>"
              .formatted(
                  kind,
                  String.join(
                      " or ", places.stream().map(one -> one.resolve(kind).toString()).toList()),
                  kind,
                  PROPERTY));
    }
    var loader =
        new URLClassLoader(
            "connector-" + kind,
            urls.toArray(URL[]::new),
            ConnectorFolder.class.getClassLoader()); // stays open as long as the process
    try {
      return ServiceLoader.load(QueueBroker.Provider.class, loader).stream()
          .filter(provider -> loader.equals(provider.type().getClassLoader()))
          .map(ServiceLoader.Provider::get)
          .findFirst()
          .orElseThrow(() -> unusable(kind, urls, null));
    } catch (ServiceConfigurationError | LinkageError e) {
      throw unusable(kind, urls, e);
    }
  }

  private static NotApplied unusable(String kind, List<URL> urls, @Nullable Throwable why) {
    return new NotApplied(
        "the client library for connections of kind %s cannot be used: the jars beside %s do not belong to this version. Replace them by connectors/%s of its distribution"
            .formatted(kind, urls.getFirst(), kind),
        why);
  }

  /** Returns where connectors may lie, the first that has one wins. */
  private static List<Path> places() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return List.of(Path.of(given).toAbsolutePath());
    }
    Path program = program();
    if (program == null) {
      return List.of(Path.of("connectors").toAbsolutePath());
    }
    Path parent = program.getParent();
    Path folder = parent == null ? program : parent;
    return List.of(
        folder.resolve("connectors"), // beside the jar
        folder.resolve("../connectors").normalize(), // the distribution has the jar in lib
        folder.resolve("../../connectors").normalize()); // a checkout has it in app/target
  }

  private static @Nullable Path program() {
    CodeSource source = ConnectorFolder.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return null;
    }
    try {
      return Path.of(source.getLocation().toURI()).toAbsolutePath();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the jars in the folder of a kind, or what the build of its module made. */
  private static List<URL> urls(Path folder) {
    var found = new ArrayList<Path>(jars(folder));
    Path classes = folder.resolve("target/classes");
    if (found.isEmpty() && Files.isDirectory(classes)) {
      found.add(classes);
      found.addAll(jars(folder.resolve("target/libraries")));
    }
    return found.stream().map(ConnectorFolder::url).toList();
  }

  /** The connector's own jar comes first: it may replace a class of a library. */
  private static List<Path> jars(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".jar"))
          .sorted(
              Comparator.<Path, Boolean>comparing(
                      file -> !file.getFileName().toString().startsWith("hapax-"))
                  .thenComparing(Path::toString))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
