package dev.hapax.flows.preset;

import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.Idempotency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A preset in a few words, one per column of its table.
 *
 * @param key where the key goes; empty if the provider takes none
 * @param stored which answers are kept under a key
 * @param lookups the operations that can be looked up, and how
 * @param webhook the signature scheme
 * @param read the date of the oldest page
 */
public record PresetFacts(
    String preset,
    String title,
    String key,
    String window,
    String stored,
    List<String> lookups,
    String webhook,
    List<String> assumed,
    String read) {
  private static final String NONE = "none";
  private static final String REQUEST = ConnectionKind.HTTP.word();

  public static PresetFacts of(Preset preset) {
    Map<?, ?> keys =
        inner(inner(Presets.mapping(preset.preset(), preset.connection()), REQUEST), "idempotency");
    boolean takesKeys = !NONE.equals(keys.get("stores"));
    Idempotency usual = Idempotency.USUAL;
    String field = text(keys, "bodyField");
    String header = field == null ? textOr(keys, "header", String.valueOf(usual.header())) : null;
    return new PresetFacts(
        preset.preset(),
        preset.title(),
        takesKeys ? (header == null ? "body " + field : header) : "",
        takesKeys ? textOr(keys, "window", "24h") : "",
        takesKeys ? textOr(keys, "stores", "all") : "",
        lookups(preset),
        scheme(preset),
        preset.assumed().stream().map(line -> line.split(":", 2)[0]).toList(),
        preset.documents().stream().map(Preset.Document::read).min(String::compareTo).orElse(""));
  }

  private static List<String> lookups(Preset preset) {
    var found = new ArrayList<String>();
    for (Preset.Operation operation : preset.operations()) {
      Map<?, ?> guard =
          inner(inner(Presets.mapping(operation.name(), operation.step()), "effect"), "guard");
      Map<?, ?> lookup =
          guard.containsKey("keyed")
              ? inner(inner(guard, "keyed"), "lookup")
              : inner(guard, "lookup");
      Map<?, ?> http = inner(lookup, REQUEST);
      if (!http.isEmpty()) {
        found.add(
            "%s: %s %s"
                .formatted(operation.name(), textOr(http, "method", "GET"), http.get("path")));
      }
    }
    return found;
  }

  private static String scheme(Preset preset) {
    String webhook = preset.webhook();
    if (webhook == null) {
      return "";
    }
    String scheme =
        textOr(inner(Presets.mapping(preset.preset(), webhook), "verify"), "scheme", "");
    return preset.fetch() == null ? scheme : "id only, fetched";
  }

  private static Map<?, ?> inner(Map<?, ?> outer, String name) {
    return outer.get(name) instanceof Map<?, ?> found ? found : Map.of();
  }

  private static @Nullable String text(Map<?, ?> from, String name) {
    Object found = from.get(name);
    return found == null ? null : String.valueOf(found);
  }

  private static String textOr(Map<?, ?> from, String name, String usual) {
    String found = text(from, name);
    return found == null ? usual : found;
  }
}
