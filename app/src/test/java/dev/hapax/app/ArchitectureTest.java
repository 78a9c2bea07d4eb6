package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages are one-way, and time, chance, threads and SQL stay where they belong. */
class ArchitectureTest {
  private static final PackageTable TABLE = PackageTable.HAPAX;
  private static final String PAGE = "docs/architecture/packages.md";

  private static final Set<String> SQL_PACKAGES =
      Set.of(
          "dev.hapax.store.jdbc",
          "dev.hapax.store.sqlite",
          "dev.hapax.store.postgres",
          "dev.hapax.store.destination");

  /** What of SQL the public Java API names. */
  private static final Map<String, Set<String>> SQL_TYPES_BESIDES =
      Map.of(
          "dev.hapax", Set.of("java.sql.Connection", "javax.sql.DataSource"),
          "dev.hapax.store", Set.of("java.sql.Connection", "javax.sql.DataSource"),
          "dev.hapax.app", Set.of("javax.sql.DataSource"), // a host's own
          "dev.hapax.testkit.memory", Set.of("java.sql.Connection")); // passes the port's calls on

  /**
   * Classes that start threads beside the guard of a server: they hand it the system's ports or its
   * shutdown, their pool replaces a thread that dies, or the one that waits for the thread hears
   * it.
   */
  private static final Set<String> OTHER_STARTERS =
      Set.of(
          "Extras",
          "DevServer",
          "DevVerb",
          "ServeVerb",
          "CompileThreads",
          "AttemptBudget",
          "Deadlines",
          "NameLookup");

  private static final JavaClasses OURS = OurClasses.all();

  @Test
  void a_package_imports_only_what_its_row_allows() {
    ArchitectureRules.importsFollow(TABLE).check(OURS);
  }

  @Test
  void a_row_allows_only_imports_that_its_package_has() {
    assertThat(ArchitectureRules.unusedImports(TABLE, OURS)).isEmpty();
  }

  @Test
  void packages_have_no_cycles() {
    ArchitectureRules.noPackageCycles().check(OURS);
  }

  @Test
  void sql_stays_in_the_store() {
    ArchitectureRules.sqlOnlyIn(SQL_PACKAGES, SQL_TYPES_BESIDES).check(OURS);
  }

  @Test
  void time_chance_and_threads_come_through_their_ports() {
    var packages = new TreeSet<>(TABLE.packagesOf("core", "store", "flows"));
    packages.remove("dev.hapax.time");

    ArchitectureRules.noClockChanceOrThreadsIn(packages).check(OURS);
  }

  @Test
  void a_server_starts_its_threads_under_the_guard() {
    var packages = new TreeSet<>(TABLE.packagesOf("app", "flows"));
    packages.removeIf(name -> name.startsWith("dev.hapax.app.cli")); // no server: one command
    packages.remove("dev.hapax.app.demo"); // the systems around the server

    ArchitectureRules.threadsOnlyIn(packages, OTHER_STARTERS).check(OURS);
  }

  @Test
  void every_package_is_null_marked() {
    ArchitectureRules.everyPackageIsNullMarked().check(OURS);
  }

  @Test
  void the_table_of_the_page_of_packages_agrees_with_the_rules() throws IOException {
    Map<String, Set<String>> page = TABLE.readMarkdown(Files.readString(pageOfPackages()));

    page.forEach(
        (name, imports) ->
            assertThat(imports)
                .as("what %s may import, in " + PAGE, name)
                .isEqualTo(TABLE.importsOf(name)));
    assertThat(page.keySet()).as("rows of " + PAGE).isEqualTo(packagesWithClasses());
    assertThat(TABLE.rows().keySet()).isEqualTo(packagesWithClasses());
  }

  // The test of the test: each rule is seen to fail on fixtures that break it.

  private static final JavaClasses FIXTURES =
      new ClassFileImporter().importPackages("dev.hapax.archfixture");

  private static final PackageTable FIXTURE_TABLE =
      PackageTable.of(
          PackageTable.row("fixture", "dev.hapax.archfixture.upper", "lower"),
          PackageTable.row("fixture", "dev.hapax.archfixture.lower", "none"),
          PackageTable.row("fixture", "dev.hapax.archfixture.ring", "upper, lower"),
          PackageTable.row("fixture", "dev.hapax.archfixture.hasty", "none"));

  @Test
  void an_import_against_the_direction_is_reported() {
    assertThat(problems(ArchitectureRules.importsFollow(FIXTURE_TABLE)))
        .isNotEmpty()
        .allMatch(
            problem ->
                problem.startsWith(
                    "dev.hapax.archfixture.lower may not import dev.hapax.archfixture.upper"));
  }

  @Test
  void a_package_without_a_row_is_reported() {
    assertThat(problems(ArchitectureRules.importsFollow(PackageTable.HAPAX)))
        .anyMatch(problem -> problem.contains("Upper is in package dev.hapax.archfixture.upper"));
  }

  @Test
  void an_import_that_no_class_uses_is_reported() {
    var table =
        PackageTable.of(
            PackageTable.row("fixture", "dev.hapax.archfixture.upper", "lower, hasty"),
            PackageTable.row("fixture", "dev.hapax.archfixture.lower", "none"),
            PackageTable.row("fixture", "dev.hapax.archfixture.hasty", "none"));

    assertThat(ArchitectureRules.unusedImports(table, FIXTURES))
        .containsExactly("dev.hapax.archfixture.upper may import hasty, and does not");
  }

