package dev.hapax.app;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The main classes of all modules, for the rules about them. */
final class OurClasses {
  /** The program loads them from a folder, so they are not on the class path. */
  private static final List<String> CONNECTORS = List.of("kafka", "rabbitmq");

  private OurClasses() {}

  /** Read once, because that takes seconds. */
  private static final class Read {
    private static final JavaClasses ALL = read();
  }

  static JavaClasses all() {
    return Read.ALL;
  }

  private static JavaClasses read() {
    Set<Location> places = new HashSet<>(Locations.ofPackage("dev.hapax"));
    for (String connector : CONNECTORS) {
      places.add(Location.of(classesOf(connector)));
    }
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importLocations(places);
  }

  private static Path classesOf(String connector) {
    Path classes =
        repository().resolve("connectors").resolve(connector).resolve("target/classes/dev");
    if (!Files.isDirectory(classes)) {
      throw new IllegalStateException("%s is not built: add -am".formatted(classes));
    }
    return classes;
  }

  /** Surefire names the folder of the module; an IDE starts in the root. */
  static Path repository() {
    return Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("");
  }
}
