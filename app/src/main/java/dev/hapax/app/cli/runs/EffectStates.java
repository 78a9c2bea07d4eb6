package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The effects of a run, each in its last state, read from the run's history. */
final class EffectStates {
  private static final Pattern UNDO = Pattern.compile("(.+)\\.undo(-\\d+)?");

  private final Map<String, Map<String, Object>> latest = new LinkedHashMap<>();

  private EffectStates() {}

  static List<Map<String, Object>> of(List<Item> history) {
    var states = new EffectStates();
    history.forEach(states::read);
    states.latest.values().removeIf(effect -> !effect.containsKey("state"));
    states
        .latest
        .values()
        .forEach(effect -> effect.put("meaning", meaning(String.valueOf(effect.get("state")))));
    return List.copyOf(states.latest.values());
  }

  private void read(Item entry) {
    boolean isEffect = !entry.raw("wireKey").isEmpty() || !entry.raw("guard").isEmpty();
    if (!isEffect && (entry.raw("step").isEmpty() || !latest.containsKey(place(entry)))) {
      return;
    }
    Map<String, Object> effect = latest.computeIfAbsent(place(entry), _ -> new LinkedHashMap<>());
    put(effect, "step", entry.raw("step"));
    put(effect, "item", entry.raw("item"));
    put(effect, "name", entry.raw("effect"));
    put(effect, "key", entry.raw("key"));
    put(effect, "guard", entry.raw("guard"));
    put(effect, "state", stateOf(entry));
    put(effect, "reusedFrom", entry.raw("reusedFrom"));
    Matcher undo = UNDO.matcher(entry.raw("step"));
    if (undo.matches()) {
      undoes(latest.get(place(undo.group(1), entry.raw("item"))), stateOf(entry));
    }
  }

  /** A person's decision has no state in the history, because the run's next entry has it. */
  private static String stateOf(Item entry) {
    if (!entry.raw("type").equals("settled") || entry.raw("decision").contains("too late")) {
      return entry.raw("state");
    }
    String decision = entry.raw("decision");
    return decision.startsWith("happened")
        ? "done"
        : decision.startsWith("not-happened") ? "pending" : "abandoned";
  }

  /** The state of an effect follows the state of its undo. */
  private static void undoes(@Nullable Map<String, Object> effect, String undo) {
    if (effect == null || undo.isEmpty()) {
      return;
    }
    effect.put(
        "state",
        switch (undo) {
          case "done" -> "undone";
          case "failed", "abandoned" -> "done";
          default -> "undoing";
        });
  }

  private static String place(Item entry) {
    return place(entry.raw("step"), entry.raw("item"));
  }

  private static String place(String step, String item) {
    return step + "\n" + item;
  }

  private static void put(Map<String, Object> effect, String name, String value) {
    if (!value.isEmpty()) {
      effect.put(name, value);
    }
  }

  private static String meaning(String state) {
    return switch (state) {
      case "done" -> "it happened; it is never sent again under this key";
      case "pending" -> "it is being sent, or will be; its guard makes a repeat safe";
      case "doubt" -> "it was sent and may have happened; its guard settles that";
      case "review" -> "only a person can find out if it happened, or must decide";
      case "failed" -> "it did not happen; a retry sends it";
      case "undoing" -> "it happened and is being undone";
      case "undone" -> "it happened and was undone";
      case "abandoned" -> "it was given up in doubt; it may have happened";
      default -> "";
    };
  }
}