  @Test
  void a_cycle_is_reported() {
    assertThat(problems(ArchitectureRules.noPackageCycles()))
        .anyMatch(problem -> problem.startsWith("Cycle detected"));
  }

  @Test
  void sql_outside_the_store_is_reported() {
    assertThat(problems(ArchitectureRules.sqlOnlyIn(SQL_PACKAGES, SQL_TYPES_BESIDES)))
        .anyMatch(problem -> problem.contains("java.sql.Connection"));
  }

  @Test
  void sql_types_are_allowed_where_they_are_listed() {
    var besides = Map.of("dev.hapax.archfixture.hasty", Set.of("java.sql.Connection"));

    assertThat(problems(ArchitectureRules.sqlOnlyIn(SQL_PACKAGES, besides))).isEmpty();
  }

  @Test
  void every_way_around_the_ports_is_reported() {
    List<String> problems =
        problems(ArchitectureRules.noClockChanceOrThreadsIn(Set.of("dev.hapax.archfixture.hasty")));

    assertThat(
            List.of(
                "Instant.now",
                "System.currentTimeMillis",
                "System.nanoTime",
                "Math.random",
                "UUID.randomUUID",
                "Random.<init>",
                "ThreadLocalRandom.current",
                "Thread.<init>",
                "Thread.ofVirtual",
                "Thread.ofPlatform",
                "Thread.startVirtualThread",
                "Thread.sleep",
                "Executors.newCachedThreadPool",
                "CompletableFuture.supplyAsync",
                "List.parallelStream"))
        .allSatisfy(call -> assertThat(problems).anyMatch(problem -> problem.contains(call)));
  }

  @Test
  void a_thread_beside_the_guard_is_reported() {
    Set<String> hasty = Set.of("dev.hapax.archfixture.hasty");

    assertThat(problems(ArchitectureRules.threadsOnlyIn(hasty, Set.of())))
        .anyMatch(problem -> problem.contains("Thread.ofVirtual"))
        .anyMatch(problem -> problem.contains("Executors.newCachedThreadPool"));
  }

  @Test
  void a_reference_to_a_banned_method_is_reported_like_a_call() {
    assertThat(
            problems(
                ArchitectureRules.noClockChanceOrThreadsIn(Set.of("dev.hapax.archfixture.hasty"))))
        .anyMatch(problem -> problem.contains("references") && problem.contains("Instant.now"));
  }

  @Test
  void a_package_that_is_not_null_marked_is_reported() {
    assertThat(problems(ArchitectureRules.everyPackageIsNullMarked()))
        .anyMatch(problem -> problem.startsWith("dev.hapax.archfixture.upper has no package-info"));
  }

  @Test
  void a_page_that_differs_from_the_rules_is_seen() {
    var page =
        TABLE.readMarkdown(
            """
            | package | holds | imports |
            |---|---|---|
            | `dev.hapax` | the door | all of core |
            | `dev.hapax.run` | what is written down | `flow`, engine |
            | `dev.hapax.store` | the port | flow, run.*, time |
            | `dev.hapax.time` | the ports | flow |
            | `dev.hapax.store.sqlite` | SQLite | core, jdbc |
            """);

    assertThat(page.get("dev.hapax.run"))
        .contains("dev.hapax.flow", "dev.hapax.engine")
        .isNotEqualTo(TABLE.importsOf("dev.hapax.run"));
    assertThat(page)
        .containsEntry("dev.hapax", TABLE.importsOf("dev.hapax"))
        .containsEntry("dev.hapax.store", TABLE.importsOf("dev.hapax.store"))
        .containsEntry("dev.hapax.time", TABLE.importsOf("dev.hapax.time"))
        .containsEntry("dev.hapax.store.sqlite", TABLE.importsOf("dev.hapax.store.sqlite"));
  }

  @Test
  void a_page_with_an_unknown_package_is_refused() {
    assertThatThrownBy(() -> TABLE.readMarkdown("| `dev.hapax.util` | things | none |"))
        .hasMessage("'dev.hapax.util' has no row in PackageTable.HAPAX");
    assertThatThrownBy(() -> TABLE.readMarkdown("| `dev.hapax.run` | runs | util |"))
        .hasMessage("dev.hapax.run imports 'util', which is no package of the table");
    assertThatThrownBy(() -> TABLE.readMarkdown("| `dev.hapax.run`, `.flow` | runs | none |"))
        .hasMessageStartingWith("expected '| `dev.hapax.x` | holds | imports |'");
  }

  private static List<String> problems(ArchRule rule) {
    return rule.evaluate(FIXTURES).getFailureReport().getDetails();
  }

  private static Set<String> packagesWithClasses() {
    var names = new TreeSet<String>();
    for (JavaClass type : OURS) {
      names.add(type.getPackageName());
    }
    return names;
  }

  /** Surefire names the folder of the module; an IDE starts in it or in the root. */
  private static Path pageOfPackages() {
    Path module = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
    Path below = module.resolve(PAGE);
    return Files.exists(below) ? below : module.resolveSibling(PAGE);
  }
}
