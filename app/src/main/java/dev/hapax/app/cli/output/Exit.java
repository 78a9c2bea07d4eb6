package dev.hapax.app.cli.output;

/** The exit code of a command. Scripts branch on the number, so it never changes its meaning. */
public enum Exit {
  DONE(0),
  RUN_FAILED(1),
  USAGE(2),
  REFUSED(3),
  NOT_FOUND(4),
  UNREACHABLE(5),
  WAITS_FOR_PERSON(6);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
