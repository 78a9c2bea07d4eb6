package dev.hapax.app.dev;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that are really reached: those of the command line, and those that {@code dev.yaml}
 * lists under {@code allow}. Everything else goes to the sandbox. Safe for many threads.
 */
public final class DevAllowList {
  /** The file in the folder of the flows. */
  static final String FILE = "dev.yaml";

  private static final Pattern HOST =
      Pattern.compile("([a-z0-9._-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?");

  private final Set<String> always;
  private volatile Set<String> listed = Set.of();

  private DevAllowList(Set<String> always) {
    this.always = always;
  }

  /**
   * The list of a command line.
   *
   * @throws IllegalArgumentException if one of them is no host
   */
  public static DevAllowList of(List<String> hosts) {
    var valid = new TreeSet<String>();
    hosts.forEach(host -> valid.add(valid(host)));
    return new DevAllowList(Set.copyOf(valid));
  }

  private static String valid(String host) {
    String lower = host.strip().toLowerCase(Locale.ROOT);
    if (!HOST.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "allow: expected a host such as 'api.example.com' or '127.0.0.1:9000', got '%s'"
              .formatted(host));
    }
    return lower;
  }

  /** Whether a flow may reach this host at this port. */
  boolean allows(String host, int port) {
    String name = host.toLowerCase(Locale.ROOT);
    return isListed(name) || isListed(name + ":" + port);
  }

  private boolean isListed(String place) {
    return always.contains(place) || listed.contains(place);
  }

  /** Returns all hosts, in order. */
  public Set<String> all() {
    var all = new TreeSet<>(always);
    all.addAll(listed);
    return all;
  }

  /**
   * Takes over what the file lists; nothing of it, if there are problems.
   *
   * @param text null if there is no file
   */
  List<FileProblem> read(@Nullable String text) {
    var problems = new ArrayList<FileProblem>();
    var hosts = new TreeSet<String>();
    Node root = text == null || text.isBlank() ? null : new Yaml(FILE, problems).read(text);
    if (root instanceof Node.Mapping mapping) {
      mapping.entries().forEach(entry -> read(entry, hosts, problems));
    } else if (root != null) {
      problems.add(problem(root.position(), "expected 'allow:' and a list of hosts"));
    }
    if (problems.isEmpty()) {
      listed = Set.copyOf(hosts);
    }
    return problems;
  }

  private static void read(Node.Entry entry, Set<String> hosts, List<FileProblem> problems) {
    if (!entry.key().equals("allow")) {
      problems.add(
          new FileProblem(
              FileProblem.UNKNOWN_FIELD,
              entry.position(),
              "'%s' is unknown here".formatted(entry.key()),
              "%s has one field: allow, a list of hosts.".formatted(FILE)));
      return;
    }
    if (!(entry.value() instanceof Node.Sequence list)) {
      problems.add(problem(entry.position(), "allow: expected a list of hosts"));
      return;
    }
    for (Node one : list.elements()) {
      try {
        hosts.add(valid(String.valueOf(one.plain())));
      } catch (IllegalArgumentException e) {
        problems.add(problem(one.position(), String.valueOf(e.getMessage())));
      }
    }
  }

  private static FileProblem problem(Position position, String message) {
    return new FileProblem(
        FileProblem.TYPE, position, message, "For example: allow: [api.example.com].");
  }
}
