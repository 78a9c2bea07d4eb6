package dev.hapax.flow;

import dev.hapax.json.Json;
import dev.hapax.json.Text;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields by which a run can be found, with their values for its input. Bounded in number and
 * size, because they are stored with every run of their flow.
 */
public record SearchFields(Map<String, String> values) {
  /** No declared field begins so. */
  private static final String SUBJECT = "hapax/subject-";

  /** A flow has at most this many. */
  public static final int MOST = 8;

  /** Only this many characters of a value are kept, and compared. */
  public static final int LONGEST_VALUE = 256;

  /** For a run that is found by nothing else than its key. */
  public static final SearchFields NONE = new SearchFields(Map.of());

  public SearchFields {
    var cut = new TreeMap<String, String>(); // so that every process writes the same text
    values.forEach((name, value) -> cut.put(name, cut(value)));
    values = Collections.unmodifiableMap(cut);
  }

  /** The part of a value that is kept. */
  public static String cut(String value) {
    return Text.cut(Text.storable(value), LONGEST_VALUE);
  }

  /** These fields, and the people whom the run is about, by the hash of their id. */
  public SearchFields about(List<SubjectHash> people) {
    var all = new TreeMap<>(values);
    for (int i = 0; i < people.size(); i++) {
      all.put(SUBJECT + (i + 1), people.get(i).hex());
    }
    return new SearchFields(all);
  }

  /** The people whom the run is about. */
  public List<SubjectHash> subjects() {
    return values.entrySet().stream()
        .filter(field -> field.getKey().startsWith(SUBJECT))
        .map(field -> new SubjectHash(field.getValue()))
        .toList();
  }

  /** The fields that a flow has declared as searchable. */
  public Map<String, String> declared() {
    var rest = new TreeMap<>(values);
    rest.keySet().removeIf(name -> name.startsWith(SUBJECT));
    return rest;
  }

  SearchFields onlySubjects(SubjectHash also) {
    return NONE.about(Stream.concat(subjects().stream(), Stream.of(also)).distinct().toList());
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether all of these fields have these values. */
  public boolean hold(Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(field -> cut(field.getValue()).equals(values.get(field.getKey())));
  }

  /** As it is stored; null if there are none. */
  public @Nullable String json() {
    return values.isEmpty() ? null : Json.write(values);
  }

  /** As it was stored. */
  public static SearchFields of(@Nullable String json) {
    if (json == null) {
      return NONE;
    }
    var values = new TreeMap<String, String>();
    for (Map.Entry<String, JsonNode> field : Json.tree(json).properties()) {
      values.put(field.getKey(), field.getValue().asString());
    }
    return new SearchFields(values);
  }
}
