package dev.hapax.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three PostgreSQL servers under Patroni and an etcd, on free ports of 127.0.0.1, with synchronous
 * replication that is always on. Needs root and Debian's packages, which it installs if they are
 * missing. For one thread.
 */
public final class PatroniCluster implements AutoCloseable {
  private static final int SIZE = 3;
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Pattern MEMBER =
      Pattern.compile("\\{\"name\": \"(n\\d)\", \"role\": \"([a-z_]+)\", \"state\": \"([a-z ]+)\"");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final Path bin;
  private final Process etcd;
  private final List<Member> members = new ArrayList<>();

  private static final class Member {
    private final String name;
    private final int port;
    private final int api;
    private Process patroni;

    Member(String name, int port, int api, Process patroni) {
      this.name = name;
      this.port = port;
      this.api = api;
      this.patroni = patroni;
    }
  }

  /** Returns why this machine cannot have a cluster; null if it can. */
  public static @Nullable String obstacle() {
    try {
      if (!"0".equals(Tool.run("id", "-u").said())) {
        return "only root can install Patroni and etcd";
      }
      if (!Tool.run("which", "patroni", "etcd").isDone()) {
        Tool.must("apt-get", "install", "-y", "-q", "patroni", "etcd-server");
      }
      return Files.isDirectory(Path.of("/usr/lib/postgresql"))
          ? null
          : "no PostgreSQL is installed";
    } catch (IOException e) {
      return "Patroni and etcd cannot be installed: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts a cluster with a leader and a synchronous standby. */
  public static PatroniCluster start() throws IOException, InterruptedException {
    var cluster = new PatroniCluster();
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "stop-patroni"));
    cluster.awaitSynchronous();
    return cluster;
  }

  private PatroniCluster() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("hapax-patroni");
    Tool.must("chown", "postgres", folder.toString());
    Tool.must("chmod", "755", folder.toString());
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      bin = versions.max(Comparator.naturalOrder()).orElseThrow().resolve("bin");
    }
    int client = freePort();
    int peer = freePort();
    etcd =
        run(
            "etcd",
            List.of(
                "etcd",
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=http://127.0.0.1:" + client,
                "--advertise-client-urls=http://127.0.0.1:" + client,
                "--listen-peer-urls=http://127.0.0.1:" + peer,
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peer,
                "--initial-cluster=default=http://127.0.0.1:" + peer));
    for (int number = 1; number <= SIZE; number++) {
      String name = "n" + number;
      int port = freePort();
      int api = freePort();
      Files.writeString(folder.resolve(name + ".yml"), settings(name, port, api, client));
      members.add(new Member(name, port, api, patroni(name)));
    }
  }

  private String settings(String name, int port, int api, int client) {
    return """
        scope: hapax
        name: %1$s
        restapi: {listen: 127.0.0.1:%3$d, connect_address: 127.0.0.1:%3$d}
        etcd3: {hosts: 127.0.0.1:%4$d}
        bootstrap:
          dcs: {ttl: 20, loop_wait: 5, retry_timeout: 5, maximum_lag_on_failover: 0, synchronous_mode: true, synchronous_mode_strict: true,
                postgresql: {use_pg_rewind: true, parameters: {wal_log_hints: "on"}}}
          initdb: [{encoding: UTF8}, {locale: C.UTF-8}, {auth: trust}]
          pg_hba: [local all all trust, host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
        postgresql: {listen: 127.0.0.1:%2$d, connect_address: 127.0.0.1:%2$d, data_dir: %5$s/%1$s, bin_dir: %6$s, pgpass: %5$s/%1$s.pgpass,
          authentication: {superuser: {username: postgres}, replication: {username: replicator}}, parameters: {unix_socket_directories: %5$s}}
        """
        .formatted(name, port, api, client, folder, bin);
  }

  private Process patroni(String name) throws IOException {
    return run(name, List.of("patroni", folder.resolve(name + ".yml").toString()));
  }

  private Process run(String name, List<String> command) throws IOException {
    List<String> whole =
        new ArrayList<>(
            List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"));
    whole.addAll(command);
    return new ProcessBuilder(whole)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()))
        .start();
  }

  /** Returns a JDBC address that leads to the current primary. */
  public String url() {
    String hosts =
        members.stream().map(member -> "127.0.0.1:" + member.port).collect(Collectors.joining(","));
    return "jdbc:postgresql://%s/postgres?user=postgres&targetServerType=primary&connectTimeout=1&socketTimeout=10&hostRecheckSeconds=1"
        .formatted(hosts);
  }

  /** Lets another member take over in good order. */
  public void switchOver() throws IOException, InterruptedException {
    Member leader = awaitSynchronous();
    String wish = "{\"leader\": \"%s\"}".formatted(leader.name);
    http.send(
        HttpRequest.newBuilder(api(leader, "switchover"))
            .POST(HttpRequest.BodyPublishers.ofString(wish))
            .build(),
        HttpResponse.BodyHandlers.ofString());
    awaitOther(leader);
  }

  /** Kills the leader's Patroni and its server. Another member takes over, and they come back. */
  public void killLeader() throws IOException, InterruptedException {
    Member leader = awaitSynchronous();
    Path pid = folder.resolve(leader.name).resolve("postmaster.pid");
    String server = Files.readAllLines(pid).getFirst().strip();
    leader.patroni.destroyForcibly().waitFor();
    Tool.must("kill", "-9", server);
    awaitOther(leader);
    leader.patroni = patroni(leader.name);
  }

  private void awaitOther(Member former) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      Member leader = leader("leader");
      if (leader != null && leader != former) {
        return;
      }
      pause(end, "nobody has taken over from " + former.name);
    }
  }

  /** Waits until the cluster has a leader and a synchronous standby. */
  public void awaitWhole() {
    awaitSynchronous();
  }

  private Member awaitSynchronous() {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      Member leader = leader("leader");
      if (leader != null && leader("sync_standby") != null) {
        return leader;
      }
      pause(end, "there is no leader with a synchronous standby; see the logs in " + folder);
    }
  }

  private static void pause(long end, String problem) {
    if (System.nanoTime() > end) {
      throw new IllegalStateException(problem);
    }
    LockSupport.parkNanos(LOOK.toNanos());
  }

  /** Returns the first working member with this role, according to any member that answers. */
  private @Nullable Member leader(String role) {
    for (Member asked : members) {
      Matcher found = MEMBER.matcher(state(asked));
      while (found.find()) {
        if (found.group(2).equals(role) && found.group(3).matches("running|streaming")) {
          String name = found.group(1);
          return members.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
        }
      }
    }
    return null;
  }

  private String state(Member asked) {
    try {
      return http.send(
              HttpRequest.newBuilder(api(asked, "cluster")).timeout(Duration.ofSeconds(2)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return ""; // it is not there
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static URI api(Member member, String path) {
    return URI.create("http://127.0.0.1:%d/%s".formatted(member.api, path));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Stops everything. Patroni stops its server when it ends. */
  @Override
  public void close() {
    members.forEach(member -> member.patroni.destroy());
    members.forEach(member -> member.patroni.onExit().join());
    etcd.destroy();
    etcd.onExit().join();
    try {
      Tool.run("rm", "-rf", folder.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
