package dev.hapax.app.cli.output;

/** Colour for people: on a terminal and without {@code NO_COLOR}. */
public final class Paint {
  static final Paint NONE = new Paint(false);

  private final boolean on;

  private Paint(boolean on) {
    this.on = on;
  }

  static Paint of(Surroundings surroundings, boolean json) {
    boolean wanted =
        surroundings.terminal()
            && !json
            && surroundings.variable("NO_COLOR") == null
            && !"dumb".equals(surroundings.variable("TERM"));
    return wanted ? new Paint(true) : NONE;
  }

  public boolean isOn() {
    return on;
  }

  public String good(String text) {
    return in("32", text);
  }

  public String warn(String text) {
    return in("33", text);
  }

  public String bad(String text) {
    return in("31", text);
  }

  public String strong(String text) {
    return in("1", text);
  }

  public String faint(String text) {
    return in("2", text);
  }

  /** Colours a status or level of the contract by how much it needs a person. */
  public String status(String word) {
    return switch (word) {
      case "succeeded", "done", "ready", "ok", "approve" -> good(word);
      case "failed", "error", "abandoned", "reject" -> bad(word);
      case "review", "doubt", "partial", "warning", "waiting" -> warn(word);
      case "canceling", "canceling, in review", "compensating", "compensating, in review" ->
          warn(word);
      default -> word;
    };
  }

  private String in(String code, String text) {
    return on ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
}
