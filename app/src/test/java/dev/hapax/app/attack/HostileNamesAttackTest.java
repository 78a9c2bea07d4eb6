package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ClosedAddresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names that lead to closed addresses, and names that change their address. The environment of the
 * server is hostile, too: it names proxies, hosts and password files of the server's user.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class HostileNamesAttackTest {
  private static final String FLIPPING = "flipping.attack.example";
  private static final String STOLEN = "password-of-the-servers-user";

  @TempDir private static Path folder;
  private static Path hosts;
  private static ServerProcess server;
  private static WaysOut ways;
  private static HostileServer proxy;

  @BeforeAll
  static void start() throws Exception {
    hosts = folder.resolve("hosts");
    write("127.0.0.1");
    proxy =
        new HostileServer(
            (trap, client) -> {
              trap.count("reached");
              HostileServer.silence(client, "");
            });
    server = new ServerProcess(folder, environment(), options());
    ways = new WaysOut(server);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    ways.close();
    proxy.close();
  }

  /** The file with all names, and the address that the flipping one has now. */
  private static void write(String flipped) throws IOException {
    var text = new StringBuilder();
    ClosedAddresses.names()
        .forEach(
            (name, addresses) ->
                addresses.forEach(one -> text.append(one).append(' ').append(name).append('\n')));
    text.append(flipped).append(' ').append(FLIPPING).append('\n');
    Path next = folder.resolve("hosts.next");
    Files.writeString(next, text);
    Files.move(next, hosts, StandardCopyOption.ATOMIC_MOVE);
  }

  private static List<String> options() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path passwords = home.resolve(".pgpass");
    Files.writeString(passwords, "*:*:*:*:" + STOLEN + "\n");
    Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
    return List.of(
        "-Xmx256m",
        "-Djdk.net.hosts.file=" + hosts,
        "-Dsun.net.inetaddr.ttl=0", // the JVM asks for each name again, and so does an attacker
        "-Dsun.net.inetaddr.negative.ttl=0",
        "-Duser.home=" + home,
        "-Djava.net.useSystemProxies=true",
        "-DsocksProxyHost=127.0.0.1",
        "-DsocksProxyPort=" + proxy.port(),
        "-Dhttp.proxyHost=127.0.0.1",
        "-Dhttp.proxyPort=" + proxy.port(),
        "-Dhttps.proxyHost=127.0.0.1",
        "-Dhttps.proxyPort=" + proxy.port(),
        "-Dhttp.nonProxyHosts=",
        "-DsocksNonProxyHosts=");
  }

  private static Map<String, String> environment() {
    var environment = new LinkedHashMap<String, String>();
    String address = "http://127.0.0.1:" + proxy.port();
    for (String name : List.of("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")) {
      environment.put(name, address);
      environment.put(name.toUpperCase(Locale.ROOT), address);
    }
    environment.put("no_proxy", "");
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("PGPASSFILE", folder.resolve("home/.pgpass").toString());
    environment.put("PGSERVICE", "stolen");
    environment.put("PGHOST", "127.0.0.1");
    environment.put("PGHOSTADDR", "127.0.0.1");
    environment.put("PGPORT", Integer.toString(proxy.port()));
    environment.put("PGUSER", "servers-user");
    environment.put("PGPASSWORD", STOLEN);
    environment.put("PGSSLMODE", "disable");
    environment.put("PGOPTIONS", "-c search_path=stolen");
    return environment;
  }

  @Test
  void no_name_leads_to_a_closed_address() throws Exception {
    List<String> names = new ArrayList<>(ClosedAddresses.names().keySet());
    names.addAll(
        List.of(
            "LOCALHOST",
            "LocalHost",
            "localhost.",
            "6425673729",
            "127.0.0.1.",
            "127.0.0.1.nip.example"));
    Map<String, String> byUrl = ways.lead("url", names);
    int attempts = byUrl.size();
    assertThat(byUrl)
        .allSatisfy(
            (name, outcome) -> assertThat(outcome).as(name).matches(SsrfAttackTest.REFUSED));
    assertThat(Collections.frequency(byUrl.values(), "address-refused"))
        .as("%s", byUrl)
        .isGreaterThanOrEqualTo(ClosedAddresses.names().size());
    for (String way : WaysOut.BY_CONNECTION) {
      Map<String, String> led = ways.lead(way, names.subList(0, 10));
      attempts += led.size();
      assertThat(led)
          .allSatisfy(
              (name, outcome) ->
                  assertThat(outcome)
                      .as("%s to %s", way, name)
                      .matches(
                          way.equals("receiver")
                              ? "published"
                              : "address-refused|.*which flows may not reach.*"));
    }
    assertThat(ways.deliveries("out-receiver")).hasSize(10).allMatch("address-refused"::equals);
    ways.assertUnreached();
    assertThat(proxy.counted("reached")).isZero();
    AttackTable.held(HostileNamesAttackTest.class, "Names with closed addresses", attempts);
  }

  /** The address that was checked is the one that is used, however fast the name changes. */
  @Test
  void a_name_that_changes_its_address_between_two_questions_reaches_nothing() throws Exception {
    var isOver = new AtomicBoolean();
    Thread flipper =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; !isOver.get(); i++) {
                      write(
                          i % 2 == 0 ? "2f00::1" : "127.0.0.1"); // the first is open, and nobody's
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    int attempts = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var led = new ArrayList<Future<Integer>>();
      led.add(threads.submit(() -> lead("http", 24)));
      led.add(threads.submit(() -> lead("mail", 2)));
      led.add(threads.submit(() -> lead("database", 2)));
      for (Future<Integer> one : led) {
        attempts += one.get();
      }
    } finally {
      isOver.set(true);
      flipper.join();
    }
    ways.assertUnreached();
    assertThat(proxy.counted("reached")).isZero();
    AttackTable.held(HostileNamesAttackTest.class, "Names that change their address", attempts);
  }

  private static int lead(String way, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      ways.lead(way, List.of(FLIPPING));
    }
    return times;
  }

  /** Without a secret in its connection, a database gets no password from anywhere. */
  @Test
  void nothing_of_the_servers_user_reaches_a_destination() throws Exception {
    List<String> passwords = Collections.synchronizedList(new ArrayList<>());
    try (var books =
            new HostileServer((_, client) -> passwords.add(HostilePostgres.password(client)));
        var shop = new RecordingServer()) {
      connect(
          "books",
          "postgres",
          Map.of(
              "host",
              "127.0.0.1",
              "port",
              books.port(),
              "tls",
              "none",
              "database",
              "books",
              "user",
              "me"));
      connect("shop", "http", Map.of("base", "http://127.0.0.1:" + shop.port()));
      server.release(
          server.token(),
          "flow: books\nsteps:\n  - {id: ask, db: {connection: books, sql: SELECT 1}, retry: {attempts: 1}}\n");
      server.release(
          server.token(),
          "flow: shop\nsteps:\n  - {id: ask, http: {connection: shop, path: /}, retry: {attempts: 1}}\n");

      assertThat(run("books")).isEqualTo("failed");
      assertThat(run("shop")).isEqualTo("succeeded");

      assertThat(passwords).allMatch(String::isEmpty);
      assertThat(shop.heads).hasSize(1);
      assertThat(proxy.counted("reached")).as("connections to the proxy").isZero();
    }
    AttackTable.held(
        HostileNamesAttackTest.class,
        "Proxies, hosts and passwords in the server's environment",
        environment().size() + 7); // and those in properties and files
  }

  private static void connect(String name, String kind, Map<String, Object> form) throws Exception {
    var local = new LinkedHashMap<>(form);
    local.put("privateHosts", Set.of("127.0.0.1"));
    ServerProcess.must(
        server.ask(
            server.token(), "PUT", "/api/connections/" + name, Json.write(Map.of(kind, local))));
  }

  private static String run(String flow) throws Exception {
    return ServerProcess.must(
            server.ask(
                server.token(), "POST", "/api/flows/" + flow + "/runs", "{}", "Prefer", "wait=20"))
        .at("/status");
  }
}
