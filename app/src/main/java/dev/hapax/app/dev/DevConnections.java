package dev.hapax.app.dev;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.file.ConnectionUse;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the server the connections of the folder. A connection that a flow names and no file
 * describes is made up: the sandbox answers for it. Used by one thread.
 */
final class DevConnections {
  private final DevDoor door;
  private final DevSecrets secrets;
  private final DevScreen screen;
  private final Map<String, Object> applied = new HashMap<>();
  private boolean isFirst = true;

  DevConnections(DevDoor door, DevSecrets secrets, DevScreen screen) {
    this.door = door;
    this.secrets = secrets;
    this.screen = screen;
  }

  /** A connection as the folder wants it. */
  private record Wanted(@Nullable DevFile file, Object form, Connection connection) {}

  /**
   * Makes the server's connections and secrets those of the folder.
   *
   * @param files that hold a connection each
   * @param flows that can be read
   * @param isNews whether to print the problems of a file
   */
  void apply(List<DevFile> files, Collection<FlowFile> flows, Predicate<DevFile> isNews) {
    Map<String, Wanted> wanted = new TreeMap<>();
    Set<String> broken = new TreeSet<>();
    for (DevFile file : files) {
      Wanted read = read(file, isNews.test(file));
      if (read == null) {
        broken.add(file.baseName());
      } else {
        wanted.put(file.baseName(), read);
      }
    }
    List<ConnectionUse> uses = flows.stream().flatMap(flow -> flow.uses().stream()).toList();
    for (ConnectionUse use : uses) {
      if (!broken.contains(use.connection())) {
        wanted.computeIfAbsent(use.connection(), name -> madeUp(name, kindsOf(name, uses)));
      }
    }
    secrets.provide(secretsOf(wanted.values(), flows));
    removeOthers(wanted.keySet(), broken);
    wanted.forEach(this::put);
  }

  /** A trigger takes any kind, so a step that uses the same connection decides. */
  private static List<ConnectionKind> kindsOf(String name, List<ConnectionUse> uses) {
    return uses.stream()
        .filter(use -> use.connection().equals(name) && !use.kinds().isEmpty())
        .map(ConnectionUse::kinds)
        .findFirst()
        .orElse(List.of());
  }

  private @Nullable Wanted read(DevFile file, boolean tells) {
    if (file.text() == null) {
      if (tells) {
        screen.finding(
            DevScreen.Note.error(
                file.name() + ":1:1", "unreadable", String.valueOf(file.problem()), null),
            "");
      }
      return null;
    }
    var problems = new ArrayList<FileProblem>();
    Node root = new Yaml(file.name(), problems).read(file.text());
    if (root == null) {
      if (tells) {
        problems.forEach(problem -> screen.finding(DevReload.note(problem), ""));
      }
      return null;
    }
    Object form = Objects.requireNonNullElse(root.plain(), Map.of());
    try {
      return wanted(file, file.baseName(), form);
    } catch (IllegalArgumentException | NotSerializable e) {
      if (tells) {
        screen.finding(wrong(file, refusalOf(file.baseName(), form, e)), "");
      }
      return null;
    }
  }

  /** The server knows better what is wrong: it also refuses members that do not exist. */
  private String refusalOf(String name, Object form, RuntimeException problem) {
    try {
      door.putConnection(name, form);
      return String.valueOf(problem.getMessage());
    } catch (Refusal refusal) {
      return refusal.message();
    }
  }

  private static DevScreen.Note wrong(DevFile file, String message) {
    return DevScreen.Note.error(
        file.name() + ":1:1",
        "connection",
        message.replaceFirst("[.]\\s*$", ""),
        "The connection that the server has stays as it is.");
  }

  private static Wanted wanted(@Nullable DevFile file, String name, Object form) {
    ConnectionForm read = Json.read(Json.write(form), ConnectionForm.class);
    return new Wanted(file, form, new ConnectionReader(read).connection(name));
  }

