package dev.hapax.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rules of {@link ArchitectureTest}, built from data so that they can be tried on fixtures. */
final class ArchitectureRules {
  private ArchitectureRules() {}

  /** Each package imports only what its row of the table allows. */
  static ArchRule importsFollow(PackageTable table) {
    return classes()
        .that(are("classes of ours", ArchitectureRules::isOurs))
        .should(
            hold(
                "import only what the table allows",
                (type, problems) -> {
                  if (!table.holds(type.getPackageName())) {
                    problems.accept(
                        "%s is in package %s, which has no row in the table"
                            .formatted(type.getName(), type.getPackageName()));
                    return;
                  }
                  Set<String> allowed = table.importsOf(type.getPackageName());
                  for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    String there = target.getPackageName();
                    if (isOurs(target)
                        && !there.equals(type.getPackageName())
                        && !allowed.contains(there)) {
                      problems.accept(
                          "%s may not import %s: %s"
                              .formatted(
                                  type.getPackageName(), there, dependency.getDescription()));
                    }
                  }
                }));
  }

  /** What rows of the table allow although no class of their package uses it. */
  static List<String> unusedImports(PackageTable table, JavaClasses classes) {
    var used = new TreeMap<String, Set<String>>();
    for (JavaClass type : classes) {
      Set<String> imports = used.computeIfAbsent(type.getPackageName(), _ -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        imports.add(dependency.getTargetClass().getBaseComponentType().getPackageName());
      }
    }
    var unused = new ArrayList<String>();
    for (PackageTable.Row row : table.rows().values()) {
      for (String word : row.imports()) {
        Set<String> meant = new TreeSet<>(table.packagesMeantBy(word, row.name()));
        meant.remove(row.name());
        if (!meant.isEmpty()
            && Collections.disjoint(used.getOrDefault(row.name(), Set.of()), meant)) {
          unused.add("%s may import %s, and does not".formatted(row.name(), word));
        }
      }
    }
    return unused;
  }

  static ArchRule noPackageCycles() {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return isOurs(type)
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "packages of ours";
              }
            })
        .should()
        .beFreeOfCycles();
  }

  /** SQL stays in the given packages; the others may name only the types listed for them. */
  static ArchRule sqlOnlyIn(Set<String> packages, Map<String, Set<String>> typesBesides) {
    return classes()
        .that(are("outside the store", type -> !packages.contains(type.getPackageName())))
        .should(
            hold(
                "not use java.sql",
                (type, problems) -> {
                  Set<String> allowed = typesBesides.getOrDefault(type.getPackageName(), Set.of());
                  for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (isSql(target) && !allowed.contains(target.getName())) {
                      problems.accept(dependency.getDescription());
                    }
                  }
                }));
  }

  /** Time, chance and threads come through the ports, or a simulation could not replay them. */
  static ArchRule noClockChanceOrThreadsIn(Set<String> packages) {
    return classes()
        .that(are("held to the ports", type -> packages.contains(type.getPackageName())))
        .should(
            hold(
                "take time, chance and threads from the ports of dev.hapax.time",
                (type, problems) -> {
                  for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                    if (BANNED.stream().anyMatch(ban -> ban.meets(access.getTarget()))) {
                      problems.accept(access.getDescription());
                    }
                  }
                }));
  }

  /**
   * A thread that is started beside the guard can die in silence. Only these classes may start one,
   * or take the system's ports.
   */
  static ArchRule threadsOnlyIn(Set<String> packages, Set<String> types) {
    return classes()
        .that(
            are(
                "served by the guard",
                type ->
                    packages.contains(type.getPackageName())
                        && !types.contains(outermost(type).getSimpleName())))
        .should(
            hold(
                "start threads with the ports of the server, whose guard reports their death",
                (type, problems) -> {
                  for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                    if (THREADS.stream().anyMatch(ban -> ban.meets(access.getTarget()))) {
                      problems.accept(access.getDescription());
                    }
                  }
                }));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureRules::outermost).orElse(type);
  }

  static ArchRule everyPackageIsNullMarked() {
    return classes()
        .that(are("classes of ours", ArchitectureRules::isOurs))
        .should(
            hold(
                "be in a package that is @NullMarked",
                (type, problems) -> {
                  if (!type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")) {
                    problems.accept(
                        type.getPackageName() + " has no package-info.java with @NullMarked");
                  }
                }));
  }

  /** A call that is refused: a member, by a pattern over its name, of a type or its subtypes. */
  private record Ban(String owner, Pattern member) {
    boolean meets(AccessTarget target) {
      return member.matcher(target.getName()).matches() && target.getOwner().isAssignableTo(owner);
    }
  }

  private static Ban ban(String owner, String member) {
    return new Ban(owner, Pattern.compile(member));
  }

  private static final String CONSTRUCTOR = "<init>";
  private static final String ANY = ".*";

  private static final List<Ban> THREADS =
      List.of(
          ban("dev.hapax.time.Ports", "system"),
          ban("java.lang.Thread", CONSTRUCTOR + "|ofVirtual|ofPlatform|startVirtualThread"),
          ban("java.util.Timer", CONSTRUCTOR),
          ban("java.util.concurrent.Executors", ANY),
          ban("java.util.concurrent.ThreadPoolExecutor", CONSTRUCTOR),
          ban("java.util.concurrent.ForkJoinPool", CONSTRUCTOR + "|commonPool"),
          ban("java.util.concurrent.CompletableFuture", ".*Async|delayedExecutor"),
          ban("java.util.concurrent.CompletionStage", ".*Async"),
          ban("java.util.Collection", "parallelStream"),
          ban("java.util.stream.BaseStream", "parallel"));

  private static final List<Ban> BANNED =
      List.of(
          ban("java.lang.System", "currentTimeMillis|nanoTime"),
          ban("java.time.Clock", "system.*|tick.*"),
          ban("java.time.Instant", "now"),
          ban("java.time.LocalDate", "now"),
          ban("java.time.LocalDateTime", "now"),
          ban("java.time.LocalTime", "now"),
          ban("java.time.OffsetDateTime", "now"),
          ban("java.time.ZonedDateTime", "now"),
          ban("java.util.Date", CONSTRUCTOR),
          ban("java.lang.Math", "random"),
          ban("java.lang.StrictMath", "random"),
          ban("java.util.UUID", "randomUUID"),
          ban("java.util.Random", CONSTRUCTOR),
          ban("java.util.SplittableRandom", CONSTRUCTOR),
          ban("java.util.concurrent.ThreadLocalRandom", ANY),
          ban("java.security.SecureRandom", "getInstance.*"),
          ban("java.util.random.RandomGenerator", "of|getDefault"),
          ban("java.util.Collections", "shuffle"),
          ban(
              "java.lang.Thread",
              CONSTRUCTOR + "|ofVirtual|ofPlatform|startVirtualThread|sleep|onSpinWait"),
          ban("java.util.Timer", CONSTRUCTOR),
          ban("java.util.concurrent.TimeUnit", "sleep"),
          ban("java.util.concurrent.Executors", ANY),
          ban("java.util.concurrent.ThreadPoolExecutor", CONSTRUCTOR),
          ban("java.util.concurrent.ForkJoinPool", CONSTRUCTOR + "|commonPool"),
          ban("java.util.concurrent.CompletableFuture", ".*Async|delayedExecutor"),
          ban("java.util.concurrent.CompletionStage", ".*Async"),
          ban("java.util.Collection", "parallelStream"),
          ban("java.util.stream.BaseStream", "parallel"));

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith("dev.hapax.");
  }

  private static boolean isSql(JavaClass type) {
    String name = type.getPackageName() + ".";
    return name.startsWith("java.sql.") || name.startsWith("javax.sql.");
  }

  private interface Check {
    void look(JavaClass type, Consumer<String> problems);
  }

  private static ArchCondition<JavaClass> hold(String description, Check check) {
    return new ArchCondition<>(description) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        check.look(type, problem -> events.add(SimpleConditionEvent.violated(type, problem)));
      }
    };
  }

  private static DescribedPredicate<JavaClass> are(
      String description, Predicate<JavaClass> predicate) {
    return DescribedPredicate.describe(description, predicate);
  }
}
