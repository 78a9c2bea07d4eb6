package dev.hapax.app.secret.outside;

import dev.hapax.flows.expression.Durations;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The operator's file of secrets from outside: {@code helpers}, and {@code secrets} by tenant and
 * name. It is read at the start of the server. Problems are reported all at once, with their lines.
 */
public final class SourcesFile {
  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  /** Settings of the server, such as the password of its database, are no secrets of tenants. */
  private static final Pattern OF_SERVER = Pattern.compile("HAPAX_(?!SECRET_).*");

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration FRESH = Duration.ofMinutes(1);
  private static final Duration LONGEST_FRESH = Duration.ofDays(1);

  private final Path file;
  private final Function<String, @Nullable String> environment;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, HelperCommand> helpers = new HashMap<>();
  private final Map<String, Map<String, SecretSource>> sources = new HashMap<>();

  private SourcesFile(Path file, Function<String, @Nullable String> environment) {
    this.file = file;
    this.environment = environment;
  }

  /**
   * Reads the file.
   *
   * @param file null if no secret is from outside
   * @throws IllegalStateException with all that is wrong
   */
  public static OutsideSecrets read(@Nullable Path file, Clock clock) {
    return read(file, System::getenv, clock);
  }

  static OutsideSecrets read(
      @Nullable Path file, Function<String, @Nullable String> environment, Clock clock) {
    if (file == null) {
      return new OutsideSecrets(Map.of(), clock);
    }
    var read = new SourcesFile(file, environment);
    read.read();
    if (!read.problems.isEmpty()) {
      throw new IllegalStateException(String.join("\n", read.problems));
    }
    return new OutsideSecrets(read.sources, clock);
  }

  private void read() {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file.toString())
            .setUseMarks(true)
            .setCodePointLimit(1 << 20)
            .build();
    try {
      Node root = new Compose(settings).composeString(Files.readString(file)).orElse(null);
      Map<String, Node> sections = members(root, Set.of("helpers", "secrets"));
      entries(sections.get("helpers")).forEach(this::helper);
      entries(sections.get("secrets")).forEach(this::tenant);
    } catch (IOException e) {
      problems.add("secrets.sources: %s cannot be read".formatted(file));
    } catch (YamlEngineException | StackOverflowError e) {
      problems.add(
          "%s is not valid YAML: %s"
              .formatted(file, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
    }
  }

  private void helper(String name, Node node) {
    Map<String, Node> of = members(node, Set.of("command", "timeout", "cache"));
    List<String> command = texts(of.get("command"));
    if (command.isEmpty() || !Path.of(command.getFirst()).isAbsolute()) {
      refuse(node, "helper '%s': expected a command with an absolute path".formatted(name));
      return;
    }
    helpers.put(
        name,
        new HelperCommand(
            name,
            command,
            duration(of.get("timeout"), TIMEOUT, LONGEST_TIMEOUT),
            duration(of.get("cache"), FRESH, LONGEST_FRESH)));
  }

  private void tenant(String tenant, Node node) {
    if (!TENANT.matcher(tenant).matches()) {
      refuse(node, "'%s' is no name of a tenant".formatted(tenant));
      return;
    }
    var ofTenant = new HashMap<String, SecretSource>();
    entries(node)
        .forEach(
            (name, place) -> {
              SecretSource source = source(name, place);
              if (source != null) {
                ofTenant.put(name, source);
              }
            });
    sources.put(tenant, Map.copyOf(ofTenant));
  }

  private @Nullable SecretSource source(String name, Node node) {
    Map<String, Node> of = members(node, Set.of("file", "env", "helper", "key"));
    Set<String> given = of.keySet();
    if (!NAME.matcher(name).matches()) {
      return refuse(node, "'%s' is no name of a secret".formatted(name));
    }
    if (given.equals(Set.of("file"))) {
      Path path = Path.of(text(of.get("file")));
      return path.isAbsolute()
          ? new FileSource(path)
          : refuse(node, "secret '%s': expected an absolute path".formatted(name));
    }
    if (given.equals(Set.of("env"))) {
      String variable = text(of.get("env"));
      return VARIABLE.matcher(variable).matches() && !OF_SERVER.matcher(variable).matches()
          ? new VariableSource(variable, environment)
          : refuse(
              node,
              "secret '%s': expected the name of a variable, and of those with HAPAX_ only HAPAX_SECRET_…"
                  .formatted(name));
    }
    if (given.equals(Set.of("helper", "key"))) {
      HelperCommand helper = helpers.get(text(of.get("helper")));
      String key = text(of.get("key"));
      return helper != null && !key.isBlank() && key.lines().count() == 1
          ? new HelperSource(helper, key)
          : refuse(
              node,
              "secret '%s': expected a helper of this file, and a key of one line".formatted(name));
    }
    return refuse(
        node,
        "secret '%s': expected {file: PATH}, {env: VARIABLE} or {helper: NAME, key: KEY}"
            .formatted(name));
  }

  private Duration duration(@Nullable Node node, Duration usual, Duration most) {
    if (node == null) {
      return usual;
    }
    Duration read = Durations.parse(text(node));
    if (read == null || read.isNegative() || read.isZero() || read.compareTo(most) > 0) {
      refuse(node, "expected a duration up to " + Durations.text(most));
      return usual;
    }
    return read;
  }

  /** Returns the members of a mapping; other names are problems. */
  private Map<String, Node> members(@Nullable Node node, Set<String> known) {
    Map<String, Node> all = entries(node);
    all.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            refuse(
                value,
                "'%s' is unknown; known are %s".formatted(name, known.stream().sorted().toList()));
          }
        });
    return all;
  }

  private Map<String, Node> entries(@Nullable Node node) {
    var all = new LinkedHashMap<String, Node>();
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        all.put(text(entry.getKeyNode()), entry.getValueNode());
      }
    } else if (node != null) {
      refuse(node, "expected names and their values");
    }
    return all;
  }

  private List<String> texts(@Nullable Node node) {
    return node instanceof SequenceNode list
        ? list.getValue().stream().map(this::text).toList()
        : List.of();
  }

  private String text(@Nullable Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    if (node != null) {
      refuse(node, "expected a text");
    }
    return "";
  }

  private @Nullable SecretSource refuse(Node where, String problem) {
    Mark mark = where.getStartMark().orElse(null);
    problems.add(
        mark == null
            ? "%s: %s".formatted(file, problem)
            : "%s:%d:%d %s".formatted(file, mark.getLine() + 1, mark.getColumn() + 1, problem));
    return null;
  }
}
