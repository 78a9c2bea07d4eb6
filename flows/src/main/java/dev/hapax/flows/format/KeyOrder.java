package dev.hapax.flows.format;

import dev.hapax.flows.file.FlowKeys;
import dev.hapax.flows.format.Written.Collection;
import dev.hapax.flows.format.Written.Part;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the keys of a flow file into the order of the docs. Keys that the author chose, such as
 * those of a body or of branches, stay where they are. Steps of one list are all set off by an
 * empty line, or none is.
 */
final class KeyOrder {
  private static final String FOR_EDITORS = "yaml-language-server:";

  private KeyOrder() {}

  static void apply(Collection root) {
    List<Comment> head = takeHead(root.parts().getFirst());
    Part begin = root.parts().getFirst();
    boolean isSetOff = !head.isEmpty() && begin.isSetOff();
    begin.setOff(false);
    apply(root, FlowKeys.top());
    Part first = root.parts().getFirst();
    first.setOff(isSetOff);
    first.lead().addAll(0, head);
  }

  /**
   * Takes the comments that open the file, which stay at its top: those that an empty line
   * separates from the first key, and the line for editors.
   */
  private static List<Comment> takeHead(Part first) {
    List<Comment> lead = first.lead();
    int end = !lead.isEmpty() && lead.getFirst().text().contains(FOR_EDITORS) ? 1 : 0;
    for (int i = 1; i < lead.size(); i++) {
      end = lead.get(i).blankBefore() ? i : end;
    }
    end = first.isBlankBefore() ? lead.size() : end;
    List<Comment> head = List.copyOf(lead.subList(0, end));
    lead.subList(0, end).clear();
    return head;
  }

  private static void apply(Written value, @Nullable Type type) {
    if (!(value instanceof Collection collection)) {
      return;
    }
    if (collection.isMapping()) {
      Shape shape = FlowKeys.shape(type);
      if (shape != null) {
        var order = new ArrayList<>(shape.fields().keySet());
        collection.parts().sort(Comparator.comparingInt(part -> place(part, order)));
      }
    }
    for (Part part : collection.parts()) {
      apply(
          part.value(),
          collection.isMapping() ? FlowKeys.member(type, part.name()) : FlowKeys.element(type));
      part.hoist();
    }
    if (FlowKeys.isSteps(type)) {
      separate(collection);
    }
  }

  private static int place(Part part, List<String> order) {
    int place = order.indexOf(part.name());
    return place < 0 ? order.size() : place;
  }

  private static void separate(Collection steps) {
    List<Part> following = steps.parts().stream().skip(1).toList();
    if (following.stream().anyMatch(Part::isSetOff)) {
      following.forEach(step -> step.setOff(true));
    }
  }
}
