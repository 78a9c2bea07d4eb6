package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a verb: data for programs, text for people.
 *
 * @param data what Jackson can write
 * @param refusal why the command ends with another code than 0 although there is data, for example
 *     the findings of a file with errors
 */
public record Answer(
    Exit exit,
    @Nullable Object data,
    Map<String, Object> meta,
    String text,
    @Nullable Refusal refusal) {

  public static Answer of(Object data, String text) {
    return new Answer(Exit.DONE, data, Map.of(), text, null);
  }

  /** Returns an answer that prints nothing: the verb has used {@link Output} while at work. */
  public static Answer said(Exit exit) {
    return new Answer(exit, null, Map.of(), "", null);
  }

  static Answer refusal(Refusal why) {
    return new Answer(why.exit(), null, Map.of(), "", why);
  }

  /** Returns a successful answer with another code than 0: the run waits for a person. */
  public Answer exit(Exit other) {
    return new Answer(other, data, meta, text, refusal);
  }

  /** Adds a line for people; an empty one adds nothing. */
  Answer note(String line) {
    return line.isEmpty() ? this : new Answer(exit, data, meta, text + line + "\n", refusal);
  }

  /** Adds information about the answer, beside the data. */
  public Answer meta(String name, Object value) {
    var more = new LinkedHashMap<>(meta);
    more.put(name, value);
    return new Answer(exit, data, more, text, refusal);
  }

  boolean isSaid() {
    return data == null && refusal == null && text.isEmpty();
  }

  /** Keeps the data although the command is refused, or the run failed. */
  public Answer refused(Refusal why) {
    return new Answer(why.exit(), data, meta, text, why);
  }
}
