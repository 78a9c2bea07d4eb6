package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The lines of a run's history that are about the current revisions of some of its effects. */
final class EffectLines {
  static final Set<String> BY_PEOPLE = Set.of("settled", "answered-late", "step-settled");

  private final Run owner;
  private final Map<String, List<EffectRecord>> byWireKey = new HashMap<>();
  private final Map<Place, List<EffectRecord>> byPlace = new HashMap<>();

  private record Place(@Nullable String step, @Nullable String item) {}

  private EffectLines(Run owner, List<EffectRecord> effects) {
    this.owner = owner;
    for (EffectRecord effect : effects) {
      byWireKey.computeIfAbsent(effect.wireKey(), _ -> new ArrayList<>()).add(effect);
      byPlace
          .computeIfAbsent(
              new Place(effect.step().name(), effect.step().item()), _ -> new ArrayList<>())
          .add(effect);
    }
  }

  /** Gives each line with its effect, oldest first; the history is read once for all effects. */
  static void each(
      TenantRecords records,
      Run owner,
      List<EffectRecord> effects,
      BiConsumer<EffectRecord, HistoryEntry> to) {
    var wanted = new EffectLines(owner, effects);
    for (HistoryEntry line : records.lines(owner)) {
      wanted.about(line).forEach(effect -> to.accept(effect, line));
    }
  }

  /**
   * A decision about an item of a loop is in the run's own part, which does not know its key. In a
   * run that was erased, no line knows one.
   */
  private List<EffectRecord> about(HistoryEntry line) {
    String key = line.wireKey();
    if (key != null) {
      return byWireKey.getOrDefault(key, List.of());
    }
    if (!BY_PEOPLE.contains(line.type()) && !(owner.isErased() && line.revision() != null)) {
      return List.of();
    }
    return byPlace.getOrDefault(new Place(line.step(), line.item()), List.of()).stream()
        .filter(
            effect -> line.revision() == null || Objects.equals(line.revision(), effect.revision()))
        .toList();
  }
}
