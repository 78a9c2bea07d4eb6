package dev.hapax.app.cli.output;

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
public record VerbAnswer(
    Exit exit,
    @Nullable Object data,
    Map<String, Object> meta,
    String text,
    @Nullable Refusal refusal) {

  public static VerbAnswer of(Object data, String text) {
    return new VerbAnswer(Exit.DONE, data, Map.of(), text, null);
  }

  /** Returns an answer that prints nothing: the verb has used {@link Output} while at work. */
  public static VerbAnswer said(Exit exit) {
    return new VerbAnswer(exit, null, Map.of(), "", null);
  }

  public static VerbAnswer refusal(Refusal why) {
    return new VerbAnswer(why.exit(), null, Map.of(), "", why);
  }

  /** Returns a successful answer with another code than 0: the run waits for a person. */
  public VerbAnswer exit(Exit other) {
    return new VerbAnswer(other, data, meta, text, refusal);
  }

  /** Adds a line for people; an empty one adds nothing. */
  public VerbAnswer note(String line) {
    return line.isEmpty() ? this : new VerbAnswer(exit, data, meta, text + line + "\n", refusal);
  }

  /** Adds information about the answer, beside the data. */
  public VerbAnswer meta(String name, Object value) {
    var more = new LinkedHashMap<>(meta);
    more.put(name, value);
    return new VerbAnswer(exit, data, more, text, refusal);
  }

  boolean isSaid() {
    return data == null && refusal == null && text.isEmpty();
  }

  /** Keeps the data although the command is refused, or the run failed. */
  public VerbAnswer refused(Refusal why) {
    return new VerbAnswer(why.exit(), data, meta, text, why);
  }
}
