package dev.hapax.flows.file;

import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Yaml;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The keys that files use, each with the name of the shape that it belongs to. */
public final class WrittenKeys {
  private final Set<String> written = new TreeSet<>();

  /** Returns every key that a file can have, as {@code shape.key}. */
  public static Set<String> all() {
    var keys = new TreeSet<String>();
    for (Shape shape : FlowShapes.ALL.all()) {
      shape.fields().keySet().forEach(key -> keys.add(shape.name() + "." + key));
    }
    return keys;
  }

  /** Notes the keys of a file. */
  public void read(String text) {
    Node root = new Yaml("f", new ArrayList<>()).read(text);
    note("flow", Objects.requireNonNull(root));
  }

  public Set<String> written() {
    return written;
  }

  private void note(String shape, Node node) {
    if (!(node instanceof Node.Mapping mapping)) {
      return;
    }
    for (Node.Entry entry : mapping.entries()) {
      Shape.Field field = FlowShapes.ALL.named(shape).field(entry.key());
      if (field != null) {
        written.add(shape + "." + entry.key());
        noteInside(field.type(), entry.value());
      }
    }
  }

  private void noteInside(Type type, Node node) {
    switch (type) {
      case Type.Of of -> note(of.shape(), node);
      case Type.WordOr either -> {
        note(either.shape(), node);
        if (node instanceof Node.Scalar word) {
          written.add(either.shape() + "." + word.text());
        }
      }
      case Type.TemplatedOr either -> note(either.shape(), node);
      case Type.ListOf list -> noteAll(list.shape(), node);
      case Type.Branches lists -> {
        if (node instanceof Node.Mapping branches) {
          branches.entries().forEach(branch -> noteAll(lists.shape(), branch.value()));
        }
      }
      default -> {}
    }
  }

  private void noteAll(String shape, Node node) {
    if (node instanceof Node.Sequence sequence) {
      sequence.elements().forEach(element -> note(shape, element));
    }
  }
}
