package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a verb has to say: data for programs, text for people.
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

  /** Nothing more is said: the verb has said it by {@link Output} while it was at work. */
  public static Answer said(Exit exit) {
    return new Answer(exit, null, Map.of(), "", null);
  }

  static Answer refusal(Refusal why) {
    return new Answer(why.exit(), null, Map.of(), "", why);
  }

  /** All is well, and yet the code is not 0: a person is waited for. */
  public Answer exit(Exit other) {
    return new Answer(other, data, meta, text, refusal);
  }

  /** A line more for people; an empty one is none. */
  Answer note(String line) {
    return line.isEmpty() ? this : new Answer(exit, data, meta, text + line + "\n", refusal);
  }

  /** What is told about the answer, beside the data. */
  public Answer meta(String name, Object value) {
    var more = new LinkedHashMap<>(meta);
    more.put(name, value);
    return new Answer(exit, data, more, text, refusal);
  }

  boolean isSaid() {
    return data == null && refusal == null && text.isEmpty();
  }

  /** There is data, and yet the command is refused, or the run failed. */
  public Answer refused(Refusal why) {
    return new Answer(why.exit(), data, meta, text, why);
  }
}
