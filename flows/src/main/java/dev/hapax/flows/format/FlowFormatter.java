package dev.hapax.flows.format;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats the text of a flow file. The result has the same meaning and all comments, or there is a
 * problem and no result.
 */
public final class FlowFormatter {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private FlowFormatter() {}

  /**
   * A formatted text.
   *
   * @param text as it should be; as it is, if there are problems
   * @param problems why it was left alone
   */
  public record Result(String text, List<FileProblem> problems) {}

  /**
   * Formats a text.
   *
   * @param name of the file, for positions
   */
  public static Result format(String name, String text) {
    String given = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    String lines = given.replace("\r\n", "\n").replace('\r', '\n');
    var problems = new ArrayList<FileProblem>();
    Node before = new Yaml(name, problems).read(given);
    if (before == null || !problems.isEmpty()) {
      return new Result(text, List.copyOf(problems));
    }
    if (!isFlow(before)) {
      return refused(name, text, "the file has no key 'flow'", "Give the name of a flow file.");
    }
    WrittenReader.Result read = WrittenReader.read(lines);
    if (read == null) {
      return refused(name, text, "a value with a tag cannot be formatted", "Remove the tag.");
    }
    KeyOrder.apply(read.root());
    String formatted = FlowLayout.of(read.root());
    return isSame(name, before, read.comments(), formatted)
        ? new Result(formatted, List.of())
        : refused(
            name,
            text,
            "this file cannot be formatted without changing its meaning",
            "It was left as it is. Please report it with the file.");
  }

  /** Returns whether a text is that of a flow, so that a folder can hold other YAML files too. */
  public static boolean isFlow(String name, String text) {
    Node root = new Yaml(name, new ArrayList<>()).read(text);
    return root != null && isFlow(root);
  }

  private static boolean isFlow(Node root) {
    return root instanceof Node.Mapping mapping && mapping.get("flow") != null;
  }

  private static boolean isSame(String name, Node before, List<String> comments, String formatted) {
    var problems = new ArrayList<FileProblem>();
    Node after = new Yaml(name, problems).read(formatted);
    if (after == null || !problems.isEmpty() || !SameMeaning.of(before, after)) {
      return false;
    }
    WrittenReader.Result again = WrittenReader.read(formatted);
    return again != null
        && again.comments().stream().sorted().toList().equals(comments.stream().sorted().toList());
  }

  private static Result refused(String name, String text, String message, String fix) {
    var position = new Position(name, 1, 1);
    return new Result(text, List.of(new FileProblem(FileProblem.SCHEMA, position, message, fix)));
  }
}
