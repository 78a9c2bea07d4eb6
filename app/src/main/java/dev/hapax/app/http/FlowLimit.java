package dev.hapax.app.http;

import dev.hapax.flow.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The flows that a token may use: all, or those of these names and those with one of these labels.
 * A name that ends with {@code *} means all flows that begin with the part before it.
 *
 * @param names no names and no labels mean all flows
 */
public record FlowLimit(List<String> names, List<String> labels) {
  /** The limit of a token that may use every flow of its tenant. */
  public static final FlowLimit ALL = new FlowLimit(List.of(), List.of());

  private static final int MOST = 100;
  private static final String ANY_END = "*";

  /** Before a label in the stored form. No name of a flow contains it. */
  private static final String LABEL = "label:";

  public FlowLimit {
    names = checked("flows", "names", names, FlowLimit::name);
    labels = checked("labels", "labels", labels, Names::label);
  }

  private static List<String> checked(
      String member, String what, List<String> given, UnaryOperator<String> form) {
    if (given.size() > MOST) {
      throw new IllegalArgumentException(
          "%s: expected at most %d %s, got %d. Use a common beginning of names such as 'billing-*', or a common label"
              .formatted(member, MOST, what, given.size()));
    }
    return given.stream().map(form).distinct().toList();
  }

  private static String name(String name) {
    if (name.equals(ANY_END)) {
      throw new IllegalArgumentException(
          "flows: '*' would be every flow. Leave 'flows' out to make a token for all flows");
    }
    Names.flow(name.endsWith(ANY_END) ? name.substring(0, name.length() - 1) : name);
    return name;
  }

  /**
   * Reads the stored form. It is one list, because a version that knows no labels would take a
   * token without names for one without limits. Such a version refuses a name with a colon.
   */
  public static FlowLimit stored(List<String> words) {
    var names = new ArrayList<String>();
    var labels = new ArrayList<String>();
    for (String word : words) {
      if (word.startsWith(LABEL)) {
        labels.add(word.substring(LABEL.length()));
      } else {
        names.add(word);
      }
    }
    return new FlowLimit(names, labels);
  }

  /** Returns the form that {@link #stored} reads. */
  public List<String> toStored() {
    var words = new ArrayList<>(names);
    labels.forEach(label -> words.add(LABEL + label));
    return words;
  }

  public boolean isAll() {
    return names.isEmpty() && labels.isEmpty();
  }

  /** Returns the only name that it has; null if it allows other flows, too. */
  public @Nullable String onlyName() {
    return names.size() == 1 && labels.isEmpty() ? names.getFirst() : null;
  }

  /**
   * Returns whether a flow of this name may be used.
   *
   * @param labelsOf finds the labels of a flow; is not called if the name decides
   */
  public boolean allows(String flow, Function<String, List<String>> labelsOf) {
    return allowsName(flow) || (!labels.isEmpty() && allowsAny(labelsOf.apply(flow)));
  }

  /** Returns whether a flow of this name may be used, no matter which labels it has. */
  public boolean allowsName(String flow) {
    return isAll() || names.stream().anyMatch(name -> matches(name, flow));
  }

  /** Returns whether a flow with these labels may be used, no matter which name it has. */
  public boolean allowsAny(List<String> labelsOfFlow) {
    return isAll() || !Collections.disjoint(labels, labelsOfFlow);
  }

  private static boolean matches(String name, String flow) {
    return name.endsWith(ANY_END)
        ? flow.startsWith(name.substring(0, name.length() - 1))
        : flow.equals(name);
  }

  @Override
  public String toString() {
    if (isAll()) {
      return "all flows";
    }
    var words = new ArrayList<>(names);
    labels.forEach(label -> words.add("label " + label));
    return String.join(", ", words);
  }
}
