package dev.hapax.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Runs the chosen loads, prints the table and writes bench/results.json. */
public final class Bench {
  private static final List<Load> LOADS =
      List.of(
          new ThreeEffects(ThreeEffects.Kind.SQLITE, 1),
          new ThreeEffects(ThreeEffects.Kind.SQLITE, 32),
          new ThreeEffects(ThreeEffects.Kind.SQLITE, 256),
          new ThreeEffects(ThreeEffects.Kind.MEMORY, 256),
          new ThreeEffects(ThreeEffects.Kind.POSTGRES, 1),
          new ThreeEffects(ThreeEffects.Kind.POSTGRES, 32),
          new ThreeEffects(ThreeEffects.Kind.POSTGRES, 256),
          new DuplicateStarts(100_000, 32),
          new MillionRuns(1_000_000, 256),
          new ExpiringRuns(200_000, 256),
          new ReplayPlans(ThreeEffects.Kind.SQLITE, 100_000),
          new ReplayPlans(ThreeEffects.Kind.POSTGRES, 100_000),
          new Recovery(10_000),
          new WaitingRuns(1_000_000, 10_000),
          new ManyWaits(1_000),
          new ManyWaits(10_000),
          new LoopItems(10_000),
          new LimitedRuns(1_000, 256),
          new FlowFileRuns(256),
          new HttpSteps(256),
          new FlowCheck(200),
          new ServedRuns(ServedRuns.Deed.RUNS, 1),
          new ServedRuns(ServedRuns.Deed.RUNS, 32),
          new ServedRuns(ServedRuns.Deed.RUNS, 256),
          new ServedRuns(ServedRuns.Deed.DUPLICATES, 32),
          new ServedRuns(ServedRuns.Deed.WEBHOOKS, 256),
          new KafkaRuns(KafkaRuns.SQLITE),
          new KafkaRuns(KafkaRuns.POSTGRES),
          new ServerReady(),
          new Idle());

  /** Only by name: it runs for hours. */
  private static final Load SOAK = new Soak(300);

  private Bench() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 4 && args[0].equals(Recovery.CHILD)) {
      Recovery.live(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      return;
    }
    if (args.length == 4 && args[0].equals(WaitingRuns.CHILD)) {
      WaitingRuns.live(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      return;
    }
    if (args.length == 4 && args[0].equals(Soak.CHILD)) {
      Soak.live(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      return;
    }
    if (Arrays.stream(args).anyMatch(arg -> arg.equals("--help") || arg.equals("-h"))) {
      System.out.print(help());
      return;
    }
    for (String arg : args) {
      if (!arg.equals("bare")
          && !isMeant(SOAK, arg)
          && LOADS.stream().noneMatch(load -> isMeant(load, arg))) {
        System.err.printf("bench/run: '%s' is no load and no beginning of one%n%s", arg, help());
        System.exit(2);
      }
    }
    List<Load> chosen =
        Stream.concat(LOADS.stream(), Stream.of(SOAK))
            .filter(
                load ->
                    args.length == 0
                        ? !load.equals(SOAK)
                        : Arrays.stream(args).anyMatch(arg -> isMeant(load, arg)))
            .toList();
    System.exit(run(chosen) ? 0 : 1);
  }

  /** Matches the beginning of a load's name, or the full name of one of its figures. */
  private static boolean isMeant(Load load, String arg) {
    return load.name().startsWith(arg) || arg.startsWith(load.name() + ".");
  }

  private static String help() {
    var names = new StringBuilder();
    LOADS.forEach(load -> names.append("  ").append(load.name()).append('\n'));
    return """
        usage: bench/run [NAME...]

        Measures Hapax beside the bare limits of this machine, prints a table and writes bench/results.json:
        an object from figure to {value, unit, reference, ratio}. Without names all loads run, in less than
        10 minutes; NAME is a load, or how the names of some loads begin: bench/run three-effects duplicate

        loads:
          bare                    syncs, SQLite rows and commits per second without an engine; always measured
        %s  soak.sqlite.300         only by its name: 120 minutes, or as many as -Dsoak.minutes in BENCH_JAVA_OPTS says

        columns:
          reference   the figure of the same run that the value is compared with: the mean of the bare
                      single-row commits/s for runs/s, the time of four of them for p50, the empty store for 'million'
          ratio       value / reference
          reached     goal, target or MISSED

        Exit code: 0 all loads were measured, whatever they reached; 1 a load failed; 2 usage.
        """
        .formatted(names);
  }

  private static boolean run(List<Load> chosen) throws Exception {
    var failed = new ArrayList<String>();
    var report = new Report();
    try (var workspace = Workspace.make();
        var bareFolder = Workspace.make()) {
      var bareCommits = new BareCommits(bareFolder.folder());
      var loads = new ArrayList<Load>();
      loads.add(new BareLimits());
      loads.addAll(chosen);
      for (Load load : loads) {
        bareCommits.sample();
        System.err.printf("bench: %s%n", load.name());
        try {
          load.measure(workspace, report);
        } catch (Exception e) {
          failed.add(load.name());
          System.err.printf("bench: %s failed%n", load.name());
          e.printStackTrace();
        } finally {
          workspace.clear();
        }
      }
      bareCommits.sample();
      report.add(bareCommits.figure());
      report.print(System.out, bareCommits.mean());
      report.writeJson(Workspace.module().resolve("results.json"), bareCommits.mean());
    }
    failed.forEach(name -> System.out.println("FAILED: " + name));
    return failed.isEmpty();
  }
}
