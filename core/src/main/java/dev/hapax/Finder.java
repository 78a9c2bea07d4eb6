package dev.hapax;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a text everywhere: ids, keys, external ids, searchable fields. Every question goes to
 * an index and is bounded. First what the text is, then what begins with it.
 */
final class Finder {
  /** So many hits of each kind. */
  private static final int MOST = 10;

  /** So many fit on a page; longer texts are no key. */
  private static final int LONGEST = 1024;

  private final Hapax hapax;
  private final Store store;
  private final String tenant;
  private final List<Found> found = new ArrayList<>();

  Finder(Hapax hapax, Store store, String tenant) {
    this.hapax = hapax;
    this.store = store;
    this.tenant = tenant;
  }

  List<Found> find(String text) {
    if (text.isBlank() || text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "text: expected 1 to %,d characters, got %,d".formatted(LONGEST, text.strip().length()));
    }
    byId(text);
    byText(TextMatch.exactly(text));
    byText(TextMatch.beginningWith(text));
    return List.copyOf(found);
  }

  private void byId(String text) {
    try {
      Run run = store.find(RunId.parse(text));
      if (run != null && run.tenant().equals(tenant)) {
        found.add(Found.run(run, "id", true, text));
      }
    } catch (IllegalArgumentException e) {
      // no id of a run
    }
    EffectRecord effect = numbered(text, "e-", store::effect);
    if (effect != null && effect.key().tenant().equals(tenant)) {
      found.add(Found.effect(effect, "id", true, text));
    }
    InboxEvent event =
        numbered(
            text,
            "i-",
            number ->
                store.events(InboxFilter.of(tenant).number(number)).stream()
                    .findFirst()
                    .orElse(null));
    if (event != null) {
      found.add(new Found(new Found.What.OfEvent(event), "id", true, text));
    }
    Wait wait = numbered(text, "w-", number -> store.waits().find(number));
    Run waits = wait == null ? null : hapax.findRun(wait.run());
    if (wait != null && waits != null && wait.kind() != Wait.Kind.REVIEW) {
      found.add(Found.wait(wait, waits, text));
    }
  }

  private static <T> @Nullable T numbered(
      String text, String prefix, LongFunction<@Nullable T> read) {
    if (!text.startsWith(prefix)) {
      return null;
    }
    try {
      return read.apply(Long.parseLong(text.substring(prefix.length()), 36));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void byText(TextMatch text) {
    boolean isExact = !text.isPrefix();
    RunFilter runs = hapax.runs().limit(MOST);
    for (Run run : hapax.runs(runs.search(RunSearch.NONE.key(text)))) {
      add(Found.run(run, "key", isExact, run.key()));
    }
    EffectFilter effects = hapax.effects().limit(MOST);
    for (EffectRecord row : hapax.effects(effects.search(EffectSearch.NONE.key(text)))) {
      add(Found.effect(row, "key", isExact, row.key().shown()));
    }
    for (EffectRecord row : hapax.effects(effects.search(EffectSearch.NONE.externalId(text)))) {
      add(Found.effect(row, "externalId", isExact, String.valueOf(row.externalId())));
    }
    if (isExact) { // the beginning of a hash is no search
      for (EffectRecord row : hapax.effects(effects.wireKey(text.text()))) {
        add(Found.effect(row, "wireKey", true, text.text()));
      }
    }
    for (Run run : hapax.runs(runs.search(RunSearch.NONE.anyField(text)))) {
      run.search()
          .declared()
          .forEach(
              (name, value) -> {
                if (text.admits(value)) {
                  add(Found.run(run, "search." + name, isExact, value));
                }
              });
    }
    for (InboxEvent event : store.events(tenant, text, MOST)) {
      add(Found.event(event, isExact));
    }
  }

  /** Leaves out what was found exactly. */
  private void add(Found hit) {
    boolean isKnown =
        found.stream()
            .anyMatch(
                known ->
                    known.by().equals(hit.by())
                        && known.value().equals(hit.value())
                        && isSame(known.what(), hit.what()));
    if (!isKnown) {
      found.add(hit);
    }
  }

  private static boolean isSame(Found.What one, Found.What other) {
    if (one instanceof Found.What.OfRun(var first)
        && other instanceof Found.What.OfRun(var second)) {
      return first.number() == second.number();
    }
    if (one instanceof Found.What.OfEffect(var first)
        && other instanceof Found.What.OfEffect(var second)) {
      return first.number() == second.number();
    }
    return one instanceof Found.What.OfEvent(var first)
        && other instanceof Found.What.OfEvent(var second)
        && first.number() == second.number();
  }
}
