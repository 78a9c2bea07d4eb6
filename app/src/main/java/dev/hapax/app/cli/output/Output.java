package dev.hapax.app.cli.output;

import dev.hapax.json.Json;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of standard output: a text for people, exactly one JSON document for programs.
 * Everything else goes to standard error.
 */
public final class Output {
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintStream out;
  private final PrintStream err;
  private final boolean json;
  private final boolean terminal;
  private final Paint paint;
  private boolean lineOpen;

  public Output(Surroundings surroundings, boolean json) {
    this.out = surroundings.out();
    this.err = surroundings.err();
    this.json = json;
    this.terminal = surroundings.terminal();
    this.paint = Paint.of(surroundings, json);
  }

  /** Returns whether a program reads the output, not a person. */
  public boolean isJson() {
    return json;
  }

  public Paint paint() {
    return paint;
  }

  /** Prints the one answer of a command. */
  public void say(VerbAnswer answer) {
    clearProgress();
    if (answer.isSaid()) {
      return;
    }
    Refusal refusal = answer.refusal();
    if (json) {
      print(Words.escaped(Json.write(envelope(answer, refusal))));
      return;
    }
    if (!answer.text().isEmpty()) {
      print(Words.printable(answer.text(), paint.isOn()));
    }
    if (refusal != null) {
      explain(refusal);
    }
  }

  /** Prints a line while the command is at work, for people only; it stays. */
  public void tell(String line) {
    if (!json) {
      clearProgress();
      err.println(Words.printable(line, paint.isOn()));
    }
  }

  /** Prints a line that the next one replaces; on a terminal only. */
  public void progress(String line) {
    if (!json && terminal) {
      err.print(CLEAR_LINE + Words.printable(line, paint.isOn()));
      err.flush();
      lineOpen = true;
    }
  }

  /** Prints text as it is, if the user asked for just that, for example a script to be sourced. */
  public void raw(String text) {
    out.print(text);
    out.flush();
  }

  public boolean isBroken() {
    return out.checkError();
  }

  private void clearProgress() {
    if (lineOpen) {
      err.print(CLEAR_LINE);
      err.flush();
      lineOpen = false;
    }
  }

  private void print(String text) {
    out.print(text.endsWith("\n") ? text : text + "\n");
    out.flush();
  }

  private void explain(Refusal refusal) {
    err.println(paint.bad("hapax: " + Words.plain(refusal.message())));
    err.print(FindingLines.of(refusal, paint));
    err.println("  " + Words.plain(refusal.hint()));
  }

  /** The public form of every answer; the names never change. */
  private static Map<String, @Nullable Object> envelope(
      VerbAnswer answer, @Nullable Refusal refusal) {
    var envelope = new LinkedHashMap<String, @Nullable Object>();
    envelope.put("ok", refusal == null);
    if (refusal != null) {
      var error = new LinkedHashMap<String, Object>();
      error.put("code", refusal.code());
      error.put("message", refusal.message());
      error.put("details", refusal.details());
      envelope.put("error", error);
      envelope.put("hint", refusal.hint());
    }
    if (refusal == null || answer.data() != null) {
      envelope.put("data", answer.data());
    }
    envelope.put("meta", answer.meta());
    return envelope;
  }
}
