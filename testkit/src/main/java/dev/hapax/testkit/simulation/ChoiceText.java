package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * A list of choices as text for people: the places of those that are not dull, counted from 0, each
 * with its number, as in {@code 3:4,17:1}. Needs no quotes in a shell.
 */
public final class ChoiceText {
  private ChoiceText() {}

  public static String write(List<Integer> choices) {
    var text = new StringJoiner(",");
    for (int at = 0; at < choices.size(); at++) {
      if (choices.get(at) != 0) {
        text.add(at + ":" + choices.get(at));
      }
    }
    return text.toString();
  }

  public static List<Integer> read(String text) {
    List<Integer> choices = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = one.indexOf(':');
      int at = colon < 0 ? -1 : Integer.parseInt(one.substring(0, colon));
      if (at < choices.size()) {
        throw new IllegalArgumentException(
            "choices are place:number with growing places, as in 3:4,17:1; got '%s'"
                .formatted(one));
      }
      while (choices.size() < at) {
        choices.add(0);
      }
      choices.add(Integer.parseInt(one.substring(colon + 1)));
    }
    return List.copyOf(choices);
  }

  /** Counts the choices that are not dull. */
  public static long count(List<Integer> choices) {
    return choices.stream().filter(number -> number != 0).count();
  }
}
