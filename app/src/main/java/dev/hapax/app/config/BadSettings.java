package dev.hapax.app.config;

import java.util.List;

/** Settings that a server cannot start with; lists everything that is wrong with them. */
public final class BadSettings extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  BadSettings(List<String> problems) {
    super("settings: " + String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
