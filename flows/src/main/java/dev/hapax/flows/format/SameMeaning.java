package dev.hapax.flows.format;

import dev.hapax.flows.file.FlowKeys;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares two flow files: the same values of the same types, and the same order wherever the order
 * has a meaning, such as that of steps, of branches and of the members of a body.
 */
final class SameMeaning {
  private SameMeaning() {}

  static boolean of(Node one, Node other) {
    return value(one, FlowKeys.top()).equals(value(other, FlowKeys.top()));
  }

  private record Member(String key, Object value) {}

  private static Object value(Node node, @Nullable Type type) {
    return switch (node) {
      case Node.Scalar scalar -> scalarOf(scalar);
      case Node.Sequence list -> {
        var elements = new ArrayList<Object>();
        list.elements().forEach(element -> elements.add(value(element, FlowKeys.element(type))));
        yield elements;
      }
      case Node.Mapping mapping -> {
        var members = new ArrayList<Member>();
        for (Node.Entry entry : mapping.entries()) {
          members.add(
              new Member(entry.key(), value(entry.value(), FlowKeys.member(type, entry.key()))));
        }
        Shape shape = FlowKeys.shape(type);
        if (shape != null) {
          members.sort((a, b) -> a.key().compareTo(b.key()));
        }
        yield List.copyOf(members);
      }
    };
  }

  /** The text counts too: a template reads it, also where it looks like a number. */
  private static Object scalarOf(Node.Scalar scalar) {
    Object value = scalar.value();
    return List.of(
        value == null ? Collections.emptyList() : value, value == null ? "" : scalar.text());
  }
}
