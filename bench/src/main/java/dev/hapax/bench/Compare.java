package dev.hapax.bench;

import dev.hapax.testkit.fault.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Hapax beside its peers: the same work on the same machine, in turns. Prints the table and writes
 * bench/compare.json; the reference of a figure is the peer's.
 */
public final class Compare {
  private static final Map<String, String> SETTINGS =
      Map.of("shared_preload_libraries", "'pg_stat_statements'");

  private Compare() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 5 && args[0].equals(NodesOnOneServer.CHILD)) {
      NodesOnOneServer.live(
          args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
      return;
    }
    List<String> words = List.of(args);
    if (!List.of("quick", "dbos", "nodes", "restate").containsAll(words)) {
      System.out.print(help());
      System.exit(words.contains("--help") ? 0 : 2);
    }
    boolean isQuick = words.contains("quick");
    boolean isAll = words.stream().allMatch("quick"::equals);
    Rotation turns = isQuick ? Rotation.QUICK : Rotation.USUAL;
    var report = new Report();
    List<String> compared = new ArrayList<>();
    if (isAll || words.contains("dbos") || words.contains("nodes")) {
      try (var server = PostgresServer.start(PostgresServer.Durability.FULL, SETTINGS)) {
        if (isAll || words.contains("dbos")) {
          new BesideDbos(server, turns, report).measure();
          new HttpBesideDbos(server, turns, report).measure();
          compared.add(
              "compared with DBOS Transact %s on PostgreSQL %s"
                  .formatted(DbosContender.version(), ServerWork.version(server.newDatabase())));
        }
        if (isAll || words.contains("nodes")) {
          new NodesOnOneServer(server, report, turns.warmUp(), turns.time().multipliedBy(4))
              .measure();
        }
      }
    }
    boolean wantsRestate = isAll || words.contains("restate");
    Path restate = RestateProcess.installed().orElse(null);
    if (wantsRestate && restate != null) {
      try (var workspace = Workspace.make()) {
        new BesideRestate(restate, turns, report).measure(workspace);
      }
      compared.add("compared with " + RestateProcess.version(restate));
    } else if (wantsRestate) {
      compared.add(
          "LEFT OUT: restate, because no restate-server is named by RESTATE_SERVER, is below"
              + " bench/node_modules or is on the path; see docs/operate/compare.md");
    }
    report.print(System.out, 0);
    compared.forEach(System.out::println);
    report.writeJson(Workspace.module().resolve("compare.json"), 0);
    System.exit(0); // a peer may have left threads
  }

  private static String help() {
    return """
        usage: bench/compare [quick] [dbos] [nodes] [restate]

        Runs the same work with Hapax and with its peers on this machine, in turns, prints a table and writes
        bench/compare.json: an object from figure to {value, unit, reference, ratio}, where the reference is the
        peer's figure. Without a name all of them are compared, in about nine minutes; quick measures for a
        shorter time, about four. The build before it is not counted.

          dbos      DBOS Transact for Java, on a PostgreSQL server of its own (fsync and synchronous_commit on);
                    steps that answer at once, and three HTTP steps to a separate process (three-http.postgres);
                    BENCH_JAVA_OPTS=-Ddbos.pool=20 gives DBOS a pool of 20 connections instead of its 10
          nodes     one, two and three nodes of Hapax on that server; the reference is one node
          restate   Restate over HTTP, beside Hapax's server; left out where no restate-server is found;
                    steps that answer at once, and three HTTP steps to a separate process (three-http.server)

        """;
  }
}
