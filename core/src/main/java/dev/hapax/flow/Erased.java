package dev.hapax.flow;

import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the store holds in place of values that were erased for a person. Pure. */
public final class Erased {
  /** In place of a value, which is JSON text. */
  public static final String JSON = "{\"hapax/erased\":true}";

  /** In place of any other text. */
  public static final String TEXT = "erased";

  /**
   * In place of the key of a run. Its id, which is a hash of the key, still stops a second start.
   */
  static final String RUN_KEY = "hapax/erased";

  private static final String ITEM = "erased-";
  private static final int ITEM_BYTES = 5;

  private Erased() {}

  /** Whether this is in place of a value. */
  public static boolean is(@Nullable String json) {
    return JSON.equals(json);
  }

  /** The value without its content; null stays null. */
  public static @Nullable String json(@Nullable String value) {
    return value == null ? null : JSON;
  }

  /** The text without its content; null stays null. */
  public static @Nullable String text(@Nullable String text) {
    return text == null ? null : TEXT;
  }

  /** The key of an item: another text, but the same one for the same item of a run. */
  public static @Nullable String item(long run, @Nullable String item) {
    if (item == null || item.startsWith(ITEM)) {
      return item;
    }
    return ITEM + Digest.base32(Digest.ofParts("item", Long.toString(run), item), ITEM_BYTES);
  }

  /**
   * The decision of a wait: the choice about an approval stays, a callback's value and a person's
   * comment go.
   */
  public static @Nullable String decision(@Nullable String json) {
    if (json == null || is(json)) {
      return json;
    }
    JsonNode choice = Json.tree(json).path("decision");
    for (Decision.Choice one : Decision.Choice.values()) {
      if (choice.isString() && one.word().equals(choice.asString())) {
        return Json.write(Map.of("decision", one.word()));
      }
    }
    return JSON;
  }

  /** Who decided: a person who only said who they are, as behind a link, may be anyone. */
  public static @Nullable String by(@Nullable String decision, @Nullable String by) {
    boolean isClaimed =
        by != null
            && decision != null
            && !is(decision)
            && Json.tree(decision).path("claimed").asBoolean(false);
    return isClaimed ? TEXT : by;
  }

  public static Step step(long run, Step step) {
    return new Step(step.name(), item(run, step.item()), step.round());
  }

  /** The code stays, so that people see what kind of failure it was. */
  public static @Nullable Failure failure(long run, @Nullable Failure failure) {
    return failure == null
        ? null
        : new Failure(
            failure.code(), TEXT, failure.step(), item(run, failure.item()), failure.retryable());
  }
}
