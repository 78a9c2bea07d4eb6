package dev.hapax.app.cli.output;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reason why a command was not carried out: what happened, and what to do instead. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;
  private final String code;
  private final transient Object details;
  private final @Nullable String hint;

  private Refusal(Exit exit, String code, String message, Object details, @Nullable String hint) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.details = details;
    this.hint = hint;
  }

  /** Creates a refusal with a stable code in lower case, for example {@code key-reused}. */
  public static Refusal of(Exit exit, String code, String message) {
    return new Refusal(exit, code, message, Map.of(), null);
  }

  /** Creates a refusal of a wrong command line. */
  public static Refusal usage(String message) {
    return of(Exit.USAGE, "usage", message);
  }

  /** Adds details for programs, beside the message. */
  public Refusal details(Object value) {
    return new Refusal(exit, code, message(), value, hint);
  }

  /** Adds what to do next, in words or as a command. */
  public Refusal hint(@Nullable String text) {
    return new Refusal(exit, code, message(), details, text);
  }

  public Exit exit() {
    return exit;
  }

  public String code() {
    return code;
  }

  public String message() {
    return String.valueOf(getMessage());
  }

  public Object details() {
    return details;
  }

  /** Returns what to do next; never nothing, since an agent has nobody to ask. */
  public String hint() {
    return hint == null ? usualHint() : hint;
  }

  private String usualHint() {
    return switch (exit) {
      case USAGE -> "add --help to the command: it shows what is expected";
      case NOT_FOUND ->
          code.startsWith("file")
              ? "check the path: it is looked for from the current folder"
              : "check the name or id: 'hapax find TEXT' looks everywhere";
      case UNREACHABLE -> "try again; 'hapax doctor' looks for the cause";
      default -> "'hapax docs errors' says what each refusal means and what to do";
    };
  }
}
