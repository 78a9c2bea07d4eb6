package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every key of a flow file is shown by a file of {@code examples/flows}, which a test runs. */
class ExampleKeysTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples/flows");

  /** What the reader knows and a later part carries out. */
  private static final Set<String> LATER = Set.of("llm", "ssh", "queue", "reconcile");

  private final Set<String> shown = new TreeSet<>();

  @Test
  void every_key_is_in_an_example() throws IOException {
    for (Path file : files()) {
      Node root = new Yaml("f", new ArrayList<>()).read(Files.readString(file));
      show("flow", Objects.requireNonNull(root));
    }

    Set<String> missing = keys();
    missing.removeAll(shown);
    assertThat(missing).isEmpty();
  }

  private static Set<String> keys() {
    var keys = new TreeSet<String>();
    for (Shape shape : FlowShapes.ALL.all()) {
      if (!LATER.contains(shape.name())) {
        shape.fields().keySet().stream()
            .filter(key -> !LATER.contains(key))
            .forEach(key -> keys.add(shape.name() + "." + key));
      }
    }
    return keys;
  }

  private void show(String shape, Node node) {
    if (!(node instanceof Node.Mapping mapping)) {
      return;
    }
    for (Node.Entry entry : mapping.entries()) {
      Shape.Field field = FlowShapes.ALL.named(shape).field(entry.key());
      if (field != null) {
        shown.add(shape + "." + entry.key());
        showInside(field.type(), entry.value());
      }
    }
  }

  private void showInside(Type type, Node node) {
    switch (type) {
      case Type.Of of -> show(of.shape(), node);
      case Type.WordOr either -> {
        show(either.shape(), node);
        if (node instanceof Node.Scalar word) {
          shown.add(either.shape() + "." + word.text());
        }
      }
      case Type.TemplatedOr either -> show(either.shape(), node);
      case Type.ListOf list -> showAll(list.shape(), node);
      case Type.Branches lists -> {
        if (node instanceof Node.Mapping branches) {
          branches.entries().forEach(branch -> showAll(lists.shape(), branch.value()));
        }
      }
      default -> {}
    }
  }

  private void showAll(String shape, Node node) {
    if (node instanceof Node.Sequence sequence) {
      sequence.elements().forEach(element -> show(shape, element));
    }
  }

  private static List<Path> files() throws IOException {
    try (var all = Files.walk(EXAMPLES)) {
      return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
