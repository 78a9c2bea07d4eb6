package dev.hapax.flows.preset;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds what is missing or contradicts itself in a preset. */
public final class PresetCheck {
  /** How many characters the key of an effect has on the wire. */
  private static final int KEY_LENGTH = 32;

  private final Preset preset;
  private final List<String> problems = new ArrayList<>();

  private PresetCheck(Preset preset) {
    this.preset = preset;
  }

  /** Returns the problems in words; empty if there are none. */
  public static List<String> problems(Preset preset) {
    var check = new PresetCheck(preset);
    check.documents();
    check.placeholders();
    check.secrets();
    check.keys();
    check.texts();
    return List.copyOf(check.problems);
  }

  private void demand(boolean holds, String problem) {
    if (!holds) {
      problems.add(preset.preset() + ": " + problem);
    }
  }

  private void documents() {
    demand(!preset.documents().isEmpty(), "cites no page");
    for (Preset.Document page : preset.documents()) {
      demand(page.url().startsWith("https://"), page.url() + " is no https address");
      try {
        LocalDate.parse(page.read());
      } catch (DateTimeParseException e) {
        demand(false, page.url() + " has no date");
      }
    }
  }

  private void placeholders() {
    Set<String> known =
        preset.values().stream()
            .map(Preset.Value::name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> used =
        preset
            .texts()
            .flatMap(text -> PresetText.PLACEHOLDER.matcher(text).results())
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    used.remove("name");
    demand(known.equals(used), "has the values %s, but uses %s".formatted(known, used));
    for (Preset.Value value : preset.values()) {
      String usual = value.usual();
      demand(
          value.example().matches(value.pattern()),
          "the example of " + value.name() + " does not fit");
      demand(
          usual == null || usual.matches(value.pattern()), value.name() + " does not fit itself");
    }
  }

  private void secrets() {
    for (Preset.Secret secret : preset.secrets()) {
      String name = Preset.secretOf("<name>", secret);
      demand(
          preset.texts().anyMatch(text -> text.contains(name)), "nothing uses the secret " + name);
    }
  }

  private void keys() {
    Integer longest = preset.longestKey();
    PresetFacts facts = PresetFacts.of(preset);
    boolean isAssumed = facts.assumed().contains("longestKey");
    demand(
        facts.key().isEmpty() ? longest == null : longest != null || isAssumed,
        "says nothing about the length of keys, or takes none and says so");
    demand(
        longest == null || longest >= KEY_LENGTH,
        "a key of %d characters is too long for it: use another guard".formatted(KEY_LENGTH));
  }

  private void texts() {
    demand(!preset.operations().isEmpty(), "has no operation");
    demand(preset.fetch() == null || preset.webhook() != null, "fetches without a webhook");
    demand(preset.newest() == null || preset.webhook() != null, "has versions without a webhook");
    preset
        .texts()
        .forEach(
            text -> {
              try {
                Presets.mapping(preset.preset(), text);
              } catch (IllegalArgumentException e) {
                demand(false, String.valueOf(e.getMessage()));
              }
            });
  }
}
