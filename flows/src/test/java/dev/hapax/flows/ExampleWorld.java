package dev.hapax.flows;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.json.Json;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.testkit.fault.SshServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/**
 * Everything that the example files call, on 127.0.0.1: one HTTP server whose first path segment is
 * the connection's name, a mail server, a receiver of messages, and a database. It does what it is
 * asked every time it is asked, unless a request has a key that it knows.
 */
final class ExampleWorld implements AutoCloseable {
  private static final String SIGNING = "whsec_MDEyMzQ1Njc4OWFiY2RlZg==";

  final TestServer server = new TestServer(this::answer);
  final TestMailServer mail = new TestMailServer("-", "");
  final ModelServer model = new ModelServer(ModelServer.says("ok"));
  final FlowFiles files;
  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final Map<String, TestServer.Answer> failures = new ConcurrentHashMap<>();
  private final Map<String, String> byKey = new LinkedHashMap<>();
  private final List<TestServer.Request> done = new ArrayList<>();
  private @Nullable SqlDatabase database;
  private @Nullable SshServer host;

  ExampleWorld() throws IOException {
    files =
        FlowFiles.with(Ports.system())
            .connections(connections())
            .secrets(name -> Optional.of(name.equals("machine-key") ? key() : SIGNING))
            .handler("postage", (input, _) -> grams(input) > 1000 ? 549 : 165)
            .handler("void-label", (_, _) -> null)
            .handler(
                "print-label",
                (input, key) -> {
                  synchronized (byKey) {
                    return byKey.computeIfAbsent(key, _ -> "label-" + byKey.size());
                  }
                })
            .open();
  }

  private static int grams(@Nullable Object input) {
    return input instanceof Map<?, ?> map && map.get("grams") instanceof Number grams
        ? grams.intValue()
        : 0;
  }

  private Connections connections() {
    return name ->
        Optional.of(
            switch (name) {
              case "smtp" -> mail.connection();
              case "partner" ->
                  new Connection.Webhook(
                      name, URI.create(server.base() + "/partner"), "sign", Set.of("127.0.0.1"));
              case "model" -> model.connection(ModelDialect.OPENAI);
              case "machine" -> machine();
              case "books" -> new Connection.Database(name, database());
              default ->
                  Connection.Http.of(name, server.base() + "/" + name).privateHosts("127.0.0.1");
            });
  }

  /** What a GET of this path answers. */
  ExampleWorld page(String path, String json) {
    pages.put(path, json);
    return this;
  }

  /** What this path answers instead of doing what it is asked; null: as usual again. */
  ExampleWorld failing(String path, @Nullable Integer status) {
    if (status == null) {
      failures.remove(path);
    } else {
      failures.put(path, TestServer.Answer.json(status, "{}"));
    }
    return this;
  }

  ExampleWorld sqlite(Path file) {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + file);
    database = SqlDestination.of(source);
    return this;
  }

  ExampleWorld postgres() {
    var source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    database = SqlDestination.of(source);
    return this;
  }

  /** Starts the machine of the examples with {@code ssh} in this folder. */
  SshServer host(Path folder) throws Exception {
    assumeTrue(SshServer.isInstalled(), "no /usr/sbin/sshd: apt-get install openssh-server");
    host = SshServer.start(folder);
    return host;
  }

  private SshServer host() {
    if (host == null) {
      throw new IllegalStateException("this example has no machine");
    }
    return host;
  }

  private String key() {
    try {
      return host().key();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Connection.Ssh machine() {
    try {
      return new Connection.Ssh(
          "machine",
          "127.0.0.1",
          host().port(),
          host().user(),
          Set.of(host().fingerprint()),
          "machine-key",
          null,
          null,
          Duration.ofSeconds(10),
          Connection.Ssh.USUAL_KEEP,
          Set.of("127.0.0.1"),
          ConnectionLimits.NONE);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  SqlDatabase database() {
    if (database == null) {
      throw new IllegalStateException("this example has no database");
    }
    return database;
  }

  private TestServer.@Nullable Answer answer(TestServer.Request request) {
    String path = request.target();
    TestServer.Answer failure = failures.get(path);
    if (failure != null) {
      return failure;
    }
    if (request.method().equals("GET")) {
      return TestServer.Answer.json(
          200, path.contains("/invoices?") ? invoices() : pages.getOrDefault(path, "{}"));
    }
    synchronized (byKey) {
      String key = request.header("idempotency-key");
      String known = byKey.get(key);
      if (known == null) {
        done.add(request);
        known = "{\"id\":\"x-%d\",\"tracking\":\"t-%d\"}".formatted(done.size(), done.size());
        if (!key.isEmpty()) {
          byKey.put(key, known);
        }
      }
      return TestServer.Answer.json(201, known);
    }
  }

  private String invoices() {
    return done("POST /accounting/invoices").isEmpty() ? "[]" : "[{\"id\":\"x-1\"}]";
  }

  /** What was done, as method and path, in order. */
  List<String> done() {
    synchronized (byKey) {
      return done.stream().map(request -> request.method() + " " + request.target()).toList();
    }
  }

  /** The bodies of what was done at one place. */
  List<Map<?, ?>> done(String where) {
    synchronized (byKey) {
      return done.stream()
          .filter(request -> where.equals(request.method() + " " + request.target()))
          .<Map<?, ?>>map(request -> Json.read(request.body(), Map.class))
          .toList();
    }
  }

  LoadedFlow load(String name) {
    return files.load(name, ExampleFiles.text(name), 1);
  }

  /** An engine that knows these files. */
  FlowTest test(LoadedFlow... flows) {
    FlowTest test = FlowTest.of();
    for (LoadedFlow flow : flows) {
      files.register(test.hapax(), flow);
    }
    return test;
  }

  @Override
  public void close() throws IOException {
    files.close();
    server.close();
    if (host != null) {
      host.close();
    }
    mail.close();
    model.close();
  }
}
