package dev.hapax.flows.file;

import dev.hapax.flows.ExampleFiles;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values that keys have in files which tests run, as examples for the published schema. */
final class ExampleValues {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path EVERY_KIND =
      BASE.resolve("src/test/resources/dev/hapax/flows/good/every-kind.yaml");
  private static final int EACH = 2;
  private static final int LONGEST = 160;

  private final Map<String, TreeSet<String>> found = new TreeMap<>();

  private ExampleValues() {}

  /** Returns the shortest values by shape and key, as {@code retry.delay}. */
  static Map<String, List<Object>> all() throws IOException {
    var values = new ExampleValues();
    for (Path file : files()) {
      Node root = new Yaml("f", new ArrayList<>()).read(Files.readString(file));
      values.collect(Objects.requireNonNull(root), FlowKeys.top());
    }
    var all = new TreeMap<String, List<Object>>();
    values.found.forEach(
        (key, texts) ->
            all.put(
                key,
                texts.stream().limit(EACH).map(text -> Json.read(text, Object.class)).toList()));
    return all;
  }

  private void collect(Node node, Type type) {
    switch (node) {
      case Node.Mapping mapping -> {
        Shape shape = FlowKeys.shape(type);
        for (Node.Entry entry : mapping.entries()) {
          Type inner = FlowKeys.member(type, entry.key());
          if (inner != null) {
            if (shape != null) {
              add(shape.name() + "." + entry.key(), entry.value().plain());
            }
            if (inner instanceof Type.WordOr either && entry.value() instanceof Node.Scalar word) {
              add(either.shape() + "." + word.text(), Map.of()); // the word alone means no settings
            }
            collect(entry.value(), inner);
          }
        }
      }
      case Node.Sequence list -> {
        Type element = FlowKeys.element(type);
        if (element != null) {
          list.elements().forEach(one -> collect(one, element));
        }
      }
      case Node.Scalar _ -> {}
    }
  }

  private void add(String key, @Nullable Object value) {
    String text = value == null ? "null" : Json.write(value);
    TreeSet<String> texts =
        found.computeIfAbsent(
            key,
            _ ->
                new TreeSet<>(
                    Comparator.comparingInt(String::length)
                        .thenComparing(Comparator.naturalOrder())));
    if (text.length() <= LONGEST || texts.isEmpty()) {
      texts.add(text);
    }
  }

  private static List<Path> files() {
    var files = new ArrayList<>(ExampleFiles.paths());
    files.add(EVERY_KIND);
    return files;
  }
}