  private static Wanted madeUp(String name, List<ConnectionKind> kinds) {
    String host = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-") + ".invalid";
    Map<String, Object> form =
        switch (kinds.isEmpty() ? ConnectionKind.HTTP : kinds.getFirst()) {
          case HTTP -> Map.of("http", Map.of("base", "https://" + host));
          case MODEL ->
              Map.of("llm", Map.of("dialect", "openai", "base", "https://" + host + "/v1"));
          case WEBHOOK -> Map.of("webhook", Map.of("url", "https://" + host + "/"));
          case SMTP -> Map.of("smtp", Map.of("host", host, "from", "dev@" + host));
          case DATABASE ->
              Map.of("postgres", Map.of("host", host, "database", "dev", "user", "dev"));
          case KAFKA -> Map.of("kafka", Map.of("servers", List.of(host + ":9092")));
          case RABBITMQ -> Map.of("rabbitmq", Map.of("host", host));
          case SQS ->
              Map.of(
                  "sqs", Map.of("region", "dev", "accessKey", "dev", "secret", name + "-secret"));
          case SSH ->
              Map.of(
                  "ssh",
                  Map.of(
                      "host",
                      host,
                      "user",
                      "dev",
                      "hostKeys",
                      List.of("SHA256:" + "A".repeat(43)),
                      "password",
                      name + "-password"));
        };
    return wanted(null, name, form);
  }

  /** Returns the secrets that are named, each with the hosts that it goes to. */
  private static Map<String, Set<String>> secretsOf(
      Collection<Wanted> connections, Collection<FlowFile> flows) {
    Map<String, Set<String>> named = new TreeMap<>();
    for (Wanted wanted : connections) {
      for (String secret : wanted.connection().secrets()) {
        named.computeIfAbsent(secret, _ -> new TreeSet<>()).addAll(hostsOf(wanted.connection()));
      }
    }
    for (FlowFile flow : flows) {
      for (Trigger trigger : flow.triggers()) {
        String secret =
            trigger instanceof WebhookTrigger webhook ? webhook.verify().secret() : null;
        if (secret != null) {
          named.computeIfAbsent(secret, _ -> new TreeSet<>());
        }
      }
    }
    return named;
  }

  private static Set<String> hostsOf(Connection connection) {
    Stream<String> hosts =
        switch (connection) {
          case Connection.Http http -> Stream.of(http.base().getHost());
          case Connection.Model model -> Stream.of(model.base().getHost());
          case Connection.Webhook webhook -> Stream.of(webhook.url().getHost());
          case Connection.Smtp smtp -> Stream.of(smtp.host());
          case Connection.Postgres postgres -> Stream.of(postgres.host());
          case Connection.Ssh ssh -> Stream.of(ssh.host());
          case Connection.Kafka kafka ->
              kafka.servers().stream().map(Connection.Kafka.Server::host);
          case Connection.RabbitMq rabbit -> Stream.of(rabbit.host());
          case Connection.Sqs sqs -> Stream.of(sqs.endpoint().getHost());
          case Connection.Database database -> Stream.of(database.name());
        };
    return hosts.map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** Those of an earlier start, too: the folder decides. */
  private void removeOthers(Set<String> wanted, Set<String> broken) {
    Set<String> there = isFirst ? door.connections() : new TreeSet<>(applied.keySet());
    isFirst = false;
    for (String name : there) {
      if (!wanted.contains(name) && !broken.contains(name)) {
        door.deleteConnection(name);
        applied.remove(name);
      }
    }
  }

  private void put(String name, Wanted wanted) {
    if (wanted.form().equals(applied.get(name))) {
      return;
    }
    try {
      door.putConnection(name, wanted.form());
      applied.put(name, wanted.form());
      if (wanted.file() == null) {
        screen.say(
            "connection '%s' has no file: the sandbox answers for it (connections/%s.yaml would describe it)"
                .formatted(name, name));
      }
    } catch (Refusal refusal) {
      if (wanted.file() == null) {
        throw refusal;
      }
      screen.finding(wrong(wanted.file(), refusal.message()), "");
    }
  }
}
