package dev.hapax.engine.pass;

import dev.hapax.flow.Failure;
import dev.hapax.flow.ItemResults;
import dev.hapax.flow.Items;
import dev.hapax.json.Json;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Collects the results of a loop's items while they end in any order. Holds at most as much as the
 * results may have together, no matter how many items there are. Safe for many threads.
 */
public final class ItemOutputs {
  /** The largest text of all results together. */
  static final int LARGEST = 16 << 20;

  // Guarded by this.
  private final List<@Nullable Result> results = new ArrayList<>();
  private long held;

  /**
   * How an item ended.
   *
   * @param output a JSON text or a reference to one
   */
  private record Result(String key, @Nullable String output, @Nullable Failure error) {
    long size() {
      return (long) key.length()
          + (output == null ? 0 : output.length())
          + (error == null ? 0 : error.code().length() + error.message().length());
    }
  }

  /**
   * Notes the end of an item.
   *
   * @param index its place among the items
   */
  public synchronized void ended(
      int index, String key, @Nullable String output, @Nullable Failure error) {
    var result = new Result(key, output, error);
    held += result.size();
    if (held > LARGEST) {
      results.clear(); // they are too large together, so none is needed
      return;
    }
    while (results.size() <= index) {
      results.add(null);
    }
    results.set(index, result);
  }

  /**
   * Returns all results as one JSON text; null if it would be too large.
   *
   * @param valueOf returns the text that an output is or refers to
   */
  public synchronized @Nullable String text(UnaryOperator<String> valueOf) {
    var text = new StringBuilder("[");
    for (Result result : results) {
      if (result == null || held > LARGEST) {
        return null;
      }
      text.append(text.length() == 1 ? "" : ",").append(element(result, valueOf));
      if (text.length() > LARGEST) {
        return null;
      }
    }
    return held > LARGEST ? null : text.append(']').toString();
  }

  private static String element(Result result, UnaryOperator<String> valueOf) {
    String output = result.output();
    Failure error = result.error();
    return "{\"key\":%s%s%s}"
        .formatted(
            Json.write(result.key()),
            output == null ? "" : ",\"output\":" + valueOf.apply(output),
            error == null
                ? ""
                : ",\"error\":"
                    + Json.write(
                        new Items.Failed(
                            String.valueOf(error.item()), error.code(), error.message())));
  }

  /** Reads such a text. */
  @SuppressWarnings("unchecked") // the results were written as this type
  public static <R> List<ItemResults.ItemResult<R>> read(String text, Type type) {
    var read = new ArrayList<ItemResults.ItemResult<R>>();
    for (JsonNode result : Json.tree(text)) {
      JsonNode output = result.get("output");
      JsonNode error = result.get("error");
      read.add(
          new ItemResults.ItemResult<>(
              result.get("key").stringValue(),
              output == null || output.isNull() ? null : (R) Json.readAs(output.toString(), type),
              error == null ? null : Json.read(error.toString(), Items.Failed.class)));
    }
    return read;
  }
}
